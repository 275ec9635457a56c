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
use super::object_references::{
    PERSISTENT_VOLUME_NOT_FOUND, ROLE_NOT_FOUND, SCALE_TARGET_NOT_FOUND, SERVICE_NOT_FOUND,
    STORAGE_CLASS_NOT_FOUND,
};
use crate::sorted::{SortedMap, SortedSet};
use lean_string::LeanStr;

use crate::diag::{
    About, Diagnostic, FieldPath, ObjectName, Repeated, Rule, Severity, Sink, declare_rules,
    did_you_mean, message,
};
use crate::kube::{
    Found, Hint, Missing, Object, ObjectSet, PRIORITY_CLASS, PodSpec, RUNTIME_CLASS, SECRET,
    Target, Use, visit_pod_references,
};
use crate::source::Span;
use crate::tree::{Node, Origin, Path, items};

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

/// The rule about an absent object, and what happens without it. `None` where it may be absent.
pub(super) fn verdict(usage: Use, target: Target) -> Option<(&'static Rule, &'static str)> {
    let rule = match target.kind {
        _ if usage == Use::Scale => &SCALE_TARGET_NOT_FOUND,
        "ConfigMap" => &CONFIG_MAP_NOT_FOUND,
        "Secret" => &SECRET_NOT_FOUND,
        "PersistentVolumeClaim" => &PERSISTENT_VOLUME_CLAIM_NOT_FOUND,
        "ServiceAccount" => &SERVICE_ACCOUNT_NOT_FOUND,
        "RuntimeClass" => &RUNTIME_CLASS_NOT_FOUND,
        "PriorityClass" => &PRIORITY_CLASS_NOT_FOUND,
        "Service" => &SERVICE_NOT_FOUND,
        "Role" | "ClusterRole" => &ROLE_NOT_FOUND,
        "StorageClass" => &STORAGE_CLASS_NOT_FOUND,
        "PersistentVolume" => &PERSISTENT_VOLUME_NOT_FOUND,
        _ => return None,
    };
    let consequence = match usage {
        Use::Environment => "the kubelet cannot start the container: `CreateContainerConfigError`",
        Use::Volume => "the kubelet cannot mount the volume: the Pod stays in `ContainerCreating`",
        Use::Claim => "the Pod stays `Pending`",
        Use::ImagePull => "the kubelet pulls images without these credentials",
        Use::AccountPull => "the kubelet pulls images of the account's Pods without it",
        Use::Pod => "the API server rejects the Pod",
        Use::Class | Use::Binding => "the claim stays pending, and its Pods do not start",
        Use::Names => "without the Service, the Pods have no DNS names",
        Use::Route => {
            "the ingress controller answers requests with an error until the Service exists"
        }
        Use::Grant => "the binding grants nothing until the role exists",
        Use::Subject => "the binding grants nothing until the service account exists",
        Use::Scale => "the autoscaler does nothing until it exists",
        Use::Other(_) => return None,
    };
    Some((rule, consequence))
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

/// Where the object of a reference exists.
enum Existing<'o> {
    /// In the input.
    Object(&'o Object),
    /// In the cluster, or a controller creates it.
    Elsewhere,
    /// Nowhere.
    Nowhere,
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
        visit_pod_references(pod, &mut |found| {
            let usage = found.reference.usage;
            // `object_references` checks the Services by which Pods have names.
            if matches!(usage, Use::Names | Use::Class) {
                return;
            }
            let Some(target) = found.target() else { return };
            let Some((rule, consequence)) = verdict(usage, target) else { return };
            let Some(name) = found.name.as_str().filter(|name| !name.is_empty()) else { return };
            if found.is_optional() || target.is_built_in(name) {
                return;
            }
            let mut add = |path: &Path<'_>, what| {
                let (origin, path) = (found.name.origin(), path.to_string());
                let name = name.into();
                unfound.push(Unfound {
                    target,
                    usage,
                    rule,
                    consequence,
                    name,
                    origin,
                    path,
                    what,
                });
            };
            match self.find(pod.object, target, name) {
                Existing::Nowhere => {
                    // The name is compared first, because most differ in it.
                    if named.insert((name, target)) {
                        add(&place_of_name(&found), What::Object);
                    }
                }
                Existing::Elsewhere => {}
                Existing::Object(object) => visit_keys(&found, &mut |key, path| {
                    let Some(text) = key.as_str() else { return };
                    if let Some(keys) = self.keys_without(object, target, text) {
                        let (text, place) = (text.into(), key.span());
                        add(path, What::Key { object, keys, text, place });
                    }
                }),
            }
        });
        unfound
    }

    fn find(&self, from: &Object, target: Target, name: &str) -> Existing<'o> {
        let Target { group, kind, .. } = target;
        let namespace = namespace_of(target, from);
        if let Some(object) = self.set.find_from(from, group, kind, namespace, name) {
            return Existing::Object(object);
        }
        let exists = self.is_cluster_scoped(target, name)
            || self.set.is_external(group, kind, namespace, name)
            || self.made.contains(target, namespace, name);
        if exists { Existing::Elsewhere } else { Existing::Nowhere }
    }

    /// Whether the input has a cluster-scoped object of this name.
    fn is_cluster_scoped(&self, target: Target, name: &str) -> bool {
        let names = || {
            let targets = [RUNTIME_CLASS, PRIORITY_CLASS].into_iter();
            let named = targets.flat_map(|target| {
                let objects = self.set.of_kind(target.group, target.kind);
                objects.map(move |object| (target.kind, object.name.as_str()))
            });
            named.collect()
        };
        target.is_cluster_scoped
            && self.cluster_scoped.get_or_init(names).contains(&(target.kind, name))
    }

    /// The keys of an object if none is this one. Files can be alternatives, and one of them is enough.
    fn keys_without(
        &self,
        object: &'o Object,
        target: Target,
        key: &str,
    ) -> Option<Arc<SortedSet<&'o str>>> {
        let keys = self.keys_of(object, target.kind);
        let is_known = is_filled_later(object) || keys.contains(key);
        (!is_known && !self.is_in_any(object, target, key)).then_some(keys)
    }

    /// Whether an object with the kind and name of this one has a key, or will have any.
    fn is_in_any(&self, object: &'o Object, target: Target, key: &str) -> bool {
        let Target { group, kind, .. } = target;
        let mut all = self.keys_of_all.lock().unwrap_or_else(PoisonError::into_inner);
        let (namespace, name) = (object.namespace.as_str(), object.name.as_str());
        let keys = all.entry((kind, namespace, name)).or_insert_with(|| {
            let same = self.set.find_all(group, kind, namespace, name);
            let is_open = same.clone().any(is_filled_later);
            (!is_open).then(|| same.flat_map(data_keys).collect())
        });
        keys.as_ref().is_none_or(|keys| keys.contains(key))
    }

    fn keys_of(&self, object: &'o Object, kind: &'static str) -> Arc<SortedSet<&'o str>> {
        let mut all = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let keys =
            all.entry((kind, object.name_span())).or_insert_with(|| Arc::new(data_keys(object)));
        Arc::clone(keys)
    }
}

/// The place of a name in findings: where a map only refers to an object, the map.
fn place_of_name<'p>(found: &'p Found<'_, '_>) -> Path<'p> {
    match found.reference.usage {
        Use::Environment | Use::Volume | Use::Claim => *found.owner_path,
        _ => found.owner_path.field(found.field),
    }
}

/// Visits the keys of the data that a reference requires, each with its place in findings.
fn visit_keys<'o>(found: &Found<'o, '_>, visit: &mut dyn FnMut(&'o Node, &Path<'_>)) {
    if !matches!(found.reference.usage, Use::Environment | Use::Volume) {
        return;
    }
    if let Some(key) = found.owner.get("key") {
        visit(key, found.owner_path);
    }
    let list = found.owner_path.field("items");
    for (index, item) in items(found.owner, "items").iter().enumerate() {
        if let Some(key) = item.get("key") {
            visit(key, &list.index(index).field("key"));
        }
    }
}

/// An unresolved name.
pub(super) struct Unfound<'o> {
    target: Target,
    usage: Use,
    rule: &'static Rule,
    consequence: &'static str,
    name: LeanStr,
    /// The span of the name.
    origin: Origin,
    path: String,
    what: What<'o>,
}

/// What the findings about an absent object have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Absence<'u> {
    target: Target,
    usage: Use,
    name: &'u str,
    namespace: &'u str,
    /// Whether the reference is from a definition.
    is_compiled: bool,
    /// The path of the name.
    path: &'u str,
}

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
        matches!(self.what, What::Object) && self.target.is(group, kind) && self.name == name
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
                let is_compiled = object.is_compiled();
                let absence = Absence { target, usage, name, namespace, is_compiled, path };
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
        let namespace = namespace_of(target, object);
        let hint = missing.hint(target.group, target.kind, namespace, name);
        let is_elsewhere = hint.is_none() && target.is_cluster_scoped;
        let absent = Absent { target, namespace, name, rule: self.rule, hint };
        // Without a pull secret the Pod still starts, and this name is not the author's.
        let managed = self.origin.layer().filter(|_| self.usage == Use::ImagePull);
        let mut finding = absent.finding(self.origin.span()).note(self.consequence);
        if let Some(layer) = managed {
            finding = finding.at(message!("{} refers to it", layer.describe()));
        }
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
        let kind = self.target.kind;
        let rule =
            if self.target == SECRET { &SECRET_KEY_NOT_FOUND } else { &CONFIG_MAP_KEY_NOT_FOUND };
        let candidates: Vec<_> = keys.iter().copied().take(NEAR_KEYS).collect();
        let has = if candidates.is_empty() { "has no data" } else { "has other keys" };
        let message = message!("{kind} `{}` has no key `{key}`", object.shown_name());
        let mut finding = Diagnostic::new(rule, place, message)
            .about(About::AbsentDataKey)
            .at("no such key")
            .label(object.name_span(), has)
            .note(self.consequence)
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
    if target.is_cluster_scoped { "" } else { object.namespace.as_str() }
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

/// An object that a reference names and that does not exist.
pub(super) struct Absent<'a> {
    pub(super) target: Target,
    /// Empty for cluster-scoped kinds, and if none is set.
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) rule: &'static Rule,
    pub(super) hint: Option<Hint<'a>>,
}

impl Absent<'_> {
    /// The finding at the name, without its consequence and path.
    pub(super) fn finding(&self, place: Span) -> Diagnostic {
        let Self { target: Target { group, kind, .. }, namespace, name, .. } = *self;
        let missing = match namespace {
            "" => message!("not found in the input"),
            namespace => message!("not found in namespace `{namespace}`"),
        };
        let help = self.hint.map_or_else(
            || message!("add the {kind} `{name}`, or declare it under `external`"),
            |hint| hint.to_help(kind, name),
        );
        Diagnostic::new(self.rule, place, message!("{kind} `{name}` {missing}"))
            .at(missing)
            .about(About::AbsentObject(ObjectName::new(group, kind, namespace, name)))
            .help(help)
    }
}
