//! References of objects other than Pods: to Services, roles, service accounts, pull secrets, storage
//! classes, volumes, and scale targets.
//!
//! The API server accepts all of these references, so an unresolved name is a warning. A single
//! object gets no warning: a missing object is only evident next to others of its namespace.

mod accounts;
mod classes;
mod exclusive;
mod ingress;
mod services;

use super::duplicates::AcrossFiles;
use super::references::SERVICE_ACCOUNT_NOT_FOUND;
use crate::diag::{About, Diagnostic, ObjectName, Rule, Severity, Sink, declare_rules, message};
use crate::kube::{GroupVersionKind, Missing, Object, ObjectSet, meeting_namespace};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::{Node, Path, items};
use crate::validate::fields::{filled_text, text_at, text_of};

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

const RBAC: &str = "rbac.authorization.k8s.io";
/// The cluster roles that every cluster has, in addition to those with the prefix `system:`.
const BUILT_IN_ROLES: [&str; 4] = ["admin", "cluster-admin", "edit", "view"];

/// The role in `kube-system` that extension API servers bind.
const AUTHENTICATION_READER: &str = "extension-apiserver-authentication-reader";

/// The built-in kinds that can be scaled, with the number of Pods in `spec.replicas`: group and kind.
pub(super) const SCALED: [(&str, &str); 4] = [
    ("", "ReplicationController"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("apps", "StatefulSet"),
];

/// Checks the references of the run.
pub(super) fn check(set: &ObjectSet<'_>, across_files: AcrossFiles, sink: &mut Sink) {
    let (missing, kinds, cluster_roles) = (Missing::new(set), None, None);
    let ports = SortedMap::new();
    let mut check = Check { set, across_files, missing, kinds, cluster_roles, ports, sink };
    for object in set.of_kind("networking.k8s.io", "Ingress") {
        ingress::check(&mut check, object);
    }
    for kind in ["RoleBinding", "ClusterRoleBinding"] {
        for object in set.of_kind(RBAC, kind) {
            check.role(object);
            check.subjects(object);
        }
    }
    for object in set.of_kind("autoscaling", "HorizontalPodAutoscaler") {
        check.scale_target(object);
    }
    accounts::check(&mut check);
    classes::check_claims(&mut check);
    classes::check_volumes(&mut check);
    services::check(&mut check);
    exclusive::check(&mut check);
    classes::check_defaults(&mut check);
}

/// The first kinds seen in a namespace; two are enough to know that there is another.
type Kinds<'o> = SortedMap<&'o str, SortedSet<(&'o str, &'o str)>>;

struct Check<'c, 'o> {
    set: &'c ObjectSet<'o>,
    across_files: AcrossFiles,
    missing: Missing<'c, 'o>,
    kinds: Option<Kinds<'o>>,
    /// The names of all `ClusterRole` objects.
    cluster_roles: Option<SortedSet<&'o str>>,
    /// The numbers or names of the ports of Services, by the name of the Service and the field.
    ports: SortedMap<(Span, &'static str), ingress::Ports<'o>>,
    sink: &'c mut Sink,
}

/// A reference to an object.
struct Reference<'r> {
    rule: &'static Rule,
    group: &'static str,
    kind: &'static str,
    /// The namespace; empty for cluster-scoped kinds, and if none is set.
    namespace: &'r str,
    node: &'r Node,
    /// The consequence of a missing object.
    consequence: &'static str,
}

impl<'o> Check<'_, 'o> {
    /// Whether the input has an object of another kind in the namespace.
    fn has_others(&mut self, object: &GroupVersionKind, namespace: &str) -> bool {
        let set = self.set;
        let kinds = self.kinds.get_or_insert_with(|| made_kinds(set));
        let own = (object.group.as_str(), object.kind.as_str());
        kinds
            .get(meeting_namespace(namespace))
            .is_some_and(|kinds| kinds.iter().any(|kind| *kind != own))
    }

    fn exists(&self, reference: &Reference<'_>, name: &str) -> bool {
        let (group, kind) = (reference.group, reference.kind);
        // An object without a namespace gets the namespace of the command that applies it.
        let is_service = (group, kind) == ("", "Service");
        let makers =
            || self.set.kind_facts().iter().filter(|facts| is_service && facts.has_service);
        [reference.namespace, ""].into_iter().any(|namespace| {
            let has = |group, kind| self.set.find(group, kind, namespace, name).is_some();
            has(group, kind)
                || makers().any(|facts| has(facts.group, facts.kind))
                || self.set.is_external(group, kind, namespace, name)
        })
    }

    /// Reports a reference to an object that does not exist.
    fn look_up(&mut self, object: &Object, reference: &Reference<'_>, path: &Path<'_>) {
        let Some(name) = reference.node.as_str().filter(|it| !it.is_empty()) else { return };
        let namespace = reference.namespace;
        if self.exists(reference, name) || !self.has_others(&object.gvk, namespace) {
            return;
        }
        let kind = reference.kind;
        let place = match namespace {
            "" => "in the input".to_owned(),
            namespace => format!("in namespace `{namespace}`"),
        };
        let help = self.missing.hint(reference.group, kind, namespace, name).map_or_else(
            || message!("add the {kind} `{name}`, or declare it under `external`"),
            |hint| hint.to_help(kind, name),
        );
        let message = message!("{kind} `{name}` not found {place}");
        let mut finding = Diagnostic::new(reference.rule, reference.node.span(), message)
            .at(message!("not found {place}"))
            .path(path)
            .about(About::AbsentObject(ObjectName::new(reference.group, kind, namespace, name)))
            .note(reference.consequence)
            .note("it may exist in the cluster: only the input is checked")
            .help(help);
        finding.severity = Severity::Warning;
        self.sink.report(finding);
    }

    fn role(&mut self, object: &'o Object) {
        let Some(node) = object.root.at(&["roleRef", "name"]) else { return };
        let name = text_of(node);
        let (kind, namespace) = match object.root.str_at(&["roleRef", "kind"]) {
            Some("Role") if object.gvk.kind == "RoleBinding" => ("Role", object.namespace.as_str()),
            Some("ClusterRole") => ("ClusterRole", ""),
            _ => return,
        };
        let is_built_in = name.starts_with("system:") || BUILT_IN_ROLES.contains(&name);
        // Cluster roles often belong to other systems, so a missing one is only reported if the
        // input has its own.
        let is_foreign =
            kind == "ClusterRole" && self.set.of_kind(RBAC, "ClusterRole").next().is_none();
        let is_of_system = kind == "Role"
            && namespace == "kube-system"
            && (name == AUTHENTICATION_READER || name.starts_with("system:"));
        // The API server ignores a namespace that is written in a ClusterRole.
        let has_namespace = kind == "ClusterRole" && self.has_cluster_role(name);
        if is_of_system || has_namespace || kind == "ClusterRole" && (is_built_in || is_foreign) {
            return;
        }
        let root = Path::root();
        let consequence = "the binding grants nothing until the role exists";
        let rule = &ROLE_NOT_FOUND;
        let reference = Reference { rule, group: RBAC, kind, namespace, node, consequence };
        self.look_up(object, &reference, &root.field("roleRef").field("name"));
    }

    fn has_cluster_role(&mut self, name: &str) -> bool {
        let set = self.set;
        let names = || set.of_kind(RBAC, "ClusterRole").map(|role| role.name.as_str()).collect();
        self.cluster_roles.get_or_insert_with(names).contains(name)
    }

    fn subjects(&mut self, object: &'o Object) {
        let root = Path::root();
        let field = root.field("subjects");
        let subjects = items(&object.root, "subjects");
        for (index, subject) in subjects.iter().enumerate() {
            let Some(node) = subject.get("name") else { continue };
            let is_account = subject.str_at(&["kind"]) == Some("ServiceAccount");
            // Every namespace has this ServiceAccount.
            if !is_account || node.as_str() == Some("default") {
                continue;
            }
            let namespace = filled_text(subject, "namespace").unwrap_or(&object.namespace);
            let reference = Reference {
                rule: &SERVICE_ACCOUNT_NOT_FOUND,
                group: "",
                kind: "ServiceAccount",
                namespace,
                node,
                consequence: "the binding grants nothing until the service account exists",
            };
            self.look_up(object, &reference, &field.index(index).field("name"));
        }
    }

    fn scale_target(&mut self, object: &'o Object) {
        let Some(target) = object.root.at(&["spec", "scaleTargetRef"]) else { return };
        let Some(node) = target.get("name") else { return };
        let version = text_at(target, &["apiVersion"]);
        let gvk = GroupVersionKind::new(version, text_at(target, &["kind"]));
        let built_in = SCALED.into_iter().find(|(group, kind)| gvk.is(group, kind));
        let of_system =
            || self.set.facts(&gvk.group, &gvk.kind).map(|facts| (facts.group, facts.kind));
        let Some((group, kind)) = built_in.or_else(of_system) else { return };
        let root = Path::root();
        let spec = root.field("spec");
        let reference = Reference {
            rule: &SCALE_TARGET_NOT_FOUND,
            group,
            kind,
            namespace: &object.namespace,
            node,
            consequence: "the autoscaler does nothing until it exists",
        };
        self.look_up(object, &reference, &spec.field("scaleTargetRef").field("name"));
    }
}

fn made_kinds<'o>(set: &ObjectSet<'o>) -> Kinds<'o> {
    let mut kinds = Kinds::new();
    for object in set.all() {
        let seen = kinds.entry(meeting_namespace(&object.namespace)).or_default();
        if seen.len() < 2 {
            seen.insert((object.gvk.group.as_str(), object.gvk.kind.as_str()));
        }
    }
    kinds
}
