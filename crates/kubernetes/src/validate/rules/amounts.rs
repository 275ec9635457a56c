//! Resource names and quantities, after `validateResourceName`, `ValidateResourceQuantityValue` and
//! related functions in Kubernetes' `pkg/apis/core/validation`.

use super::judge::{Judge, Place, Spot, shown};
use crate::diag::{Diagnostic, Message, declare_rules, message, nearest};
use crate::scalar::{Quantity, check_qualified_name};
use crate::tree::{Entry, Node, Value};

declare_rules! {
    RESOURCE_NAME_INVALID = "resource-name-invalid", Error, follows = [SamePlace];
    RESOURCE_AMOUNT_INVALID = "resource-amount-invalid", Error;
    HUGE_PAGES_INVALID = "huge-pages-invalid", Error;
}

/// The prefix of huge page resources.
pub(super) const HUGE_PAGES: &str = "hugepages-";
/// One thousandth, to which the server rounds quantities up, in billionths.
const THOUSANDTH: i128 = 1_000_000;
const ONE: i128 = 1_000_000_000;

/// The owner of a list of resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    /// A container, or the overhead of a Pod.
    Container,
    /// A whole Pod.
    Pod,
    /// A ResourceQuota.
    Quota,
    /// Any other object.
    Other,
}

/// Names without a `/` that are valid everywhere except for containers and Pods.
const COUNTED_NAMES: [&str; 9] = [
    "pods",
    "services",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
];
const SUMMED_NAMES: [&str; 11] = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.storage",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "storage",
];

/// Checks one name and its quantity. `overhead` of a Pod is checked like limits.
pub(super) fn check_entry(judge: &mut Judge<'_>, entry: &Entry, level: Level) {
    check_resource_name(judge, &entry.key, level, entry);
    let name = entry.key.as_str();
    let Some(amount) = check_amount(judge, entry) else { return };
    let Some(size) = name.strip_prefix(HUGE_PAGES).filter(|_| level != Level::Quota) else {
        return;
    };
    if !is_whole_pages(amount, size) {
        let message = message!("quantity of `{}` is not a multiple of its page size", shown(name));
        let finding = Diagnostic::new(&HUGE_PAGES_INVALID, entry.value.span(), message)
            .at("must be a multiple of the page size")
            .help("write a multiple of the page size in the name: `hugepages-2Mi: 4Mi`");
        judge.report(finding, entry);
    }
}

/// Checks the quantity of a resource and returns it in thousandths; `None` if it is negative.
pub(super) fn check_amount(judge: &mut Judge<'_>, entry: &Entry) -> Option<i128> {
    let amount = amount(&entry.value)?;
    let name = entry.key.as_str();
    let mut refuse = |message: Message, label: &'static str, help: &'static str| {
        judge.fault(&RESOURCE_AMOUNT_INVALID, (entry.value.span(), entry), (message, label, help));
    };
    if amount < 0 {
        refuse(
            message!("`{}` is negative", shown(name)),
            "must not be negative",
            "write 0 or more",
        );
        return None;
    }
    if is_counted(name) && amount % 1000 != 0 {
        let message = message!("quantity of `{}` is not a whole number", shown(name));
        refuse(
            message,
            "must be a whole number",
            "write a whole number: this resource cannot be divided",
        );
    }
    Some(amount)
}

/// Requires `cpu` or `memory` together with huge pages.
pub(super) fn check_huge_pages<'n>(
    judge: &mut Judge<'_>,
    mut all: impl Iterator<Item = &'n Entry> + Clone,
    place: impl Into<Place<'n>>,
) {
    let Some(pages) = all.clone().find(|entry| entry.key.starts_with(HUGE_PAGES)) else { return };
    if all.any(|entry| matches!(entry.key.as_str(), "cpu" | "memory")) {
        return;
    }
    let text = (
        "huge pages require a `cpu` or `memory` request",
        "requires `cpu` or `memory`",
        "add a request or a limit of `cpu` or `memory`",
    );
    judge.fault(&HUGE_PAGES_INVALID, (pages.key_origin().span(), place), text);
}

/// Whether a quantity, in thousandths, is a multiple of the page size in the name.
fn is_whole_pages(amount: i128, size: &str) -> bool {
    let page = Quantity::parse(size).map_or(0, Quantity::billionths);
    let whole = (page / ONE).unsigned_abs();
    page > 0 && page % ONE == 0 && amount.unsigned_abs().div_ceil(1000).is_multiple_of(whole)
}

/// The resources of a container that every node has.
const CONTAINER_NAMES: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// Checks the name of a resource.
pub(super) fn check_resource_name<'n>(
    judge: &mut Judge<'_>,
    name: &str,
    level: Level,
    spot: impl Into<Spot<'n>>,
) {
    let Spot { span, place } = spot.into();
    let (fault, help) = match check_qualified_name(name) {
        Err(fault) => (message!("the resource name `{}` {fault}", shown(name)), None),
        Ok(()) => match level {
            Level::Container => match container_fault(name) {
                Some(fault) => fault,
                None => return,
            },
            Level::Pod if matches!(name, "cpu" | "memory") || name.starts_with(HUGE_PAGES) => {
                return;
            }
            Level::Pod => {
                let help = "write `cpu`, `memory` or `hugepages-<size>`; set others on a container";
                (message!("`{}` is not a Pod-level resource", shown(name)), Some(help.into()))
            }
            Level::Quota | Level::Other if is_known(name, level) => return,
            Level::Quota => (
                message!("`{}` is not a resource that a quota can limit", shown(name)),
                Some(quota_help(name).into()),
            ),
            Level::Other => {
                let help = "write `storage`, or another resource of Kubernetes";
                (message!("`{}` is not a valid resource name", shown(name)), Some(help.into()))
            }
        },
    };
    let finding = Diagnostic::new(&RESOURCE_NAME_INVALID, span, fault).at("not a resource");
    let near = match level {
        Level::Container => nearest(name, CONTAINER_NAMES),
        Level::Pod => nearest(name, ["cpu", "memory"]),
        Level::Quota if name == "storage" => Some("requests.storage"),
        Level::Quota | Level::Other => nearest(name, COUNTED_NAMES.into_iter().chain(SUMMED_NAMES)),
    };
    let near = near.filter(|_| name != "gpu");
    judge.report(
        match near {
            Some(near) => finding.suggest(span, near, message!("did you mean `{near}`?")),
            None => finding.help_if(help),
        },
        place,
    );
}

fn is_known(name: &str, level: Level) -> bool {
    name.contains('/')
        || name.strip_prefix("requests.").unwrap_or(name).starts_with(HUGE_PAGES)
        || COUNTED_NAMES.contains(&name)
        || (SUMMED_NAMES.contains(&name) && !(level == Level::Quota && name == "storage"))
}

fn quota_help(name: &str) -> &'static str {
    match name {
        "gpu" => "add the vendor's domain: `requests.nvidia.com/gpu`",
        _ => "write a name such as `requests.cpu` or `pods`, or `count/<resource>.<group>`",
    }
}

/// The fault of a well-formed name, and its repair.
fn container_fault(name: &str) -> Option<(Message, Option<Message>)> {
    let is_own = CONTAINER_NAMES.contains(&name)
        || name.starts_with(HUGE_PAGES)
        || name.contains("kubernetes.io/")
        || is_extended(name);
    if is_own {
        return None;
    }
    if name.contains('/') {
        let help = "remove `requests.` and shorten the part before the `/`".into();
        return Some((message!("`{}` is a quota name, not a resource", shown(name)), Some(help)));
    }
    let vendor = (name == "gpu").then(|| "add the vendor's domain: `nvidia.com/gpu`".into());
    let help = vendor.unwrap_or_else(|| {
        "write `cpu`, `memory`, `ephemeral-storage`, `hugepages-<size>`, or a name with a vendor's domain and `/`"
            .into()
    });
    Some((message!("`{}` is not a container resource", shown(name)), Some(help)))
}

/// A quantity in thousandths, rounded away from zero as the server does. `null` is absent.
pub(in crate::validate) fn amount(node: &Node) -> Option<i128> {
    let billionths = if node.is_null() { 0 } else { billionths(node)? };
    let away = if billionths < 0 { 1 - THOUSANDTH } else { THOUSANDTH - 1 };
    Some(billionths.saturating_add(away) / THOUSANDTH)
}

/// A quantity in billionths; `None` if it is invalid, which the schema check reports.
pub(super) fn billionths(node: &Node) -> Option<i128> {
    match &node.value {
        Value::String(text) => Quantity::parse(text).ok().map(Quantity::billionths),
        Value::Int(whole) => Some(i128::from(*whole) * ONE),
        Value::UInt(whole) => Some(i128::from(*whole) * ONE),
        Value::Float(value) => Quantity::parse(&value.to_string()).ok().map(Quantity::billionths),
        _ => None,
    }
}

/// Whether the name is an extended resource of a vendor, which cannot be divided.
fn is_extended(name: &str) -> bool {
    name.contains('/')
        && !name.contains("kubernetes.io/")
        && !name.starts_with("requests.")
        && check_qualified_name(&format!("requests.{name}")).is_ok()
}

/// Whether quantities of a resource must be whole numbers.
fn is_counted(name: &str) -> bool {
    COUNTED_NAMES.contains(&name) || is_extended(name)
}
