//! The bounds and defaults of the `LimitRange` objects of a namespace (Kubernetes'
//! `plugin/pkg/admission/limitranger`).

use std::cell::LazyCell;

use super::Request;
use super::resources::{self, Amounts, Resources, amounts, shown};
use crate::diag::{Diagnostic, Severity, Sink, brief, declare_rules, message};
use crate::kube::Object;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::Node;
use crate::validate::fields::entries;
use crate::validate::rules::amount;

declare_rules! {
    LIMIT_RANGE_VIOLATED = "limit-range-violated", Error;
}

/// A LimitRange with the defaults that the API server computes for it.
pub(super) struct Range<'o> {
    object: &'o Object,
    pub(super) default_limits: Amounts<'o>,
    pub(super) default_requests: Amounts<'o>,
}

impl<'o> Range<'o> {
    pub(super) fn read(object: &'o Object) -> Self {
        let Defaults { requests, limits } = Defaults::of(object, amount);
        Self { object, default_limits: limits, default_requests: requests }
    }

    /// The defaults of `limits` or `requests`.
    fn defaults(&self, field: &str) -> &Amounts<'o> {
        if field == "limits" { &self.default_limits } else { &self.default_requests }
    }

    /// Its limits of a type.
    fn limits(&self, kind: &'static str) -> impl Iterator<Item = &'o Node> + use<'o> {
        limits_of(self.object, kind)
    }
}

/// The `LimitRange` objects of a namespace, with the defaults that a container gets from all of
/// them.
#[derive(Default)]
pub(super) struct Ranges<'o> {
    pub(super) all: Vec<Range<'o>>,
    pub(super) default_limits: SortedMap<&'o str, DefaultAmount>,
    pub(super) default_requests: SortedMap<&'o str, DefaultAmount>,
    /// The positions of the first LimitRange with a default limit, by resource.
    first_limits: SortedMap<&'o str, usize>,
}

/// The default of a resource. The order in which several `LimitRange` objects apply is undefined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct DefaultAmount {
    /// The quantity of the first LimitRange whose defaults no other one contradicts.
    pub(super) amount: Option<i128>,
    /// Whether a LimitRange before it has a default that another one contradicts.
    pub(super) is_unknown: bool,
}

impl<'o> Ranges<'o> {
    pub(super) fn new(all: Vec<Range<'o>>) -> Self {
        let limits = contradicted_resources(all.iter().map(|it| &it.default_limits));
        let requests = contradicted_resources(all.iter().map(|it| &it.default_requests));
        // A LimitRange contradicts another one if its limit or its request differs.
        let differs = |range: &Range<'o>, name: &str| {
            range.default_limits.contains_key(name) && limits.contains(name)
                || range.default_requests.contains_key(name) && requests.contains(name)
        };
        let merged = |field: &str| {
            let mut merged: SortedMap<&'o str, DefaultAmount> = SortedMap::new();
            for range in &all {
                for (name, amount) in range.defaults(field) {
                    let found = merged.entry(*name).or_default();
                    if found.amount.is_some() {
                        continue;
                    }
                    if differs(range, name) {
                        found.is_unknown = true;
                    } else {
                        found.amount = Some(*amount);
                    }
                }
            }
            merged
        };
        let default_limits = merged("limits");
        let default_requests = merged("requests");
        let mut first_limits = SortedMap::new();
        for (at, range) in all.iter().enumerate() {
            for name in range.default_limits.keys() {
                first_limits.entry(*name).or_insert(at);
            }
        }
        Self { all, default_limits, default_requests, first_limits }
    }
}

/// The resources that have different quantities.
fn contradicted_resources<'r, 'o: 'r>(
    all: impl Iterator<Item = &'r Amounts<'o>>,
) -> SortedSet<&'o str> {
    let mut first = Amounts::new();
    let mut different = SortedSet::new();
    for (name, amount) in all.flatten() {
        if *first.entry(*name).or_insert(*amount) != *amount {
            different.insert(*name);
        }
    }
    different
}

fn limits_of<'o>(
    range: &'o Object,
    kind: &'static str,
) -> impl Iterator<Item = &'o Node> + use<'o> {
    let limits = range.root.items_at(&["spec", "limits"]);
    limits.iter().filter(move |limit| limit.str_at(&["type"]) == Some(kind))
}

/// The amounts that containers without their own get, by resource.
pub(in crate::validate) struct Defaults<'o, A> {
    pub(in crate::validate) requests: SortedMap<&'o str, A>,
    pub(in crate::validate) limits: SortedMap<&'o str, A>,
}

impl<'o, A: Clone> Defaults<'o, A> {
    /// The defaults of a LimitRange, as the API server completes it: a limit defaults to the
    /// maximum, a request to the limit, then to the minimum. `read` reads an amount.
    pub(in crate::validate) fn of(range: &'o Object, read: fn(&Node) -> Option<A>) -> Self {
        let mut all = Self { requests: SortedMap::new(), limits: SortedMap::new() };
        for limit in limits_of(range, "Container") {
            let of = |field: &str| -> SortedMap<_, _> {
                let entries = entries(limit, field).iter();
                entries
                    .filter_map(|entry| Some((entry.key.as_str(), read(&entry.value)?)))
                    .collect()
            };
            let (mut limits, mut requests) = (of("default"), of("defaultRequest"));
            for (name, most) in of("max") {
                limits.entry(name).or_insert(most);
            }
            for (name, least) in limits.clone().into_iter().chain(of("min")) {
                requests.entry(name).or_insert(least);
            }
            all.limits.extend(limits);
            all.requests.extend(requests);
        }
        all
    }
}

/// The requests and limits that a range bounds, and their owner.
struct Subject<'s, 'n> {
    requests: &'s Amounts<'n>,
    /// `None` if only requests are bounded.
    limits: Option<&'s Amounts<'n>>,
    /// Starts a message: "container `main`".
    name: String,
}

/// A violated bound.
struct Violation<'n> {
    /// The predicate of the subject: "has no `cpu` limit".
    fault: String,
    /// `requests` or `limits`.
    field: &'static str,
    resource: &'n str,
    /// The bound in the LimitRange.
    bound: Span,
}

pub(super) fn check_pod(
    request: &mut Request<'_, '_>,
    ranges: &Ranges<'_>,
    containers: &[Resources<'_>],
) {
    let invalid: Vec<_> =
        containers.iter().map(|container| check_defaults(request, ranges, container)).collect();
    let pod = request.pod;
    let totals = LazyCell::new(|| {
        ["requests", "limits"].map(|field| resources::total(&pod, containers, field))
    });
    for range in &ranges.all {
        for limit in range.limits("Container") {
            for (resources, invalid) in containers.iter().zip(&invalid) {
                let name = format!("container `{}`", resources.container.shown_name());
                let subject = Subject {
                    requests: &resources.requests,
                    limits: Some(&resources.limits),
                    name,
                };
                for violation in violations_of_limit(&subject, limit) {
                    // A request above its limit is reported once.
                    let is_reported =
                        violation.field == "requests" && invalid.contains(&violation.resource);
                    if !resources.unknown.contains(violation.resource) && !is_reported {
                        report_container(request, range, resources, &subject.name, &violation);
                    }
                }
            }
        }
        for limit in range.limits("Pod") {
            let [requests, limits] = &*totals;
            let name = "the Pod".to_owned();
            let subject = Subject { requests, limits: Some(limits), name };
            for violation in violations_of_limit(&subject, limit) {
                if containers
                    .iter()
                    .all(|container| !container.unknown.contains(violation.resource))
                {
                    report_pod(request, range, &subject.name, &violation);
                }
            }
        }
    }
}

/// Reports requests above a default limit: the Pod becomes invalid. Returns their resources.
fn check_defaults<'n>(
    request: &mut Request<'_, '_>,
    ranges: &Ranges<'_>,
    resources: &Resources<'n>,
) -> SortedSet<&'n str> {
    let mut invalid = SortedSet::new();
    for (name, wanted) in &resources.requests {
        let Some(limit) = resources.limits.get(name).filter(|limit| wanted > *limit) else {
            continue;
        };
        let is_own =
            resources.written("limits", name).is_some() || resources.unknown.contains(name);
        // A default that is known is the same in all of them.
        let range = ranges.first_limits.get(name).and_then(|at| ranges.all.get(*at));
        let (Some(range), false) = (range, is_own) else { continue };
        invalid.insert(*name);
        let violation = Violation {
            fault: format!(
                "requests {} of `{name}`, above its default limit {}",
                shown(*wanted),
                shown(*limit)
            ),
            field: "requests",
            resource: name,
            bound: range.object.name_span(),
        };
        report_container(
            request,
            range,
            resources,
            &format!("container `{}`", resources.container.shown_name()),
            &violation,
        );
    }
    invalid
}

fn violations_of_limit<'n>(subject: &Subject<'_, 'n>, limit: &'n Node) -> Vec<Violation<'n>> {
    let mut all = Vec::new();
    let bounds = |field: &str| {
        let entries = entries(limit, field).iter();
        entries.filter_map(|entry| {
            Some((entry.key.as_str(), amount(&entry.value)?, entry.value.span()))
        })
    };
    let mut add = |resource, bound, field, fault| {
        all.push(Violation { fault, field, resource, bound });
    };
    let absent = |name: &str, what: &str| format!("has no `{}` {what}", brief(name));
    let limits = |name: &str| subject.limits.and_then(|it| it.get(name)).copied();
    for (name, least, span) in bounds("min") {
        match subject.requests.get(name) {
            None => add(name, span, "requests", absent(name, "request")),
            Some(requested) if *requested < least => {
                add(name, span, "requests", below_bound("request", name, *requested, least));
            }
            Some(_) => {
                if let Some(limit) = limits(name).filter(|limit| *limit < least) {
                    add(name, span, "limits", below_bound("limit", name, limit, least));
                }
            }
        }
    }
    for (name, most, span) in bounds("max") {
        let requested = subject.requests.get(name).copied();
        match (limits(name), requested) {
            (None, _) if subject.limits.is_some() => {
                add(name, span, "limits", absent(name, "limit"));
            }
            (None, None) => add(name, span, "requests", absent(name, "request")),
            (Some(limit), _) if limit > most => {
                add(name, span, "limits", above_bound("limit", name, limit, most));
            }
            (_, Some(requested)) if requested > most => {
                add(name, span, "requests", above_bound("request", name, requested, most));
            }
            _ => {}
        }
    }
    for (name, ratio, span) in bounds("maxLimitRequestRatio") {
        let requested = subject.requests.get(name).copied().unwrap_or(0);
        let limit = limits(name).unwrap_or(0);
        if requested == 0 || limit == 0 {
            let field = if requested == 0 { "request" } else { "limit" };
            add(
                name,
                span,
                if requested == 0 { "requests" } else { "limits" },
                absent(name, field),
            );
        } else if limit.saturating_mul(1000) > ratio.saturating_mul(requested) {
            let fault = format!(
                "has a `{}` limit of {}, more than {} times its request {}",
                brief(name),
                shown(limit),
                shown(ratio),
                shown(requested)
            );
            add(name, span, "limits", fault);
        }
    }
    all
}

fn below_bound(what: &str, name: &str, value: i128, bound: i128) -> String {
    let (name, value, bound) = (brief(name), shown(value), shown(bound));
    format!("has a `{name}` {what} of {value}, below the minimum {bound}")
}

fn above_bound(what: &str, name: &str, value: i128, bound: i128) -> String {
    let (name, value, bound) = (brief(name), shown(value), shown(bound));
    format!("has a `{name}` {what} of {value}, above the maximum {bound}")
}

fn violation_finding(
    at: Span,
    subject: &str,
    range: &Range<'_>,
    violation: &Violation<'_>,
) -> Diagnostic {
    let fault = &violation.fault;
    let range = range.object.shown_name();
    Diagnostic::new(
        &LIMIT_RANGE_VIOLATED,
        at,
        message!("{subject} {fault}; LimitRange `{range}` rejects it"),
    )
    .at("outside the LimitRange")
    .label(violation.bound, "the LimitRange")
}

fn report_container(
    request: &mut Request<'_, '_>,
    range: &Range<'_>,
    resources: &Resources<'_>,
    subject: &str,
    violation: &Violation<'_>,
) {
    let (field, resource) = (violation.field, violation.resource);
    let written =
        resources.written(field, resource).or_else(|| resources.written("limits", resource));
    let resource = brief(resource);
    let at = written.unwrap_or_else(|| resources.place()).span();
    let finding = violation_finding(at, subject, range, violation)
        .help(message!("change `{resource}` under `resources.{field}`, or the LimitRange"));
    let path = format!("{}.resources.{field}[{resource}]", resources.container.path());
    request.report(finding, &path);
}

fn report_pod(
    request: &mut Request<'_, '_>,
    range: &Range<'_>,
    subject: &str,
    violation: &Violation<'_>,
) {
    let (field, resource) = (violation.field, brief(violation.resource));
    let spec = request.pod.spec;
    let at = spec.get("resources").map_or_else(
        || spec.entry("containers").map_or_else(|| spec.span(), |entry| entry.key_origin().span()),
        Node::span,
    );
    let finding = violation_finding(at, subject, range, violation)
        .note("the requests and limits of a Pod are the sums of those of its containers")
        .help(message!("change `{resource}` of the containers, or the LimitRange"));
    request.report(finding, &format!("resources.{field}[{resource}]"));
}

/// Checks the storage requests of a volume claim, or of the claims that a controller creates for an object.
pub(super) fn check_claims(object: &Object, ranges: &Ranges<'_>, sink: &mut Sink) {
    let own = object.gvk.is("", "PersistentVolumeClaim").then_some(&object.root);
    let limits = || {
        ranges.all.iter().flat_map(|range| {
            range.limits("PersistentVolumeClaim").map(move |limit| (range, limit))
        })
    };
    for claim in own.into_iter().chain(object.volume_claim_templates()) {
        let written = claim.at(&["spec", "resources", "requests"]);
        let requests = amounts(written);
        let own_name = claim.str_at(&["metadata", "name"]);
        let name = own_name.map_or_else(|| object.shown_name(), |name| brief(name).into());
        let name = format!("volume claim `{name}`");
        let subject = Subject { requests: &requests, limits: None, name };
        for (range, limit) in limits() {
            for violation in violations_of_limit(&subject, limit) {
                let node =
                    written.and_then(|it| it.get(violation.resource)).or_else(|| claim.get("spec"));
                let at = node.unwrap_or(claim).span();
                let mut finding = violation_finding(at, &subject.name, range, &violation)
                    .help(message!("change `{}`, or the LimitRange", brief(violation.resource)));
                if own.is_none() {
                    finding.severity = Severity::Warning;
                    let kind = &object.gvk.kind;
                    finding = finding.note(message!(
                        "the API server accepts the {kind} but rejects its volume claims"
                    ));
                }
                sink.report(finding);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_several_ranges_are_those_that_no_other_contradicts() {
        let amounts = |all: &[(&'static str, i128)]| all.iter().copied().collect::<Amounts<'_>>();
        let different = |all: &[Amounts<'static>]| contradicted_resources(all.iter());
        let one = amounts(&[("cpu", 1), ("memory", 1)]);
        let two = amounts(&[("cpu", 2), ("storage", 1)]);
        assert_eq!(different(&[one.clone(), two.clone()]), SortedSet::from(["cpu"]));
        assert_eq!(different(&[one.clone(), one.clone()]), SortedSet::new());
        assert_eq!(different(&[one, two, amounts(&[("storage", 3)])]).len(), 2);
    }
}
