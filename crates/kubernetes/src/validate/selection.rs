//! Selectors of Services, NetworkPolicies and disruption budgets that select no Pod of the input.
//!
//! There is no finding if the Pods may come from elsewhere: if the namespace has no object that
//! creates Pods, or if a document could not be read. If the namespace has a custom resource whose
//! controller may create Pods, a note says that its Pods are not known.

mod budgets;
mod isolation;
mod makers;
mod ports;

use crate::diag::{CommonCause, Diagnostic, Sink, declare_rules, message};
use crate::kube::{
    LabelState, Object, ObjectSet, PodSpec, Selects, makes_pods, meeting_namespace, pod_specs,
    selects, selects_by_map,
};
use crate::limits::Fuel;
use crate::schema::store;
use crate::sorted::SortedMap;
use crate::tree::{Entry, Node, Path, items};
pub(super) use isolation::RULES as ISOLATION_RULES;
use makers::Makers;

declare_rules! {
    EVICTION_NEVER_ALLOWED = "eviction-never-allowed", Warning, follows = [Structure];
    HEADLESS_PORT_CLOSED = "headless-port-closed", Warning, follows = [Structure];
    SELECTOR_NOT_CHECKED = "selector-not-checked", Note;
    SELECTOR_WITHOUT_PODS = "selector-without-pods", Warning, follows = [Structure, Selection];
    TARGET_PORT_NOT_FOUND = "target-port-not-found", Warning, follows = [Structure];
}

/// Labels that controllers add to the Pods they create.
const ADDED: &[&str] = &[
    "apps.kubernetes.io/pod-index",
    "batch.kubernetes.io/controller-uid",
    "batch.kubernetes.io/job-completion-index",
    "batch.kubernetes.io/job-name",
    "controller-revision-hash",
    "controller-uid",
    "job-name",
    "pod-template-generation",
    "pod-template-hash",
    "statefulset.kubernetes.io/pod-name",
];

/// Groups of custom resources whose controllers create no Pods.
const WITHOUT_PODS: &[&str] = &[
    "bitnami.com",
    "cert-manager.io",
    "cilium.io",
    "external-secrets.io",
    "gateway.networking.k8s.io",
    "monitoring.coreos.com",
    "networking.istio.io",
    "projectcontour.io",
    "security.istio.io",
    "traefik.io",
];
/// The exceptions: kinds in these groups whose controllers create Pods.
const WITH_PODS: &[&str] = &["Alertmanager", "Prometheus", "PrometheusAgent", "ThanosRuler"];

/// The kinds that select Pods, with their field below `spec`: group, kind, field.
const SELECTING: [(&str, &str, &str); 3] = [
    ("", "Service", "selector"),
    ("networking.k8s.io", "NetworkPolicy", "podSelector"),
    ("policy", "PodDisruptionBudget", "selector"),
];

/// Checks the selectors of the run.
pub(super) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    isolation::check(set, sink);
    let (mut pods, mut autoscaled) = (None, None);
    let advice = Fuel::of_advice();
    for (group, kind, field) in SELECTING {
        for object in set.of_kind(group, kind) {
            let written = Some(object).filter(|it| !it.is_compiled());
            let Some(selector) = written.and_then(pod_selector) else { continue };
            // The control plane runs in this namespace, and its Pods are not in manifests.
            if object.namespace == "kube-system" {
                continue;
            }
            let pods = pods.get_or_insert_with(|| Pods::of(set));
            let makers = pods.makers_of(&object.namespace);
            let unknown = pods.unknown_in(&object.namespace);
            if makers.is_none() && unknown.is_none() {
                continue;
            }
            let candidates = makers.map_or_else(Vec::new, |it| it.candidates(object, selector));
            if !set.fuel().spend(effort(selector, candidates.iter().copied())) {
                return;
            }
            let selected = candidates.iter().map(|pod| (*pod, selects_pod(object, selector, pod)));
            if selected.clone().all(|(_, selects)| selects == Selects::No) {
                match unknown {
                    Some(Unknown::Kind(maker)) => {
                        sink.report(not_checked(object, selector, field, maker));
                    }
                    Some(Unknown::OfSystem) => {}
                    None => {
                        let wanted = required_labels(object, selector);
                        let steps = makers.map_or(0, |it| it.steps(wanted.len()));
                        let has_near = !sink.is_terse() && advice.spend(steps);
                        let others = makers.filter(|_| has_near);
                        let near = others.and_then(|makers| nearest_pod(wanted, makers.all()));
                        sink.report(unselected_finding(object, selector, field, near));
                    }
                }
            } else if unknown.is_none()
                && kind != "NetworkPolicy"
                && selected.clone().all(|(_, selects)| selects != Selects::Perhaps)
            {
                let pods =
                    selected.filter(|(_, selects)| *selects == Selects::Yes).map(|(pod, _)| pod);
                let pods: Vec<_> = pods.collect();
                if kind == "Service" {
                    ports::check(object, &pods, set.fuel(), sink);
                    ports::check_headless(object, &pods, set.fuel(), sink);
                } else {
                    let autoscaled = autoscaled.get_or_insert_with(|| budgets::autoscaled(set));
                    budgets::check(object, &pods, autoscaled, sink);
                }
            }
        }
    }
}

/// The steps of the comparison of a selector with the labels of Pods.
pub fn effort<'p, 'o: 'p>(selector: &Node, pods: impl Iterator<Item = &'p PodSpec<'o>>) -> usize {
    let parts = selector
        .entries()
        .iter()
        .map(|entry| entry.value.entries().len() + entry.value.items().len());
    let requirements: usize = parts.map(|count| count + 1).sum();
    let of_selector = selector.count();
    let of_pod = |pod: &PodSpec<'_>| 16 + requirements * pod.labels().len() + of_selector;
    pods.map(of_pod).sum()
}

/// The selector of Pods, if the object has one that does not select everything.
pub fn pod_selector(object: &Object) -> Option<&Node> {
    let is_kind = |maker: &&(&str, &str, &str)| object.gvk.is(maker.0, maker.1);
    let (_, _, field) = SELECTING.iter().find(is_kind)?;
    let is_alias = object.root.str_at(&["spec", "type"]) == Some("ExternalName");
    let selector =
        object.root.at(&["spec", field]).filter(|selector| !selector.entries().is_empty());
    selector.filter(|_| !is_alias)
}

/// The objects that create Pods, by namespace.
struct Pods<'o> {
    makers: SortedMap<&'o str, Makers<'o>>,
    /// The kinds whose controllers may create further Pods.
    unknown: SortedMap<&'o str, Unknown<'o>>,
}

/// Something whose Pods are not known.
#[derive(Clone, Copy)]
enum Unknown<'o> {
    /// A custom resource.
    Kind(&'o Object),
    /// An object of a system, which has its own rules, or one that is declared to exist.
    OfSystem,
}

impl<'o> Pods<'o> {
    fn of(set: &ObjectSet<'o>) -> Self {
        let (mut makers, mut unknown) = (SortedMap::<_, Makers<'_>>::new(), SortedMap::new());
        if set.has_hidden() {
            return Self { makers, unknown };
        }
        for pod in pod_specs(set) {
            makers.entry(meeting_namespace(&pod.object.namespace)).or_default().add(pod);
        }
        for object in set.all().iter().filter(|object| may_make_pods(object)) {
            let namespace = meeting_namespace(&object.namespace);
            if object.gvk.facts().is_some() {
                unknown.insert(namespace, Unknown::OfSystem);
            } else {
                unknown.entry(namespace).or_insert(Unknown::Kind(object));
            }
        }
        for (group, kind, namespace) in set.external_kinds() {
            if makes_pods(group, kind, set.facts(group, kind)) {
                unknown.insert(meeting_namespace(namespace), Unknown::OfSystem);
            }
        }
        Self { makers, unknown }
    }

    fn makers_of(&self, namespace: &str) -> Option<&Makers<'o>> {
        self.makers.get(meeting_namespace(namespace))
    }

    fn unknown_in(&self, namespace: &str) -> Option<Unknown<'o>> {
        self.unknown.get(meeting_namespace(namespace)).copied()
    }
}

/// Whether an unknown controller may create Pods for the object.
fn may_make_pods(object: &Object) -> bool {
    let (group, kind) = (object.gvk.group.as_str(), object.gvk.kind.as_str());
    if !group.contains('.') || store::kinds().iter().any(|known| known.group == group) {
        return false;
    }
    !WITHOUT_PODS.contains(&group) || WITH_PODS.contains(&kind)
}

/// Whether the selector of an object selects the Pods of another.
pub fn selects_pod(object: &Object, selector: &Node, pod: &PodSpec<'_>) -> Selects {
    let labels = pod.template.at(&["metadata", "labels"]);
    let is_made = pod.object.gvk.kind != "Pod";
    let label = pod.object.gvk.facts().and_then(|it| it.pod_label);
    let made = label.map(|label| (label.key, (label.value)(&pod.object.name)));
    let state = |key: &str| match labels.and_then(|it| it.get(key)) {
        _ if made.as_ref().is_some_and(|(made, _)| *made == key) => {
            made.as_ref().map_or(LabelState::Unknown, |(_, value)| LabelState::Value(value))
        }
        Some(value) => value.as_str().map_or(LabelState::Unknown, LabelState::Value),
        None if is_made && ADDED.contains(&key) => LabelState::Unknown,
        None => LabelState::Absent,
    };
    if object.gvk.kind == "Service" {
        selects_by_map(Some(selector), state)
    } else {
        selects(selector, state)
    }
}

/// The labels that a selector requires.
fn required_labels<'o>(object: &Object, selector: &'o Node) -> &'o [Entry] {
    let is_service = object.gvk.kind == "Service";
    let labels = if is_service { Some(selector) } else { selector.get("matchLabels") };
    labels.map_or(&[][..], Node::entries)
}

/// The keys of the labels that a selector depends on.
pub fn keys_of_selector<'o>(
    object: &Object,
    selector: &'o Node,
) -> impl Iterator<Item = &'o str> + use<'o> {
    let expressions = items(selector, "matchExpressions");
    let of_expressions = expressions.iter().filter_map(|it| it.str_at(&["key"]));
    required_labels(object, selector).iter().map(Entry::key).chain(of_expressions)
}

fn unselected_finding(
    object: &Object,
    selector: &Node,
    field: &str,
    near: Option<(&PodSpec<'_>, &Node)>,
) -> Diagnostic {
    let root = Path::root();
    let spec = root.field("spec");
    let message = message!("{} selects no Pod in the input", object.describe());
    let finding = Diagnostic::new(&SELECTOR_WITHOUT_PODS, selector.span(), message)
        .at("no Pod has these labels")
        .path(&spec.field(field))
        .note("the cluster may have others: only the input is checked");
    match near {
        Some((pod, labels)) => finding
            .label(labels.span(), message!("labels of the Pods of {}", pod.object.describe()))
            .help("use labels of the Pods"),
        None => finding.help("use the labels of the intended Pods"),
    }
}

/// A selector that can be right or wrong.
fn not_checked(object: &Object, selector: &Node, field: &str, maker: &Object) -> Diagnostic {
    let root = Path::root();
    let (group, kind) = (maker.gvk.group.as_str(), maker.gvk.kind.as_str());
    let message = message!(
        "selector of {} is not checked: `{kind}` of `{group}` may create its Pods",
        object.describe()
    );
    Diagnostic::new(&SELECTOR_NOT_CHECKED, selector.span(), message)
        .at("no known Pod has these labels")
        .label(maker.name_span(), "its Pods are not known")
        .path(&root.field("spec").field(field))
        .because_of(CommonCause::Kind(group.into(), kind.into()))
}

/// The Pods that match the largest number of labels.
fn nearest_pod<'p, 'o>(
    wanted: &[Entry],
    makers: &'p [PodSpec<'o>],
) -> Option<(&'p PodSpec<'o>, &'o Node)> {
    let candidates = makers.iter().filter_map(|pod| {
        let labels = pod.template.at(&["metadata", "labels"])?;
        let own = labels.as_map()?;
        let value = |entry: &Entry| own.get(&entry.key).filter(|it| !it.is_null());
        let is_there = |required: &&Entry| {
            value(required).is_some_and(|own| own.as_str() == required.value.as_str())
        };
        let keys = wanted.iter().filter(|entry| value(entry).is_some()).count();
        Some(((wanted.iter().filter(is_there).count(), keys), (pod, labels)))
    });
    let scored = candidates.filter(|((_, keys), _)| *keys > 0);
    // Of equal scores the first wins.
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, found)| found)
}
