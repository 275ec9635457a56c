//! The admission policies of the input: `MutatingAdmissionPolicy` and `ValidatingAdmissionPolicy`
//! with their bindings and parameters, applied to the creation of every other object.
//!
//! Follows k8s.io/apiserver, `pkg/admission/plugin/policy`. What only a cluster knows, such as the
//! user of the request, is never guessed: the policy is reported as not decided.

mod admitted;
mod binding;
mod checked;
mod decision;
mod matching;
mod mutation;
mod parameters;
mod pods;
mod policy;
mod report;
mod request;

use std::borrow::Cow;

use super::objects::ObjectContext;
use super::{duplicates, objects, rules};
use crate::diag::{Diagnostic, Message, Severity, Sink, declare_rules};
use crate::kube::{Object, ObjectSet, meeting_namespace};
use crate::limits::Fuel;
use crate::parallel::ordered_map_of;
use crate::schema::UNKNOWN_FIELD;
use crate::sorted::{CompactSort as _, SortedMap, SortedSet};
use crate::source::{FileRole, Span};
use crate::tree::Node;
use admitted::Cluster;
pub(in crate::validate) use admitted::{TOLERATED, tolerates};
pub use admitted::{comparable_form, type_of_object};
use binding::{Binding, Bindings};
use checked::Checked;
use decision::{Outcome, Undecided};
use matching::{GroupVersion, Matched, Resource};
use pods::Judged;
use policy::Policy;
use request::{Labels, Request};

declare_rules! {
    POLICY_DENIED = "policy-denied", Error;
    POLICY_NOT_BOUND = "policy-not-bound", Note;
    POLICY_NOT_DECIDED = "policy-not-decided", Note;
    POLICY_PARAMETER_NOT_FOUND = "policy-parameter-not-found", Warning;
    POLICY_WARNING = "policy-warning", Warning;
}

/// The API group of policies.
const GROUP: &str = "admissionregistration.k8s.io";

/// The policies of a run that have bindings.
pub(super) struct Policies<'s, 'o> {
    cx: ObjectContext<'s>,
    all: Vec<Policy<'s>>,
    cluster: Cluster<'o>,
    /// The Namespaces of the input, by name, as the API server stores them.
    namespaces: SortedMap<&'o str, Namespace>,
    /// The spans of earlier errors. The API server rejects those objects before policies see them.
    errors: SortedSet<Span>,
    checked: Checked,
}

/// A policy whose decision about an object is unknown.
pub(super) struct NotDecided {
    /// The span of the expression, the selector or the policy.
    at: Span,
    /// The policy, as written in messages.
    policy: Message,
    /// What the decision depends on.
    what: String,
    /// The object, as written in messages.
    object: String,
}

impl<'s, 'o: 's> Policies<'s, 'o> {
    /// Reads the policies among the objects; `None` if there are none.
    pub(super) fn new(cx: ObjectContext<'s>, set: &ObjectSet<'o>, sink: &mut Sink) -> Option<Self> {
        let kinds = || binding::KINDS.iter();
        let is_policy = |object: &&Object| kinds().any(|(kind, _)| object.gvk.is(GROUP, kind));
        let mut all: Vec<_> = set.all().iter().filter(is_policy).collect();
        // The API server applies mutating policies in no particular order.
        all.compact_sort_by_key(|policy| policy.name.as_str());
        if all.is_empty() {
            return None;
        }
        let all_bindings = kinds().flat_map(|(_, kind)| set.of_kind(GROUP, kind));
        let checked = Checked::of(cx, all.iter().copied().chain(all_bindings).collect(), sink);
        let found = sink.iter().filter(|finding| is_of_server(finding));
        let errors: SortedSet<_> = found.map(|finding| finding.primary.span).collect();
        let cluster = admitted::cluster(set);
        let mut policies =
            Self { cx, all: Vec::new(), cluster, namespaces: SortedMap::new(), errors, checked };
        let namespaces = set.of_kind("", "Namespace");
        policies.namespaces = namespaces
            .filter_map(|namespace| {
                let resource = Resource::of(cx, namespace)?;
                Some((
                    namespace.name.as_str(),
                    Namespace::of(policies.stored(cx, namespace, &resource)),
                ))
            })
            .collect();
        let bindings_in_input = Bindings::of(set);
        let mut parameters_in_input = parameters::Known::default();
        let mut names = SortedSet::new();
        let mut bound = Vec::new();
        for object in all {
            if policies.is_rejected(object)
                || !names.insert((object.gvk.kind.as_str(), object.name.as_str()))
            {
                continue;
            }
            let of_policy = bindings_in_input.of_policy(object).iter().copied();
            let accepted: Vec<_> =
                of_policy.filter(|binding| !policies.is_rejected(binding)).collect();
            if accepted.is_empty() {
                sink.report(report::not_bound(object, set));
                continue;
            }
            let parameters = parameters::of_policy(cx, set, object, &mut parameters_in_input);
            bound.push(((object, parameters), accepted));
        }
        let (read, bindings): (Vec<_>, Vec<_>) = bound.into_iter().unzip();
        let read = ordered_map_of(cx.texts.bytes(), read, |(object, parameters)| {
            Policy::read(object, parameters)
        });
        for (policy, bindings) in read.into_iter().zip(bindings) {
            let of_policy =
                bindings.into_iter().map(|binding| Binding::read(binding, &policy, sink)).collect();
            policies.all.push(policy.bound_by(of_policy));
        }
        Some(policies)
    }

    /// An object of the input as validating policies see it, without mutating policies.
    fn stored(&self, cx: ObjectContext<'_>, object: &Object, resource: &Resource<'_>) -> Node {
        let mut root = admitted::decoded(cx, object, object.root.clone());
        admitted::admit(cx, object, &mut root, &self.cluster);
        admitted::stored(cx, object, root, resource)
    }

    /// Changes a new object as the built-in plugins do, which copy parts of other objects.
    fn admit(&self, cx: ObjectContext<'_>, object: &Object, root: &mut Node) -> Option<()> {
        let added = self.cluster.added(object, root);
        cx.fuel.make(added).then(|| admitted::admit(cx, object, root, &self.cluster))
    }

    /// Whether the API server rejects a policy or a binding.
    fn is_rejected(&self, object: &Object) -> bool {
        self.has_error(object) || self.checked.has_error(object)
    }

    /// The findings of the rules for an object, if it is a policy or a binding.
    pub(super) fn findings_of_rules(&self, object: &Object) -> Option<&[Diagnostic]> {
        self.checked.findings(object)
    }

    /// Whether an earlier error is about an object.
    fn has_error(&self, object: &Object) -> bool {
        let within = object.document.start_point()..=object.document.end_point();
        self.errors.range(within).next().is_some()
    }

    /// Judges the creation of an object of the input that has no other error, and of the Pods that
    /// controllers create for it. Returns the policies that are not decided.
    pub(super) fn check(
        &self,
        fuel: &Fuel<'_>,
        object: &Object,
        sink: &mut Sink,
    ) -> Vec<NotDecided> {
        let role = self.cx.texts.role_at(object.document);
        if !matches!(role, FileRole::Named | FileRole::Found)
            || sink.iter().any(is_of_server)
            || self.has_error(object)
        {
            return Vec::new();
        }
        let mut undecided = Vec::new();
        let cx = ObjectContext { fuel, ..self.cx };
        self.judge_all(cx, object, sink, &mut undecided);
        undecided
    }

    /// Judges an object and what controllers create for it, until one is rejected. Controllers read
    /// each object as the API server stores it.
    fn judge_all(
        &self,
        cx: ObjectContext<'_>,
        object: &Object,
        sink: &mut Sink,
        undecided: &mut Vec<NotDecided>,
    ) -> Option<()> {
        let stored = self.judge(cx, Judged::Object(object), sink, undecided)?;
        let maker = stored.of(object);
        let intermediate = pods::intermediate(&maker);
        let between = match &intermediate {
            Some(made) => {
                let judged = Judged::Made { object: made, maker: object };
                Some(self.judge(cx, judged, sink, undecided)?.of(made))
            }
            None => None,
        };
        let pod = pods::pod(&maker, between.as_deref())?;
        self.judge(cx, Judged::Made { object: &pod, maker: object }, sink, undecided)?;
        Some(())
    }

    /// Judges the creation of one object; `None` if the API server rejects it or this is unknown.
    fn judge(
        &self,
        cx: ObjectContext<'_>,
        judged: Judged<'_>,
        sink: &mut Sink,
        undecided: &mut Vec<NotDecided>,
    ) -> Option<Stored> {
        let object = judged.object();
        let Some(resource) = Resource::of(cx, object) else { return Some(Stored(None)) };
        // Most kinds have no policy, and the stored form of an object is costly.
        let relevant = self.all.iter().filter(|policy| matching::may_match(policy.spec, &resource));
        let steps = relevant.map(|it| it.steps).fold(0, usize::saturating_add);
        if !cx.fuel.spend(steps.saturating_add(self.all.len())) {
            return None;
        }
        if steps == 0 {
            return Some(Stored(None));
        }
        let namespace = resource.is_namespaced.then(|| meeting_namespace(&object.namespace));
        let known = self.namespaces.get(namespace.unwrap_or_default());
        let scope = (namespace, known);
        let mut report = Report { judged, sink, undecided, is_denied: false };
        let decoded = admitted::decoded(cx, object, object.root.clone());
        let mutated = self.mutated(cx, decoded, &resource, scope, &mut report)?;
        let root = admitted::stored(cx, object, mutated, &resource);
        let request = Request::new(object, &root, resource, scope);
        for policy in self.all.iter().filter(|it| !it.is_mutating()) {
            let (version, bindings) = matching_bindings(policy, &request, &mut report);
            if bindings.is_empty() {
                continue;
            }
            let converted =
                version.map(|version| (version, admitted::in_version(cx, &root, version)));
            let of_version =
                converted.as_ref().map(|(version, root)| request.in_version(root, *version));
            let seen = of_version.as_ref().unwrap_or(&request);
            for binding in bindings {
                let outcome = decision::decide(policy, binding, seen, cx.fuel);
                if cx.fuel.is_out() {
                    return None;
                }
                report.outcome(policy, binding, outcome);
            }
        }
        (!report.is_denied).then_some(Stored(Some(root)))
    }

    /// The object after the built-in plugins and the mutating policies; `None` if one of them
    /// rejects it or is not decided, or if the result is invalid. After a change, the plugins run
    /// again, and so do the policies with `reinvocationPolicy: IfNeeded`.
    fn mutated<'r>(
        &self,
        cx: ObjectContext<'_>,
        mut root: Node,
        resource: &Resource<'r>,
        scope: Scope<'r>,
        report: &mut Report<'_, 'r>,
    ) -> Option<Node> {
        let object = report.judged.object();
        self.admit(cx, object, &mut root)?;
        let mutating = || self.all.iter().filter(|it| it.is_mutating());
        if !mutating().any(|policy| matching::may_match(policy.spec, resource)) {
            return Some(root);
        }
        // Each change copies the object, and can make it larger.
        let relevant = mutating().filter(|policy| matching::may_match(policy.spec, resource));
        let count = relevant.map(|policy| policy.bindings.len()).sum::<usize>();
        let copied = count.saturating_mul(root.count().saturating_add(count)).saturating_mul(2);
        if !cx.fuel.spend(copied) {
            return None;
        }
        let original = root.clone();
        let mut is_sound = true;
        let mut changes = Vec::new();
        for is_again in [false, true] {
            if is_again {
                if changes.is_empty() {
                    break;
                }
                self.admit(cx, object, &mut root)?;
            }
            let before = root.clone();
            let mut seen = None;
            let first = Request::new(object, &before, resource.clone(), scope);
            for policy in mutating().filter(|policy| !is_again || policy.is_reinvoked) {
                let (version, bindings) = matching_bindings(policy, &first, report);
                // Of changes in different versions, the API server only keeps the last ones.
                if !bindings.is_empty() && *seen.get_or_insert(version) != version {
                    let what = "changes of other policies to another version of the object";
                    report.note(policy, Undecided { at: policy.spec.span(), what: what.into() });
                    is_sound = false;
                    continue;
                }
                for binding in bindings {
                    let mut outcome = Outcome::default();
                    let converted =
                        version.map(|version| (version, admitted::in_version(cx, &root, version)));
                    let request = match &converted {
                        Some((version, root)) => first.in_version(root, *version),
                        None => first.with_root(&root),
                    };
                    let patched = mutation::mutate(cx, policy, binding, &request, &mut outcome);
                    if cx.fuel.is_out() {
                        return None;
                    }
                    is_sound &= outcome.decisions.is_empty() && outcome.undecided.is_empty();
                    report.outcome(policy, binding, outcome);
                    if let Some(patched) = patched {
                        root = patched;
                        changes.push((policy, binding));
                    }
                }
            }
        }
        let is_valid = is_sound && self.is_valid(cx, &original, &root, &changes, report);
        is_valid.then_some(root)
    }

    /// Validates an object that policies changed, as the API server does, and reports whether it is
    /// still valid.
    fn is_valid(
        &self,
        cx: ObjectContext<'_>,
        original: &Node,
        root: &Node,
        changes: &[Change<'_>],
        report: &mut Report<'_, '_>,
    ) -> bool {
        let Some(last) = changes.last() else { return true };
        let object = report.judged.object();
        let error_of = |root: &Node| {
            let whole = Object { root: root.clone(), ..object.clone() };
            let mut sink = Sink::new();
            objects::check_one(cx, &whole, &mut sink);
            rules::check(&whole, self.cx.target, &mut sink);
            // Custom resources keep fields that a policy adds, whatever their schema says.
            let is_kept = |finding: &Diagnostic| {
                finding.rule.name == UNKNOWN_FIELD.name
                    && self.cx.custom.find(&object.gvk.group, &object.gvk.kind).is_some()
            };
            sink.into_sorted()
                .into_iter()
                .find(|finding| is_of_server(finding) && !is_kept(finding))
        };
        let Some(error) = error_of(root) else { return true };
        // The cause of a fault that the stored form has without the change is unknown.
        if error_of(original).is_some() {
            return true;
        }
        // Values of a patch have the span of its expression.
        let at = error.primary.span;
        let is_culprit = |(policy, _): &&Change<'_>| policy.object.document.contains(at);
        let (policy, binding) = changes.iter().find(is_culprit).unwrap_or(last);
        report::invalid(policy, binding, report.judged, error, report.sink);
        false
    }
}

/// Reports the policies that are not decided.
pub(super) fn finish(undecided: Vec<NotDecided>, sink: &mut Sink) {
    report::undecided(undecided, sink);
}

/// The stored form of an object, if a policy required it.
struct Stored(Option<Node>);

impl Stored {
    fn of(self, object: &Object) -> Cow<'_, Object> {
        match self.0 {
            Some(root) => Cow::Owned(Object { root, ..object.clone() }),
            None => Cow::Borrowed(object),
        }
    }
}

/// A policy that changed the object, with its binding.
type Change<'p> = (&'p Policy<'p>, &'p Binding<'p>);

/// The bindings of a policy that match a request, and the version in which the policy sees the
/// object if it is not that of the request.
fn matching_bindings<'p, 'o, 'r>(
    policy: &'p Policy<'o>,
    request: &Request<'r>,
    report: &mut Report<'_, '_>,
) -> (Option<GroupVersion<'r>>, Vec<&'p Binding<'o>>) {
    let mut matches = |constraints| match matching::matches(constraints, request) {
        Matched::No => None,
        Matched::Perhaps(reason) => {
            report.note(policy, reason);
            None
        }
        Matched::Yes => Some(None),
        Matched::As(version) => Some(Some(version)),
    };
    let constraints = policy.spec.get("matchConstraints");
    let Some(version) = matches(constraints) else { return (None, Vec::new()) };
    let bindings: Vec<_> = policy
        .bindings
        .iter()
        .filter(|binding| matches(binding.spec.get("matchResources")).is_some())
        .collect();
    if version.is_some() && request.resource.is_converted_by_webhook && !bindings.is_empty() {
        let at = constraints.unwrap_or(policy.spec).span();
        let what = "the object in another version of its API, which a webhook converts".to_owned();
        report.note(policy, Undecided { at, what });
        return (None, Vec::new());
    }
    (version, bindings)
}

/// The namespace of a request and its object, if the input has it.
type Scope<'o> = (Option<&'o str>, Option<&'o Namespace>);

/// A Namespace of the input, as the API server stores it.
struct Namespace {
    root: Node,
    labels: Labels,
}

impl Namespace {
    fn of(root: Node) -> Self {
        Self { labels: request::labels(&root), root }
    }
}

/// The findings about one object.
struct Report<'r, 'o> {
    judged: Judged<'o>,
    sink: &'r mut Sink,
    undecided: &'r mut Vec<NotDecided>,
    /// Whether a policy rejects the object.
    is_denied: bool,
}

impl Report<'_, '_> {
    fn note(&mut self, policy: &Policy<'_>, Undecided { at, what }: Undecided) {
        let (policy, object) = (policy.describe(), self.judged.describe());
        self.undecided.push(NotDecided { at, policy, what, object });
    }

    fn outcome(&mut self, policy: &Policy<'_>, binding: &Binding<'_>, outcome: Outcome) {
        for decision in &outcome.decisions {
            self.is_denied |= report::decision(policy, binding, self.judged, decision, self.sink);
        }
        for reason in outcome.undecided {
            self.note(policy, reason);
        }
    }
}

/// Whether the API server rejects the creation of an object with such a finding. One that repeats a
/// name is only rejected after admission.
fn is_of_server(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
        && !finding.is_policy
        && finding.rule.name != duplicates::OBJECT_DUPLICATE.name
}
