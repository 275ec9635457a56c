//! The decisions of admission plugins about the Pods of an object that depend on other objects of
//! the input: their PriorityClass and RuntimeClass, and the `LimitRange` objects and `ResourceQuota` objects of their
//! namespace.
//!
//! The API server only admits Pods, so a finding about the Pods of a controller is a warning.

mod autoscaler;
mod limit_range;
mod priority;
mod quota;
mod resources;
mod runtime_class;

use crate::diag::{Diagnostic, Rule, Severity, Sink, message};
use crate::kube::{Object, ObjectSet, PodSpec, default_priority_class, meeting_namespace};
use crate::limits::Fuel;
use crate::schema::KubernetesVersion;
use crate::sorted::SortedMap;
pub(super) use limit_range::Defaults;
use limit_range::{Range, Ranges};
pub(super) use quota::Usage;
use quota::{Quota, Usages};
use runtime_class::Classes;

/// The maximum number of classes with one name that a Pod is compared with. More of them are reported
/// as duplicates.
const MAX_ALTERNATIVES: usize = 100;

/// The steps of a comparison of a container with a value.
const OF_COMPARISON: usize = 8;
/// The comparisons that a default counts as, which each container gets.
const OF_DEFAULT: usize = 16;

/// The rules of this module.
pub static RULES: &[&[&Rule]] =
    &[autoscaler::RULES, limit_range::RULES, priority::RULES, quota::RULES, runtime_class::RULES];

/// The admission plugins, with the objects that configure them.
pub(super) struct Plugins<'s, 'o> {
    set: &'s ObjectSet<'o>,
    target: KubernetesVersion,
    default_class: Option<&'o Object>,
    /// The namespaces with `LimitRange` or `ResourceQuota` objects.
    namespaces: SortedMap<&'o str, Namespace<'o>>,
    classes: Classes<'o>,
}

/// The `LimitRange` and `ResourceQuota` objects of a namespace.
#[derive(Default)]
struct Namespace<'o> {
    ranges: Ranges<'o>,
    quotas: Vec<Quota<'o>>,
    /// The number of values in them.
    values: usize,
}

impl<'s, 'o> Plugins<'s, 'o> {
    pub(super) fn new(set: &'s ObjectSet<'o>, target: KubernetesVersion) -> Self {
        let mut namespaces: SortedMap<&str, Namespace<'_>> = SortedMap::new();
        for (name, objects) in by_namespace(set, "LimitRange") {
            let namespace = namespaces.entry(name).or_default();
            namespace.values += objects.iter().map(|object| object.root.count()).sum::<usize>();
            namespace.ranges = Ranges::new(objects.into_iter().map(Range::read).collect());
        }
        for (name, objects) in by_namespace(set, "ResourceQuota") {
            let namespace = namespaces.entry(name).or_default();
            namespace.values += objects.iter().map(|object| object.root.count()).sum::<usize>();
            namespace.quotas = objects.into_iter().map(Quota::read).collect();
        }
        let default_class = default_priority_class(set);
        let classes = Classes::new(set);
        Self { set, target, default_class, namespaces, classes }
    }

    /// Checks an object and its PodSpec, and returns its share of the quotas of its namespace.
    pub(super) fn check(
        &self,
        fuel: &Fuel<'_>,
        (object, pod): (&Object, Option<PodSpec<'_>>),
        sink: &mut Sink,
    ) -> Option<Usage> {
        let is_dropped = self.target.minor() < POD_LEVEL_MINOR;
        let stored = is_dropped.then(|| without_pod_level(object)).flatten();
        let pod = stored.as_ref().map_or(pod, PodSpec::of);
        let object = stored.as_ref().unwrap_or(object);
        if let Some(pod) = pod {
            let mut request = Request { pod, sink };
            priority::check(&mut request, self.set, self.default_class);
            self.classes.check(&mut request);
        }
        let namespace = self.namespaces.get(meeting_namespace(&object.namespace))?;
        let Namespace { ranges, quotas, values } = namespace;
        let count =
            pod.map_or(0, |pod| pod.containers().count() + pod.volume_claim_templates().len());
        let overhead = pod.map_or(0, |pod| self.classes.overhead(&pod).len());
        let defaults = ranges.default_limits.len() + ranges.default_requests.len();
        let compared = values + overhead + OF_DEFAULT * defaults;
        if !fuel.spend(compared.saturating_mul((1 + count) * OF_COMPARISON)) {
            return None;
        }
        if let Some(pod) = pod {
            let mut request = Request { pod, sink };
            let containers = resources::containers(&pod, ranges);
            limit_range::check_pod(&mut request, ranges, &containers);
            quota::check_required(&mut request, quotas, &containers);
        }
        if !ranges.all.is_empty() {
            limit_range::check_claims(object, ranges, sink);
        }
        // Objects with the same name can be alternatives.
        let is_first = || {
            let kind = (object.gvk.group.as_str(), object.gvk.kind.as_str());
            let first = self.set.find(kind.0, kind.1, &object.namespace, &object.name);
            first.is_none_or(|first| first.document == object.document)
        };
        (!quotas.is_empty() && is_first())
            .then(|| quota::usage(self.set, object, quotas, ranges, &self.classes))
    }

    /// Checks the autoscalers of the Pods.
    pub(super) fn check_autoscalers(&self, sink: &mut Sink) {
        autoscaler::check(self, sink);
    }

    /// Reports the quotas that the sum of all objects exceeds.
    pub(super) fn check_sums(&self, all: &[(&Object, Usage)], sink: &mut Sink) {
        let mut sums: SortedMap<&str, Usages<'_>> = SortedMap::new();
        for (object, usage) in all {
            sums.entry(meeting_namespace(&object.namespace)).or_default().add(object, usage);
        }
        for (name, sums) in &sums {
            if let Some(namespace) = self.namespaces.get(name) {
                sums.check(&namespace.quotas, sink);
            }
        }
    }
}

/// The first minor version that keeps the resources of a whole Pod (`PodLevelResources`).
const POD_LEVEL_MINOR: u8 = 34;

/// An object without the resources of its whole Pod; `None` if it has none.
fn without_pod_level(object: &Object) -> Option<Object> {
    PodSpec::of(object).filter(|pod| pod.spec.get("resources").is_some())?;
    let mut stored = object.clone();
    let template = PodSpec::template_mut(&mut stored.root, &object.gvk)?;
    template.get_mut("spec")?.as_map_mut()?.remove("resources");
    Some(stored)
}

/// The objects of a kind by namespace; without those that share a name, because their files can be
/// alternatives.
fn by_namespace<'o>(
    set: &ObjectSet<'o>,
    kind: &'static str,
) -> SortedMap<&'o str, Vec<&'o Object>> {
    let mut all: SortedMap<_, Vec<_>> = SortedMap::new();
    for object in set.of_kind("", kind) {
        if set.find_only("", kind, &object.namespace, &object.name).is_some() {
            all.entry(meeting_namespace(&object.namespace)).or_default().push(object);
        }
    }
    all
}

/// The creation of a Pod.
struct Request<'r, 'o> {
    pod: PodSpec<'o>,
    sink: &'r mut Sink,
}

impl Request<'_, '_> {
    /// Reports a reason to reject the Pod; `field` is the path in the PodSpec.
    fn report(&mut self, finding: Diagnostic, field: &str) {
        let object = self.pod.object;
        let path = format!("{}.{field}", self.pod.path());
        let mut finding = finding.path(path.as_str());
        if !object.gvk.is("", "Pod") {
            finding.severity = Severity::Warning;
            let kind = &object.gvk.kind;
            finding =
                finding.note(message!("the API server accepts the {kind} but rejects its Pods"));
        }
        self.sink.report(finding);
    }
}
