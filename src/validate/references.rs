//! References of a PodSpec: to ConfigMaps, Secrets, volume claims, service accounts, and classes.
//!
//! A name resolves to an object of the input in the same namespace, to one that the project
//! declares under `external`, to one that every cluster has, or to one that a controller creates
//! for an object of the input. An unresolved name is an error in the output of a definition: its
//! author can declare the objects of the cluster. In a manifest it is a warning: manifests are
//! often checked without the rest of their cluster. A similar name does not make a mistake more
//! likely (`web-secret`, `db-secret`), so it adds a suggestion and keeps the severity.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::made::Made;
use super::pod_references::{Reference, Target, Use, visit};
use crate::diag::{
    About, Diagnostic, ObjectName, Rule, Severity, Sink, declare_rules, did_you_mean,
};
use crate::kube::{Missing, Object, ObjectSet, PodSpec};
use crate::tree::Node;

declare_rules! {
    CONFIG_MAP_NOT_FOUND = "config-map-not-found", Error, follows = [ObjectName];
    CONFIG_MAP_KEY_NOT_FOUND = "config-map-key-not-found", Error;
    SECRET_NOT_FOUND = "secret-not-found", Error, follows = [ObjectName];
    SECRET_KEY_NOT_FOUND = "secret-key-not-found", Error;
    PERSISTENT_VOLUME_CLAIM_NOT_FOUND = "persistent-volume-claim-not-found", Error, follows = [ObjectName];
    SERVICE_ACCOUNT_NOT_FOUND = "service-account-not-found", Error, follows = [ObjectName];
    RUNTIME_CLASS_NOT_FOUND = "runtime-class-not-found", Error, follows = [ObjectName];
    PRIORITY_CLASS_NOT_FOUND = "priority-class-not-found", Error, follows = [ObjectName];
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

/// Kind, namespace and name of an object with data.
type DataKey<'o> = (&'static str, &'o str, &'o str);

/// Resolves references.
pub(super) struct References<'s, 'o> {
    set: &'s ObjectSet<'o>,
    made: Made<'s, 'o>,
    /// The keys of the ConfigMaps and Secrets read so far.
    keys: Mutex<BTreeMap<DataKey<'o>, Arc<BTreeSet<&'o str>>>>,
}

/// The result of resolving a reference.
enum Found<'o> {
    /// The object and its key exist, or may exist.
    All,
    /// The object does not exist.
    Nothing,
    /// The object does not have the required key.
    NoKey(&'o Object, Arc<BTreeSet<&'o str>>),
}

impl<'s, 'o> References<'s, 'o> {
    pub(super) fn new(set: &'s ObjectSet<'o>) -> Self {
        Self { set, made: Made::new(set), keys: Mutex::new(BTreeMap::new()) }
    }

    /// Whether there is nothing to [`report`](Self::report).
    pub(super) fn are_all_found(&self, pod: &PodSpec<'_>) -> bool {
        let mut are_found = true;
        visit(pod, &mut |reference| {
            are_found = are_found && matches!(self.find(pod, &reference), Found::All);
        });
        are_found
    }

    /// Reports the unresolved references of a PodSpec. The number of suggestions is limited for the
    /// whole run, so the order of the calls matters.
    pub(super) fn report(&self, pod: &PodSpec<'_>, missing: &Missing<'_, '_>, sink: &mut Sink) {
        let mut reported = BTreeSet::new();
        visit(pod, &mut |reference| match self.find(pod, &reference) {
            Found::All => {}
            Found::Nothing => {
                let kind = reference.target.group_kind().1;
                if reported.insert((kind, reference.name.as_str())) {
                    report_missing(pod, &reference, missing, sink);
                }
            }
            Found::NoKey(object, keys) => report_key(object, &keys, &reference, sink),
        });
    }

    fn find(&self, pod: &PodSpec<'_>, reference: &Reference<'_, '_>) -> Found<'o> {
        let Some(name) = reference.name.as_str() else { return Found::All };
        let target = reference.target;
        let (group, kind) = target.group_kind();
        if name.is_empty() || reference.is_optional || target.is_built_in(name) {
            return Found::All;
        }
        let namespace = namespace_of(target, pod);
        if let Some(object) = self.set.find(group, kind, namespace, name) {
            return match reference.key.and_then(Node::as_str) {
                Some(key) => self.find_key(object, kind, key),
                None => Found::All,
            };
        }
        let exists = self.set.is_external(group, kind, namespace, name)
            || self.made.contains(target, namespace, name);
        if exists { Found::All } else { Found::Nothing }
    }

    fn find_key(&self, object: &'o Object, kind: &'static str, key: &str) -> Found<'o> {
        let is_filled_later =
            object.root.str_at(&["type"]) == Some("kubernetes.io/service-account-token");
        let mut all = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = all
            .entry((kind, object.namespace.as_str(), object.name.as_str()))
            .or_insert_with(|| Arc::new(data_keys(object)));
        if is_filled_later || keys.contains(key) {
            return Found::All;
        }
        Found::NoKey(object, Arc::clone(keys))
    }
}

fn report_missing(
    pod: &PodSpec<'_>,
    reference: &Reference<'_, '_>,
    missing: &Missing<'_, '_>,
    sink: &mut Sink,
) {
    let target = reference.target;
    let (group, kind) = target.group_kind();
    let name = reference.name.as_str().unwrap_or_default();
    let namespace = namespace_of(target, pod);
    let place = match namespace {
        "" => "in the input".to_owned(),
        namespace => format!("in namespace `{namespace}`"),
    };
    let is_compiled = pod.object.is_compiled();
    let help = missing.hint(group, kind, namespace, name).map_or_else(
        || format!("add the {kind} `{name}`, or declare it under `external`"),
        |hint| hint.to_help(kind, name),
    );
    let message = format!("{kind} `{name}` not found {place}");
    // Without a pull secret the Pod still starts, and this name is not the author's.
    let is_pull_secret = reference.usage == Use::ImagePull;
    let managed = reference.name.origin().layer().filter(|_| is_pull_secret);
    let label = managed.map_or_else(
        || format!("not found {place}"),
        |layer| format!("{} refers to it", layer.describe()),
    );
    let mut finding = Diagnostic::new(not_found_rule(target), reference.name.span(), message)
        .at(label)
        .path(&(reference.path)())
        .about(About::AbsentObject(ObjectName::new(group, kind, namespace, name)))
        .note(consequence(target, reference.usage))
        .help(help);
    if !is_compiled || managed.is_some() {
        finding.severity = Severity::Warning;
        finding = finding.note("it may exist in the cluster: only the input is checked");
    }
    sink.report(finding);
}

/// The namespace that is searched for objects of a kind.
fn namespace_of<'o>(target: Target, pod: &PodSpec<'o>) -> &'o str {
    if target.is_cluster_scoped() { "" } else { pod.object.namespace.as_str() }
}

fn report_key(
    object: &Object,
    keys: &BTreeSet<&str>,
    reference: &Reference<'_, '_>,
    sink: &mut Sink,
) {
    let Some((text, key)) = reference.key.and_then(|it| Some((it.as_str()?, it))) else { return };
    let (_, kind) = reference.target.group_kind();
    let rule = match reference.target {
        Target::Secret => &SECRET_KEY_NOT_FOUND,
        _ => &CONFIG_MAP_KEY_NOT_FOUND,
    };
    let candidates: Vec<_> = keys.iter().copied().take(NEAR_KEYS).collect();
    let has = if candidates.is_empty() { "has no data" } else { "has other keys" };
    let message = format!("{kind} `{}` has no key `{text}`", object.name);
    let mut finding = Diagnostic::new(rule, key.span(), message)
        .at("no such key")
        .label(object.name_span(), has)
        .path(&(reference.path)())
        .note(consequence(reference.target, reference.usage))
        .help(
            did_you_mean(text, candidates)
                .unwrap_or_else(|| format!("add `{text}` to the {kind}, or set `optional: true`")),
        );
    if keys.is_empty() {
        finding.severity = Severity::Warning;
    }
    sink.report(finding);
}

/// The number of keys that are searched for a similar one. Thousands of keys are data, not names.
const NEAR_KEYS: usize = 50;

fn data_keys(object: &Object) -> BTreeSet<&str> {
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
