//! The `ResourceQuota` objects of a namespace: the resources that Pods must declare, and the sum of what the
//! input uses (Kubernetes' `pkg/quota/v1/evaluator/core`).

mod usage;

use super::Request;
use super::resources::{Resources, shown};
use crate::diag::{Diagnostic, Message, declare_rules, message};
use crate::kube::Object;
use crate::sorted::{CompactSort as _, SortedMap, SortedSet};
use crate::tree::{Entry, Path};
use crate::validate::rules::amount;
use usage::Part;
pub(in crate::validate) use usage::Usage;
use usage::matches;
pub(super) use usage::usage;

declare_rules! {
    QUOTA_EXCEEDED = "quota-exceeded", Warning;
    QUOTA_RESOURCE_UNSET = "quota-resource-unset", Error;
}

/// The number of objects that a message about a sum lists.
const LISTED: usize = 3;

/// A ResourceQuota.
pub(super) struct Quota<'o> {
    object: &'o Object,
    /// The limited resources with their quantities, in thousandths.
    hard: Vec<(&'o Entry, i128)>,
    /// The names of the resources.
    names: SortedSet<&'o str>,
}

impl<'o> Quota<'o> {
    pub(super) fn read(object: &'o Object) -> Self {
        let written = object.root.entries_at(&["spec", "hard"]).iter();
        let hard: Vec<_> =
            written.filter_map(|entry| Some((entry, amount(&entry.value)?))).collect();
        Self { object, names: hard.iter().map(|(entry, _)| entry.key.as_str()).collect(), hard }
    }
}

/// The resources that each container must have if a quota limits them: the name in the quota, the
/// field, and the name in the field.
const REQUIRED: [(&str, &str, &str); 6] = [
    ("cpu", "requests", "cpu"),
    ("memory", "requests", "memory"),
    ("requests.cpu", "requests", "cpu"),
    ("requests.memory", "requests", "memory"),
    ("limits.cpu", "limits", "cpu"),
    ("limits.memory", "limits", "memory"),
];

/// Checks that the containers of a Pod have the requests and limits that the quotas count.
pub(super) fn check_required(
    request: &mut Request<'_, '_>,
    quotas: &[Quota<'_>],
    containers: &[Resources<'_>],
) {
    let whole = request.pod.spec.get("resources");
    if whole.is_some_and(|resources| {
        ["requests", "limits"].iter().any(|field| resources.get(field).is_some())
    }) {
        return;
    }
    for quota in quotas
        .iter()
        .filter(|quota| matches(quota.object, request.pod.spec, containers) == Some(true))
    {
        for (entry, _) in &quota.hard {
            let Some((_, field, name)) =
                REQUIRED.iter().find(|required| required.0 == entry.key.as_str())
            else {
                continue;
            };
            for container in containers {
                if !container.of(field).contains_key(name) && !container.unknown.contains(name) {
                    let finding = unset_finding(quota, entry, container, field, name);
                    let path = container.container.path();
                    request.report(finding, &format!("{path}.resources.{field}[{name}]"));
                }
            }
        }
    }
}

fn unset_finding(
    quota: &Quota<'_>,
    entry: &Entry,
    resources: &Resources<'_>,
    field: &str,
    name: &str,
) -> Diagnostic {
    let what = field.trim_end_matches('s');
    let message = message!(
        "container `{}` has no `{name}` {what}, which ResourceQuota `{}` requires",
        resources.container.shown_name(),
        quota.object.shown_name()
    );
    Diagnostic::new(&QUOTA_RESOURCE_UNSET, resources.place().span(), message)
        .at(message!("no `{name}` {what}"))
        .label(entry.key_origin().span(), "limited here")
        .help(message!(
            "set `resources.{field}.{name}`, or a default in a LimitRange of the namespace"
        ))
}

/// The use of a resource: the sum, and the objects that use most of it.
#[derive(Default)]
struct Sum<'u> {
    total: i128,
    users: Vec<User<'u>>,
}

/// An object that uses a resource.
struct User<'u> {
    object: &'u Object,
    usage: &'u Usage,
    part: &'u Part,
}

impl User<'_> {
    /// "64 of SandboxWarmPool `a` (32 × 2)".
    fn describe(&self) -> Message {
        let (total, title) = (shown(self.part.total()), self.object.title());
        if self.part.count == 1 {
            return message!("{total} of {title}");
        }
        message!("{total} of {title} ({} × {})", self.part.count, shown(self.part.each))
    }
}

/// The sums of a namespace, by the position of the quota and the name of the resource.
#[derive(Default)]
pub(super) struct Usages<'u> {
    sums: SortedMap<(usize, &'u str), Sum<'u>>,
}

impl<'u> Usages<'u> {
    pub(super) fn add(&mut self, object: &'u Object, usage: &'u Usage) {
        for part in &usage.parts {
            let sum = self.sums.entry((part.quota, &part.name)).or_default();
            sum.total = sum.total.saturating_add(part.total());
            sum.users.push(User { object, usage, part });
            // The largest come first; equal ones stay in order.
            sum.users.compact_sort_by_key(|user| std::cmp::Reverse(user.part.total()));
            sum.users.truncate(LISTED);
        }
    }

    pub(super) fn check(&self, quotas: &[Quota<'_>], sink: &mut crate::diag::Sink) {
        for (position, quota) in quotas.iter().enumerate() {
            for (entry, hard) in &quota.hard {
                let Some(sum) = self.sums.get(&(position, entry.key.as_str())) else { continue };
                let largest = sum.users.first().filter(|user| user.part.total() > *hard);
                match largest {
                    Some(user) => sink.report(exceeded_by_object(quota, entry, user)),
                    None if sum.total > *hard => sink.report(exceeded_by_sum(quota, entry, sum)),
                    None => {}
                }
            }
        }
    }
}

fn exceeded_by_sum(quota: &Quota<'_>, entry: &Entry, sum: &Sum<'_>) -> Diagnostic {
    let (name, total) = (&entry.key, shown(sum.total));
    let message = message!(
        "the objects of the input use {total} of `{name}`, more than ResourceQuota `{}` allows",
        quota.object.shown_name()
    );
    let root = Path::root();
    let mut finding = Diagnostic::new(&QUOTA_EXCEEDED, entry.value.span(), message)
        .at(message!("less than {total}"))
        .path(&root.field("spec").field("hard").key(name))
        .help("raise the quota, or reduce the replicas or their requests");
    let users = sum.users.iter().map(User::describe);
    finding = finding.note(message!("largest parts: {}", Message::joined(users, ", ")));
    finding.note(CONSEQUENCE)
}

/// What happens to the objects that do not fit.
const CONSEQUENCE: &str =
    "the API server rejects objects that are created after the quota is used up";

/// An object that alone needs more than a quota allows.
fn exceeded_by_object(quota: &Quota<'_>, entry: &Entry, user: &User<'_>) -> Diagnostic {
    let User { object, usage, part } = user;
    let (name, total) = (&entry.key, shown(part.total()));
    let message = message!(
        "{} uses {total} of `{name}`, more than ResourceQuota `{}` allows",
        object.title(),
        quota.object.shown_name()
    );
    let at = usage.written.unwrap_or_else(|| object.name_span());
    let finding = Diagnostic::new(&QUOTA_EXCEEDED, at, message)
        .label(entry.value.span(), "the limit")
        .help("raise the quota, or reduce the replicas or their requests");
    let finding = if part.count == 1 {
        finding.at(message!("needs {total}"))
    } else {
        finding.at(message!("needs {total}: {} × {}", part.count, shown(part.each)))
    };
    finding.note(CONSEQUENCE)
}
