//! References of objects other than Pods: to Services, roles, service accounts, pull secrets, storage
//! classes, volumes, and scale targets.
//!
//! The API server accepts all of these references, so an unresolved name is a warning. A single
//! object gets no warning: a missing object is only evident next to others of its namespace.

mod classes;
mod exclusive;
mod ingress;
mod services;

use self::classes::Classes;
use super::duplicates::AcrossFiles;
use super::made::Made;
use super::references::{Absent, verdict};
use crate::diag::{Severity, Sink, declare_rules};
use crate::kube::{
    Found, GroupVersionKind, Missing, OF_KINDS, Object, ObjectSet, Target, Use, meeting_namespace,
    visit_references,
};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;

declare_rules! {
    DEFAULT_CLASS_AMBIGUOUS = "default-class-ambiguous", Warning;
    EXCLUSIVE_CLAIM_SHARED = "exclusive-claim-shared", Warning;
    PERSISTENT_VOLUME_NOT_FOUND = "persistent-volume-not-found", Warning, follows = [ObjectName, Project];
    ROLE_NOT_FOUND = "role-not-found", Warning, follows = [ObjectName, Project];
    SCALE_TARGET_NOT_FOUND = "scale-target-not-found", Warning, follows = [ObjectName, Project];
    SERVICE_NOT_FOUND = "service-not-found", Warning, follows = [ObjectName, Project];
    SERVICE_NOT_HEADLESS = "service-not-headless", Warning;
    SERVICE_PORT_NOT_FOUND = "service-port-not-found", Warning;
    STORAGE_CLASS_NOT_FOUND = "storage-class-not-found", Warning, follows = [ObjectName, Project];
}

/// The cluster roles that every cluster has, in addition to those with the prefix `system:`.
const BUILT_IN_ROLES: [&str; 4] = ["admin", "cluster-admin", "edit", "view"];

/// The role in `kube-system` that extension API servers bind.
const AUTHENTICATION_READER: &str = "extension-apiserver-authentication-reader";

/// The built-in kinds that can be scaled: group and kind.
pub(super) const SCALED: [(&str, &str); 4] = [
    ("", "ReplicationController"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("apps", "StatefulSet"),
];

/// Checks the references of the run.
pub(super) fn check(set: &ObjectSet<'_>, across_files: AcrossFiles, sink: &mut Sink) {
    let mut check = Check {
        set,
        across_files,
        missing: Missing::new(set),
        made: Made::new(set),
        classes: Classes::read(set),
        kinds: None,
        cluster_roles: None,
        ports: SortedMap::new(),
        sink,
    };
    let of_systems = set.kind_facts().iter().map(|facts| (facts.group, facts.kind));
    for (group, kind) in OF_KINDS.iter().map(|of_kind| (of_kind.0, of_kind.1)).chain(of_systems) {
        for object in set.of_kind(group, kind) {
            visit_references(object, &mut |found| check.reference(object, &found));
        }
    }
    services::check_pods(&mut check);
    exclusive::check(&mut check);
    classes::check_defaults(&mut check);
}

/// The first kinds seen in a namespace; two are enough to know that there is another.
type Kinds<'o> = SortedMap<&'o str, SortedSet<(&'o str, &'o str)>>;

struct Check<'c, 'o> {
    set: &'c ObjectSet<'o>,
    across_files: AcrossFiles,
    missing: Missing<'c, 'o>,
    made: Made<'c, 'o>,
    classes: Classes<'o>,
    kinds: Option<Kinds<'o>>,
    /// The names of all `ClusterRole` objects.
    cluster_roles: Option<SortedSet<&'o str>>,
    /// The numbers or names of the ports of Services, by the name of the Service and the field.
    ports: SortedMap<(Span, &'static str), ingress::Ports<'o>>,
    sink: &'c mut Sink,
}

impl<'o> Check<'_, 'o> {
    fn reference(&mut self, object: &'o Object, found: &Found<'o, '_>) {
        let usage = found.reference.usage;
        let Some(target) = found.target().or_else(|| self.scaled(found)) else { return };
        let Some(name) = found.name.as_str().filter(|name| !name.is_empty()) else { return };
        let is_of_system = object.gvk.facts().is_some();
        match usage {
            // The rules of a system check its other references.
            _ if is_of_system && usage != Use::Class => {}
            Use::Names if object.is_compiled() => {}
            Use::Names => services::check(self, object, found, target),
            Use::Route => ingress::check(self, object, found, target),
            Use::Grant if self.is_role_of_cluster(object, target, name) => {}
            Use::Class | Use::Binding if !self.classes.should_have(usage, name) => {}
            Use::AccountPull if self.made.contains(target, &object.namespace, name) => {}
            _ if target.is_built_in(name) => {}
            _ => self.look_up(object, found, target),
        }
    }

    /// Whether the input has an object of another kind in the namespace.
    fn has_others(&mut self, object: &GroupVersionKind, namespace: &str) -> bool {
        let set = self.set;
        let kinds = self.kinds.get_or_insert_with(|| kinds(set));
        let own = (object.group.as_str(), object.kind.as_str());
        let seen = kinds.get(meeting_namespace(namespace));
        seen.is_some_and(|seen| seen.iter().any(|kind| *kind != own))
    }

    fn exists(&self, target: Target, namespace: &str, name: &str) -> bool {
        let is_service = target.is("", "Service");
        let facts = || self.set.kind_facts().iter();
        let makers = || facts().filter(|facts| is_service && facts.has_service);
        // An object without a namespace gets the namespace of the command that applies it.
        [namespace, ""].into_iter().any(|namespace| {
            let has = |group, kind| self.set.find(group, kind, namespace, name).is_some();
            has(target.group, target.kind)
                || makers().any(|maker| has(maker.group, maker.kind))
                || self.set.is_external(target.group, target.kind, namespace, name)
        })
    }

    /// Reports a reference to an object that does not exist.
    fn look_up(&mut self, object: &'o Object, found: &Found<'o, '_>, target: Target) {
        let Some((rule, consequence)) = verdict(found.reference.usage, target) else { return };
        let Some(name) = found.name.as_str() else { return };
        let namespace = found.namespace(&object.namespace);
        if self.exists(target, namespace, name) || !self.has_others(&object.gvk, namespace) {
            return;
        }
        let hint = self.missing.hint(target.group, target.kind, namespace, name);
        let absent = Absent { target, namespace, name, rule, hint };
        let mut finding = absent
            .finding(found.name.span())
            .path(&found.owner_path.field(found.field))
            .note(consequence)
            .note("it may exist in the cluster: only the input is checked");
        finding.severity = Severity::Warning;
        self.sink.report(finding);
    }

    /// Whether a role that a binding names can be one that the input does not show.
    fn is_role_of_cluster(&mut self, binding: &Object, role: Target, name: &str) -> bool {
        if !role.is_cluster_scoped {
            return binding.namespace == "kube-system"
                && (name == AUTHENTICATION_READER || name.starts_with("system:"));
        }
        let set = self.set;
        let roles = self.cluster_roles.get_or_insert_with(|| {
            set.of_kind(role.group, role.kind).map(|role| role.name.as_str()).collect()
        });
        // Cluster roles often belong to other systems, so a missing one is only reported if the
        // input has its own. The API server ignores a namespace that is written in one.
        let is_foreign = roles.is_empty();
        let is_built_in = name.starts_with("system:") || BUILT_IN_ROLES.contains(&name);
        is_foreign || is_built_in || roles.contains(name)
    }

    /// The kind of the object that an autoscaler scales, if it is known.
    fn scaled(&self, found: &Found<'o, '_>) -> Option<Target> {
        let (group, kind) = found.group_kind().filter(|_| found.reference.usage == Use::Scale)?;
        let built_in = SCALED.into_iter().find(|scaled| *scaled == (group, kind));
        let of_system = || self.set.facts(group, kind).map(|facts| (facts.group, facts.kind));
        let (group, kind) = built_in.or_else(of_system)?;
        Some(Target::namespaced(group, kind))
    }
}

fn kinds<'o>(set: &ObjectSet<'o>) -> Kinds<'o> {
    let mut kinds = Kinds::new();
    for object in set.all() {
        let seen = kinds.entry(meeting_namespace(&object.namespace)).or_default();
        if seen.len() < 2 {
            seen.insert((object.gvk.group.as_str(), object.gvk.kind.as_str()));
        }
    }
    kinds
}
