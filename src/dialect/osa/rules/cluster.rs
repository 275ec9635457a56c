//! Requirements of an archive's Jobs on the cluster: the namespace, and a volume claim that many
//! nodes can mount.

use crate::diag::{About, Diagnostic, ObjectName, Sink, declare_rules, message};
use crate::dialect::osa::identity::{ROLE_LABEL, Role};
use crate::kube::{Object, ObjectSet};
use crate::scalar::Quantity;
use crate::sorted::SortedSet;
use crate::tree::{Node, items};

declare_rules! {
    OSA_CLAIM_NOT_SHARED = "osa-claim-not-shared", Warning;
    OSA_NAMESPACE_NOT_FOUND = "osa-namespace-not-found", Error, follows = [ObjectName];
    OSA_STORAGE_LIMIT_LOW = "osa-storage-limit-low", Warning;
}

/// Checks the objects of archives, including manifests.
pub(in crate::dialect::osa) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    let jobs: Vec<_> = set.of_kind("batch", "Job").filter(|job| role_of(job).is_some()).collect();
    let policies =
        set.of_kind("networking.k8s.io", "NetworkPolicy").filter(|policy| isolates_hooks(policy));
    let mut namespaces = SortedSet::new();
    for object in jobs.iter().copied().chain(policies).filter(|it| it.is_compiled()) {
        if namespaces.insert(object.namespace.as_str()) {
            check_namespace(object, set, sink);
        }
    }
    let mut claims = SortedSet::new();
    for job in jobs {
        let Some(spec) = job.root.at(&["spec", "template", "spec"]) else { continue };
        check_storage_limit(spec, sink);
        let claim =
            value_of_named(spec, "volumes", "data", &["persistentVolumeClaim", "claimName"]);
        if let Some(claim) = claim
            && claims.insert((job.namespace.as_str(), claim.as_str()))
        {
            check_claim(job, claim, set, sink);
        }
    }
}

/// The value at a path in the items of a list that have a name.
fn value_of_named<'n>(spec: &'n Node, list: &str, name: &str, path: &[&str]) -> Option<&'n Node> {
    let mut named = items(spec, list).iter().filter(|item| item.str_at(&["name"]) == Some(name));
    named.find_map(|item| item.at(path))
}

fn role_of(job: &Object) -> Option<&str> {
    let role = job.root.str_at(&["metadata", "labels", ROLE_LABEL])?;
    [Role::Hook, Role::Source].into_iter().map(Role::as_str).find(|known| *known == role)
}

fn isolates_hooks(policy: &Object) -> bool {
    let selector = policy.root.at(&["spec", "podSelector", "matchLabels"]);
    selector.and_then(|it| it.str_at(&[ROLE_LABEL])) == Some(Role::Hook.as_str())
}

fn check_namespace(object: &Object, set: &ObjectSet<'_>, sink: &mut Sink) {
    let name = object.namespace.as_str();
    let exists = ["", "default", "kube-system", "kube-public", "kube-node-lease"].contains(&name)
        || set.find("", "Namespace", "", name).is_some()
        || set.is_external("", "Namespace", "", name);
    let Some(node) = object.root.at(&["metadata", "namespace"]).filter(|_| !exists) else { return };
    sink.report(
        Diagnostic::new(
            &OSA_NAMESPACE_NOT_FOUND,
            node.span(),
            message!("Namespace `{name}` not found in the input"),
        )
        .at("not in the input")
        .about(About::AbsentObject(ObjectName::new("", "Namespace", "", name)))
        .note(message!(
            "the server of the archive does not start without it: \"K8s namespace '{name}' not found. Create the \
             namespace or update OSA_RUNNER__K8S__NAMESPACE.\""
        ))
        .help(message!(
            "add the Namespace `{name}`, or declare it under `external` if the cluster has it"
        )),
    );
}

/// Checks the claim, which the server and Jobs on other nodes mount.
fn check_claim(job: &Object, claim: &Node, set: &ObjectSet<'_>, sink: &mut Sink) {
    let name = claim.as_str().unwrap_or("");
    let Some(object) = set.find("", "PersistentVolumeClaim", &job.namespace, name) else { return };
    let Some(modes) = object.root.at(&["spec", "accessModes"]) else { return };
    if modes.items().iter().any(|mode| mode.as_str() == Some("ReadWriteMany")) {
        return;
    }
    let message = message!("PersistentVolumeClaim `{name}` cannot be mounted on several nodes");
    sink.report(
        Diagnostic::new(&OSA_CLAIM_NOT_SHARED, modes.span(), message)
            .at("not `ReadWriteMany`")
            .label(claim.span(), "mounted by the server and all Jobs")
            .note("a Job on another node than the server's stays `Pending`")
            .help("add the access mode `ReadWriteMany`"),
    );
}

/// Checks the storage limit: `/tmp` counts against it, so the kubelet evicts a hook before `/tmp`
/// is full.
fn check_storage_limit(spec: &Node, sink: &mut Sink) {
    let size = value_of_named(spec, "volumes", "tmp", &["emptyDir", "sizeLimit"]);
    let limit_path = &["resources", "limits", "ephemeral-storage"];
    let limit = value_of_named(spec, "containers", Role::Hook.as_str(), limit_path);
    let amount = |node: Option<&Node>| Quantity::parse(node?.as_str()?).ok();
    let (Some(room), Some(most), Some(limit)) = (amount(size), amount(limit), limit) else {
        return;
    };
    if most < room {
        let message =
            message!("`ephemeral-storage` limit {most} is less than the {room} of `/tmp`");
        sink.report(
            Diagnostic::new(&OSA_STORAGE_LIMIT_LOW, limit.span(), message)
                .at("less than the size of `/tmp`")
                .note("the kubelet evicts the Pod when its files exceed the limit")
                .help(message!("write at least `{room}`, or remove the limit")),
        );
    }
}
