//! Requests and limits: their names, their amounts, and how the two go together.

use super::judge::Judge;
use super::pages::resources::{
    HUGE_PAGES_INVALID, REQUEST_ABOVE_LIMIT, REQUEST_NOT_LIMIT, RESOURCE_AMOUNT_INVALID,
    RESOURCE_CLAIM_INVALID, RESOURCE_NAME_INVALID,
};
use crate::diag::{Diagnostic, did_you_mean};
use crate::kube::Container;
use crate::scalar::{Quantity, check_dns_label, check_qualified_name, near_dns_label};
use crate::tree::{Entry, Node, Number, Path, Value};
use crate::validate::rules::judging::{Absence, Judging, items, shown, start};

const HUGE_PAGES: &str = "hugepages-";
/// A thousandth, to which the server rounds amounts up, in billionths.
const THOUSANDTH: i128 = 1_000_000;
const ONE: i128 = 1_000_000_000;

/// Whose requests and limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Container,
    Pod,
}

pub(super) fn check(judge: &mut Judge<'_, '_>, container: &Container<'_>, path: &Path<'_>) {
    let Some(resources) = container.node.get("resources") else { return };
    let path = path.field("resources");
    check_requirements(judge, resources, Level::Container, &path);
    let claims = items(resources, "claims");
    if !claims.is_empty() && judge.minor >= super::CLAIMS_MINOR {
        check_claims(judge, claims, &path.field("claims"));
    }
}

/// Requests and limits of a container or of a Pod.
pub(super) fn check_requirements(
    judge: &mut Judge<'_, '_>,
    resources: &Node,
    level: Level,
    path: &Path<'_>,
) {
    let list = |name: &str| resources.get(name).map_or(&[][..], Node::entries);
    let (limits, requests) = (list("limits"), list("requests"));
    for (name, entries) in [("limits", limits), ("requests", requests)] {
        let path = path.field(name);
        for entry in entries {
            check_entry(judge, entry, level, &path.key(&entry.key));
        }
    }
    let path_of_requests = path.field("requests");
    for request in requests {
        let limit = resources.at(&["limits", &request.key]);
        check_pair(judge, request, limit, &path_of_requests.key(&request.key));
    }
    let mut all = limits.iter().chain(requests);
    if let Some(pages) = all.clone().find(|it| it.key.starts_with(HUGE_PAGES))
        && !all.any(|it| matches!(it.key.as_str(), "cpu" | "memory"))
    {
        let finding = Diagnostic::new(
            &HUGE_PAGES_INVALID,
            pages.key_origin.span(),
            "huge pages stand without CPU or memory",
        )
        .at("not alone")
        .help("add a request or a limit of `cpu` or `memory`");
        judge.report(finding, path);
    }
}

/// One name and its amount. `overhead` of a Pod is judged as limits are.
pub(super) fn check_entry(judge: &mut Judge<'_, '_>, entry: &Entry, level: Level, path: &Path<'_>) {
    check_name(judge, entry, level, path);
    let Some(amount) = amount(&entry.value) else { return };
    let name = entry.key.as_str();
    let mut refuse = |message: String, help: &str| {
        let finding = Diagnostic::new(&RESOURCE_AMOUNT_INVALID, entry.value.span(), message)
            .at("no amount of it")
            .help(help);
        judge.report(finding, path);
    };
    if amount < 0 {
        refuse(format!("`{name}` is negative"), "write 0 or more");
        return;
    }
    if is_counted(name) && amount % 1000 != 0 {
        refuse(format!("`{name}` is no whole number"), "write a whole number: it cannot be shared");
    }
    let Some(size) = name.strip_prefix(HUGE_PAGES) else { return };
    if !is_whole_pages(amount, size) {
        let message = format!("the amount of `{}` is no multiple of a page", shown(name));
        let finding = Diagnostic::new(&HUGE_PAGES_INVALID, entry.value.span(), message)
            .at("not a number of whole pages")
            .help("write a multiple of the size that the name says: `hugepages-2Mi: 4Mi`");
        judge.report(finding, path);
    }
}

/// Whether an amount, in thousandths, is made of pages of the size that the name says.
fn is_whole_pages(amount: i128, size: &str) -> bool {
    let page = Quantity::parse(size).map_or(0, Quantity::billionths);
    let whole = (page / ONE).unsigned_abs();
    page > 0 && page % ONE == 0 && amount.unsigned_abs().div_ceil(1000).is_multiple_of(whole)
}

fn check_name(judge: &mut Judge<'_, '_>, entry: &Entry, level: Level, path: &Path<'_>) {
    let name = entry.key.as_str();
    let is_own = matches!(name, "cpu" | "memory") || name.starts_with(HUGE_PAGES);
    let is_storage = level == Level::Container && name == "ephemeral-storage";
    let (fault, help) = match check_qualified_name(name) {
        Err(fault) => (format!("the resource name `{}` {fault}", shown(name)), None),
        Ok(()) if is_own || is_storage => return,
        Ok(()) if level == Level::Pod => {
            let help = "write `cpu`, `memory` or `hugepages-<size>`; others belong to a container";
            (format!("`{}` is no resource of a whole Pod", shown(name)), Some(help.to_owned()))
        }
        Ok(()) if name.contains("kubernetes.io/") => return,
        Ok(()) if name.contains('/') => {
            if is_extended(name) {
                return;
            }
            let help = "leave `requests.` out, and shorten what stands before the `/`".to_owned();
            (format!("`{}` is a name for quotas", shown(name)), Some(help))
        }
        Ok(()) => {
            let near = did_you_mean(name, ["cpu", "memory", "ephemeral-storage"]);
            let vendor =
                (name == "gpu").then(|| "write the vendor's name: `nvidia.com/gpu`".to_owned());
            let help = vendor.or(near).unwrap_or_else(|| {
                "write `cpu`, `memory`, `ephemeral-storage`, `hugepages-<size>`, or a vendor's name with a `/`".to_owned()
            });
            (format!("`{}` is no resource of a container", shown(name)), Some(help))
        }
    };
    let finding = Diagnostic::new(&RESOURCE_NAME_INVALID, entry.key_origin.span(), fault)
        .at("not a resource")
        .help_if(help);
    judge.report(finding, path);
}

fn check_pair(judge: &mut Judge<'_, '_>, request: &Entry, limit: Option<&Node>, path: &Path<'_>) {
    let name = request.key.as_str();
    let Some(asked) = amount(&request.value) else { return };
    let may_differ =
        !name.starts_with(HUGE_PAGES) && (!name.contains('/') || name.contains("kubernetes.io/"));
    let Some(limit) = limit else {
        if !may_differ {
            let finding = Diagnostic::new(
                &REQUEST_NOT_LIMIT,
                request.key_origin.span(),
                format!("`{name}` is requested without a limit"),
            )
            .at("needs the same limit")
            .help(format!("add `{name}` to `limits`, with the same amount"));
            judge.report(finding, path);
        }
        return;
    };
    let Some(allowed) = amount(limit) else { return };
    let (rule, message, help) = if !may_differ && asked != allowed {
        let message = format!("the request of `{name}` differs from its limit");
        (&REQUEST_NOT_LIMIT, message, "write the same amount for both")
    } else if asked > allowed {
        let message = format!("the request of `{name}` is above its limit");
        (&REQUEST_ABOVE_LIMIT, message, "lower the request, or raise the limit")
    } else {
        return;
    };
    let finding = Diagnostic::new(rule, request.value.span(), message)
        .at("the request")
        .label(limit.span(), "the limit")
        .help(help);
    judge.report(finding, path);
}

/// An amount in thousandths, rounded away from zero as the server rounds it.
pub(super) fn amount(node: &Node) -> Option<i128> {
    let billionths = match &node.value {
        Value::String(text) => Quantity::parse(text).ok()?.billionths(),
        Value::Number(Number::Int(whole)) => return Some(i128::from(*whole) * 1000),
        Value::Number(Number::UInt(whole)) => return Some(i128::from(*whole) * 1000),
        Value::Number(Number::Float(value)) => {
            Quantity::parse(&value.to_string()).ok()?.billionths()
        }
        _ => return None,
    };
    let away = if billionths < 0 { 1 - THOUSANDTH } else { THOUSANDTH - 1 };
    Some(billionths.saturating_add(away) / THOUSANDTH)
}

/// Resources of vendors, of which there are whole ones only.
fn is_extended(name: &str) -> bool {
    name.contains('/')
        && !name.contains("kubernetes.io/")
        && !name.starts_with("requests.")
        && check_qualified_name(&format!("requests.{name}")).is_ok()
}

fn is_counted(name: &str) -> bool {
    matches!(
        name,
        "pods"
            | "services"
            | "replicationcontrollers"
            | "resourcequotas"
            | "secrets"
            | "configmaps"
            | "persistentvolumeclaims"
            | "services.nodeports"
            | "services.loadbalancers"
    ) || (name.contains('/') && is_extended(name))
}

/// The devices that a container uses, of those that its Pod claims.
fn check_claims(judge: &mut Judge<'_, '_>, claims: &[Node], path: &Path<'_>) {
    let spec = judge.pod.spec;
    let known = || items(spec, "resourceClaims").iter().filter_map(|it| it.str_at(&["name"]));
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for (index, claim) in claims.iter().enumerate() {
        let path = path.index(index);
        let Some(name) = judge.needed(claim, "name", Absence::BySchema, &path) else { continue };
        let request = claim.str_at(&["request"]).unwrap_or_default();
        let overlaps = |it: &(&str, &str)| {
            it.0 == name && (it.1.is_empty() || request.is_empty() || it.1 == request)
        };
        // Each container has a handful; a claim can be listed once per request of it.
        let message = if seen.iter().take(256).any(overlaps) {
            Some(format!("the claim `{}` is listed twice", shown(name)))
        } else if !known().any(|it| it == name) {
            Some(format!("the Pod has no resource claim `{}`", shown(name)))
        } else {
            None
        };
        if let Some(message) = message {
            let at = claim.get("name").map_or_else(|| start(claim), Node::span);
            let near = did_you_mean(name, known().take(50));
            let finding = Diagnostic::new(&RESOURCE_CLAIM_INVALID, at, message)
                .at("cannot be used")
                .help(near.unwrap_or_else(|| {
                    "name each entry of the Pod's `resourceClaims` once".to_owned()
                }));
            judge.report(finding, &path);
        }
        if let Some(node) = claim.get("request").filter(|_| !request.is_empty()) {
            let rule = (&RESOURCE_CLAIM_INVALID, "name of a request");
            judge.form(node, rule, check_dns_label, near_dns_label, &path.field("request"));
        }
        seen.push((name, request));
    }
}
