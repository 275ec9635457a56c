//! References of a PodSpec: to ConfigMaps, Secrets, volume claims, service accounts, and classes.
//!
//! A name resolves to an object of the input in the same namespace, to one that the project
//! declares under `external`, to one that every cluster has, or to one that a controller creates
//! for an object of the input. An unresolved name is an error in the output of a definition: its
//! author can declare the objects of the cluster. In a manifest it is a warning: manifests are
//! often checked without the rest of their cluster. A similar name does not make a mistake more
//! likely (`web-secret`, `db-secret`), so it adds a suggestion and keeps the severity.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::made::Made;
use super::pod_references::{Reference, Target, Use, visit};
use crate::sorted::{SortedMap, SortedSet};
use lean_string::LeanStr;

use crate::diag::{
    About, Diagnostic, FieldPath, ObjectName, Repeated, Rule, Severity, Sink, declare_rules,
    did_you_mean, message,
};
use crate::kube::{Missing, Object, ObjectSet, PodSpec};
use crate::source::Span;
use crate::tree::{Node, Origin};

declare_rules! {
    CONFIG_MAP_NOT_FOUND = "config-map-not-found", Error, follows = [SamePlace, ObjectName, Project];
    CONFIG_MAP_KEY_NOT_FOUND = "config-map-key-not-found", Error;
    SECRET_NOT_FOUND = "secret-not-found", Error, follows = [SamePlace, ObjectName, Project];
    SECRET_KEY_NOT_FOUND = "secret-key-not-found", Error;
    PERSISTENT_VOLUME_CLAIM_NOT_FOUND = "persistent-volume-claim-not-found", Error, follows = [SamePlace, ObjectName, Project];
    SERVICE_ACCOUNT_NOT_FOUND = "service-account-not-found", Error, follows = [SamePlace, ObjectName, Project];
    RUNTIME_CLASS_NOT_FOUND = "runtime-class-not-found", Error, follows = [SamePlace, ObjectName, Project];
    PRIORITY_CLASS_NOT_FOUND = "priority-class-not-found", Error, follows = [SamePlace, ObjectName, Project];
}

const fn not_found_rule(target: Target) -> &'static Rule {
    match target {
        Target::ConfigMap => &CONFIG_MAP_NOT_FOUND,
        Target::Secret => &SECRET_NOT_FOUND,
        Target::PersistentVolumeClaim => &PERSISTENT_VOLUME_CLAIM_NOT_FOUND,
        Target::ServiceAccount => &SERVICE_ACCOUNT_NOT_FOUND,
        Target::RuntimeClass => &RUNTIME_CLASS_NOT_FOUND,
        Target::PriorityClass => &PRIORITY_CLASS_NOT_FOUND,
    }
}

/// The kind, namespace and name of objects with data.
type NamedData<'o> = (&'static str, &'o str, &'o str);

/// Kind and document of an object with data.
type DataKey = (&'static str, Span);

/// Resolves references.
pub(super) struct References<'s, 'o> {
    set: &'s ObjectSet<'o>,
    made: Made<'s, 'o>,
    /// Names of cluster-scoped objects, whatever namespace is written in them: the API server ignores it.
    cluster_scoped: OnceLock<SortedSet<(&'static str, &'o str)>>,
    /// The keys of the ConfigMaps and Secrets that were read so far.
    keys: Mutex<SortedMap<DataKey, Arc<SortedSet<&'o str>>>>,
    /// The keys of all objects with one kind, namespace and name. `None`: a controller adds others.
    keys_of_all: Mutex<SortedMap<NamedData<'o>, Option<SortedSet<&'o str>>>>,
}

/// The result of resolving a reference.
enum Found<'o> {
    /// The object and its key exist, or may exist.
    All,
    /// The object does not exist.
    Nothing,
    /// The object does not have the required key.
    NoKey(&'o Object, Arc<SortedSet<&'o str>>),
}

impl<'s, 'o> References<'s, 'o> {
    pub(super) fn new(set: &'s ObjectSet<'o>) -> Self {
        let (keys, keys_of_all) = (Mutex::new(SortedMap::new()), Mutex::new(SortedMap::new()));
        Self { set, made: Made::new(set), cluster_scoped: OnceLock::new(), keys, keys_of_all }
    }

    /// The unresolved references of a PodSpec, to be reported later. They borrow nothing
    /// from the Pod.
    pub(super) fn unfound(&self, pod: &PodSpec<'_>) -> Vec<Unfound<'o>> {
        let mut unfound: Vec<Unfound<'o>> = Vec::new();
        let mut named = SortedSet::new();
        visit(pod, &mut |reference| {
            let (found, key) = (self.find(pod, &reference), reference.key);
            let what = match found {
                Found::All => return,
                Found::Nothing => {
                    // The name is compared first, because most differ in it.
                    if !named.insert((reference.name.as_str(), reference.target.group_kind())) {
                        return;
                    }
                    What::Object
                }
                Found::NoKey(object, keys) => {
                    let Some((text, key)) = key.and_then(|it| Some((it.as_str()?, it))) else {
                        return;
                    };
                    What::Key { object, keys, text: text.into(), place: key.span() }
                }
            };
            unfound.push(Unfound {
                target: reference.target,
                usage: reference.usage,
                name: reference.name.as_str().unwrap_or_default().into(),
                origin: reference.name.origin(),
                path: (reference.path)(),
                what,
            });
        });
        unfound
    }

    fn find(&self, pod: &PodSpec<'_>, reference: &Reference<'_, '_>) -> Found<'o> {
        let Some(name) = reference.name.as_str() else { return Found::All };
        let target = reference.target;
        let (group, kind) = target.group_kind();
        if name.is_empty() || reference.is_optional || target.is_built_in(name) {
            return Found::All;
        }
        let namespace = namespace_of(target, pod.object);
        if let Some(object) = self.set.find_from(pod.object, group, kind, namespace, name) {
            let Some(key) = reference.key.and_then(Node::as_str) else { return Found::All };
            // Files can be alternatives, and one of them is enough.
            return match self.find_key(object, kind, key) {
                Found::NoKey(..) if self.is_in_any((group, kind), object, key) => Found::All,
                found => found,
            };
        }
        let exists = self.is_cluster_scoped(target, name)
            || self.set.is_external(group, kind, namespace, name)
            || self.made.contains(target, namespace, name);
        if exists { Found::All } else { Found::Nothing }
    }

    /// Whether the input has a cluster-scoped object of this name.
    fn is_cluster_scoped(&self, target: Target, name: &str) -> bool {
        let names = || {
            let targets = [Target::RuntimeClass, Target::PriorityClass].into_iter();
            let named = targets.flat_map(|target| {
                let (group, kind) = target.group_kind();
                self.set.of_kind(group, kind).map(move |it| (kind, it.name.as_str()))
            });
            named.collect()
        };
        target.is_cluster_scoped()
            && self.cluster_scoped.get_or_init(names).contains(&(target.group_kind().1, name))
    }

    /// Whether an object with the kind and name of this one has a key, or will have any.
    fn is_in_any(
        &self,
        (group, kind): (&'static str, &'static str),
        object: &'o Object,
        key: &str,
    ) -> bool {
        let mut all = self.keys_of_all.lock().unwrap_or_else(PoisonError::into_inner);
        let (namespace, name) = (object.namespace.as_str(), object.name.as_str());
        let keys = all.entry((kind, namespace, name)).or_insert_with(|| {
            let same = self.set.find_all(group, kind, namespace, name);
            let is_open = same.clone().any(is_filled_later);
            (!is_open).then(|| same.flat_map(data_keys).collect())
        });
        keys.as_ref().is_none_or(|it| it.contains(key))
    }

    fn find_key(&self, object: &'o Object, kind: &'static str, key: &str) -> Found<'o> {
        let mut all = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let keys =
            all.entry((kind, object.name_span())).or_insert_with(|| Arc::new(data_keys(object)));
        if is_filled_later(object) || keys.contains(key) {
            return Found::All;
        }
        Found::NoKey(object, Arc::clone(keys))
    }
}

/// An unresolved name.
pub(super) struct Unfound<'o> {
    target: Target,
    usage: Use,
    name: LeanStr,
    /// The span of the name.
    origin: Origin,
    path: String,
    what: What<'o>,
}

/// What the findings about an absent object have in common: the object, its use, whether it is
/// from a definition, and the path of the name.
pub(super) type Absence<'u> = (Target, Use, &'u str, &'u str, bool, &'u str);

/// The missing object or key.
enum What<'o> {
    /// The object.
    Object,
    /// A key of its data.
    Key { object: &'o Object, keys: Arc<SortedSet<&'o str>>, text: LeanStr, place: Span },
}

impl Unfound<'_> {
    /// Whether it is the name of this object.
    pub(super) fn is_about(&self, group: &str, kind: &str, name: &str) -> bool {
        matches!(self.what, What::Object)
            && self.target.group_kind() == (group, kind)
            && self.name == name
    }

    /// Reports it for the object with the Pod. The number of suggestions is limited for the whole
    /// run, so the order of the calls matters.
    pub(super) fn report<'u>(
        &'u self,
        object: &'u Object,
        missing: &Missing<'_, '_>,
        absences: &mut Repeated<Absence<'u>>,
        sink: &mut Sink,
    ) {
        sink.report(match &self.what {
            What::Object if self.origin.layer().is_some() => self.object_finding(object, missing),
            What::Object => {
                let Self { target, usage, ref name, ref path, .. } = *self;
                let namespace = namespace_of(target, object);
                let absence =
                    (target, usage, name.as_str(), namespace, object.is_compiled(), path.as_str());
                absences.at(absence, self.origin.span(), || self.object_finding(object, missing))
            }
            What::Key { object: data, keys, text, place } => {
                let finding = self.key_finding(data, keys, text, *place);
                if object.is_compiled() {
                    finding
                } else {
                    finding.with_severity(Severity::Warning)
                }
            }
        });
    }

    fn object_finding(&self, object: &Object, missing: &Missing<'_, '_>) -> Diagnostic {
        let (target, name) = (self.target, self.name.as_str());
        let (group, kind) = target.group_kind();
        let namespace = namespace_of(target, object);
        let place = match namespace {
            "" => "in the input".to_owned(),
            namespace => format!("in namespace `{namespace}`"),
        };
        let hint = missing.hint(group, kind, namespace, name);
        let is_elsewhere = hint.is_none() && target.is_cluster_scoped();
        let help = hint.map_or_else(
            || message!("add the {kind} `{name}`, or declare it under `external`"),
            |hint| hint.to_help(kind, name),
        );
        let message = message!("{kind} `{name}` not found {place}");
        // Without a pull secret the Pod still starts, and this name is not the author's.
        let managed = self.origin.layer().filter(|_| self.usage == Use::ImagePull);
        let label = managed.map_or_else(
            || message!("not found {place}"),
            |layer| message!("{} refers to it", layer.describe()),
        );
        let mut finding = Diagnostic::new(not_found_rule(target), self.origin.span(), message)
            .at(label)
            .about(About::AbsentObject(ObjectName::new(group, kind, namespace, name)))
            .note(consequence(target, self.usage))
            .help(help);
        finding.details_mut().path = Some(FieldPath::from(&self.path));
        if !object.is_compiled() || managed.is_some() {
            // Administrators create the classes, rarely in the same input as the objects that use
            // them.
            finding.severity = if is_elsewhere { Severity::Note } else { Severity::Warning };
            finding = finding.note("it may exist in the cluster: only the input is checked");
        }
        finding
    }

    fn key_finding(
        &self,
        object: &Object,
        keys: &SortedSet<&str>,
        key: &str,
        place: Span,
    ) -> Diagnostic {
        let (_, kind) = self.target.group_kind();
        let rule = match self.target {
            Target::Secret => &SECRET_KEY_NOT_FOUND,
            _ => &CONFIG_MAP_KEY_NOT_FOUND,
        };
        let candidates: Vec<_> = keys.iter().copied().take(NEAR_KEYS).collect();
        let has = if candidates.is_empty() { "has no data" } else { "has other keys" };
        let message = message!("{kind} `{}` has no key `{key}`", object.shown_name());
        let mut finding = Diagnostic::new(rule, place, message)
            .about(About::AbsentDataKey)
            .at("no such key")
            .label(object.name_span(), has)
            .note(consequence(self.target, self.usage))
            .help(did_you_mean(key, candidates).unwrap_or_else(|| {
                // An author cannot make the reference of a system optional.
                let optional = match self.origin.layer() {
                    Some(_) => "",
                    None => ", or set `optional: true`",
                };
                message!("add `{key}` to the {kind}{optional}")
            }));
        finding.details_mut().path = Some(FieldPath::from(&self.path));
        if keys.is_empty() {
            finding.severity = Severity::Warning;
        }
        finding
    }
}

/// The namespace in which the objects of a kind are searched.
fn namespace_of(target: Target, object: &Object) -> &str {
    if target.is_cluster_scoped() { "" } else { object.namespace.as_str() }
}

/// The number of keys that are searched for a similar one. Thousands of keys are data, not names.
const NEAR_KEYS: usize = 50;

/// Whether a controller adds the data of a Secret.
fn is_filled_later(object: &Object) -> bool {
    object.root.str_at(&["type"]) == Some("kubernetes.io/service-account-token")
}

fn data_keys(object: &Object) -> SortedSet<&str> {
    ["data", "binaryData", "stringData"]
        .into_iter()
        .filter_map(|field| object.root.get(field))
        .flat_map(Node::entries)
        .map(|entry| entry.key.as_str())
        .collect()
}

const fn consequence(target: Target, usage: Use) -> &'static str {
    match (target, usage) {
        (Target::ConfigMap | Target::Secret, Use::Environment) => {
            "the kubelet cannot start the container: `CreateContainerConfigError`"
        }
        (Target::Secret, Use::ImagePull) => "the kubelet pulls images without these credentials",
        (Target::ConfigMap | Target::Secret, _) => {
            "the kubelet cannot mount the volume: the Pod stays in `ContainerCreating`"
        }
        (Target::PersistentVolumeClaim, _) => "the Pod stays `Pending`",
        (Target::ServiceAccount | Target::RuntimeClass | Target::PriorityClass, _) => {
            "the API server rejects the Pod"
        }
    }
}
