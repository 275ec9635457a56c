//! The metadata of every object except its name, labels and annotations: after `ValidateObjectMeta`
//! of apimachinery's `api/validation/objectmeta.go` and of Kubernetes' `pkg/apis/core/validation`.

use super::judge::{Absence, Judge, Place, Rejection, is_true, items, shown, text_at};
use super::repeated::repeated;
use super::reviews::is_review;
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::check_qualified_name;
use crate::schema::store;
use crate::tree::Node;

declare_rules! {
    FINALIZER_INVALID = "finalizer-invalid", Error;
    OWNER_REFERENCE_INVALID = "owner-reference-invalid", Error;
    OWNER_REFERENCE_REPEATED = "owner-reference-repeated", Warning;
    RESOURCE_VERSION_SET = "resource-version-set", Warning;
}

/// The finalizers without a domain (`IsStandardFinalizerName`).
const STANDARD_FINALIZERS: [&str; 3] = ["kubernetes", ORPHAN, FOREGROUND];
const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";

/// The first minor version that sets `generation` of a HorizontalPodAutoscaler.
const AUTOSCALER_MINOR: u8 = 37;

/// Checks the metadata of one object.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(metadata) = judge.object.root.get("metadata") else { return };
    if is_review(&judge.object.gvk.group) || judge.object.gvk.is("", "Binding") {
        return;
    }
    if keeps_generation(judge) {
        judge.ranged(metadata, "generation", 0..=i64::MAX);
    }
    check_finalizers(judge, items(metadata, "finalizers"), (metadata, "finalizers").into());
    check_owners(judge, items(metadata, "ownerReferences"), (metadata, "ownerReferences").into());
    check_resource_version(judge, metadata);
}

/// Whether the kind's `PrepareForCreate` keeps `generation`; other kinds set it to 1.
fn keeps_generation(judge: &Judge<'_>) -> bool {
    let gvk = &judge.object.gvk;
    let is_set = match (gvk.group.as_str(), gvk.kind.as_str()) {
        ("", kind) => matches!(kind, "Pod" | "PodTemplate" | "ReplicationController"),
        ("apps", kind) => kind != "ControllerRevision",
        ("autoscaling", _) => judge.minor >= AUTOSCALER_MINOR,
        ("networking.k8s.io", kind) => {
            matches!(kind, "Ingress" | "IngressClass" | "NetworkPolicy")
        }
        ("resource.k8s.io", kind) => {
            matches!(kind, "DeviceClass" | "DeviceTaintRule" | "ResourceSlice")
        }
        (group, _) => matches!(
            group,
            "batch"
                | "policy"
                | "discovery.k8s.io"
                | "scheduling.k8s.io"
                | "admissionregistration.k8s.io"
                | "apiextensions.k8s.io"
                | "flowcontrol.apiserver.k8s.io"
        ),
    };
    !is_set && is_built_in(judge)
}

fn is_built_in(judge: &Judge<'_>) -> bool {
    let gvk = &judge.object.gvk;
    store::kind(&gvk.group, &gvk.version, &gvk.kind).is_some()
}

/// Whether a finalizer without a domain must be one of Kubernetes' own. Kinds that only
/// apimachinery validates accept any.
fn knows_finalizers(judge: &Judge<'_>) -> bool {
    let is_generic = matches!(
        judge.object.gvk.group.as_str(),
        "admissionregistration.k8s.io"
            | "apiextensions.k8s.io"
            | "apiregistration.k8s.io"
            | "coordination.k8s.io"
            | "node.k8s.io"
            | "policy"
    ) || judge.object.gvk.is("", "Event");
    !is_generic && is_built_in(judge)
}

fn check_finalizers(judge: &mut Judge<'_>, finalizers: &[Node], place: Place<'_>) {
    let is_known_kind = knows_finalizers(judge);
    for node in finalizers {
        check_finalizer(judge, node, is_known_kind);
    }
    let named = |name: &str| finalizers.iter().find(|finalizer| finalizer.as_str() == Some(name));
    if let (Some(orphan), Some(foreground)) = (named(ORPHAN), named(FOREGROUND)) {
        let message = message!("finalizers `{ORPHAN}` and `{FOREGROUND}` are mutually exclusive");
        let texts = (
            message,
            "deletes the dependents",
            "remove one or both: the deletion request chooses the policy",
        );
        judge.conflict(
            &FINALIZER_INVALID,
            (foreground.span(), place),
            texts,
            (orphan, "keeps the dependents"),
        );
    }
}

/// Checks one finalizer; `needs_domain` requires a domain unless it is one of Kubernetes' own.
pub(super) fn check_finalizer(judge: &mut Judge<'_>, node: &Node, needs_domain: bool) {
    let Some(text) = node.as_str() else { return };
    if check_qualified_name(text).is_err() {
        let rule = (&FINALIZER_INVALID, "finalizer");
        let help = |_: &str| "write it like `example.com/cleanup`".into();
        judge.form(node, rule, check_qualified_name, help);
    } else if !text.contains('/') && !STANDARD_FINALIZERS.contains(&text) && needs_domain {
        let message = message!("finalizer `{text}` has no domain");
        let finding = Diagnostic::new(&FINALIZER_INVALID, node.span(), message)
            .at("neither built in nor `<domain>/<name>`")
            .help(message!("add the domain of its controller: `example.com/{text}`"));
        judge.report(finding, node);
    }
}

fn check_owners(judge: &mut Judge<'_>, owners: &[Node], place: Place<'_>) {
    for owner in owners {
        check_owner(judge, owner);
    }
    let copies = repeated_owners(owners);
    for (owner, first) in &copies {
        let message = message!(
            "duplicate owner `{}` `{}`",
            shown(text_at(owner, &["kind"])),
            shown(text_at(owner, &["name"]))
        );
        let finding = Diagnostic::new(&OWNER_REFERENCE_REPEATED, owner.span(), message)
            .at("dropped")
            .label(first.span(), "first listed here")
            .note("the API server removes duplicate owners and warns about them")
            .help("remove one of the two");
        judge.report_as(Rejection::Never, finding, place);
    }
    let is_kept = |owner: &&Node| copies.iter().all(|(copy, _)| !std::ptr::eq(*copy, *owner));
    let mut controllers =
        owners.iter().filter(|owner| is_true(owner, "controller")).filter(is_kept);
    let Some(first) = controllers.next() else { return };
    for other in controllers {
        let span = |owner: &Node| owner.get("controller").map_or(owner.span(), Node::span);
        let message = "the object has two controlling owners";
        let finding = Diagnostic::new(&OWNER_REFERENCE_INVALID, span(other), message)
            .at("a second controller")
            .label(span(first), "the first controller")
            .help("remove `controller: true` from one of the owners");
        judge.report(finding, place);
    }
}

/// The owners that equal an earlier one, which the server drops before it validates (`dedupOwnerReferences`
/// of k8s.io/apiserver), each with that earlier one.
fn repeated_owners(owners: &[Node]) -> Vec<(&Node, &Node)> {
    let uids = owners.iter().filter_map(|owner| Some((owner.str_at(&["uid"])?, owner)));
    let mut found = Vec::new();
    repeated(uids, |_, owner, first| {
        if owner.same_value(first) {
            found.push((owner, first));
        }
    });
    found
}

fn check_owner(judge: &mut Judge<'_>, owner: &Node) {
    for field in ["kind", "name", "uid"] {
        judge.needed(owner, field, Absence::BySchema);
    }
    let Some((node, version)) = judge.needed_node(owner, "apiVersion", Absence::BySchema) else {
        return;
    };
    let mut parts = version.splitn(2, '/');
    let last = match (parts.next(), parts.next()) {
        (_, Some(rest)) => rest,
        (first, None) => first.unwrap_or_default(),
    };
    if last.is_empty() || last.contains('/') {
        let text = (
            message!("invalid `apiVersion` `{}` of an owner", shown(version)),
            "has no version",
            "write the owner's `apiVersion`, such as `v1` or `apps/v1`",
        );
        judge.fault(&OWNER_REFERENCE_INVALID, node, text);
    } else if matches!(version, "v1" | "/v1") && owner.str_at(&["kind"]) == Some("Event") {
        let at = owner.get("kind").map_or(owner.span(), Node::span);
        let text = ("an Event is an owner of the object", "name another owner, or none");
        judge.refuse(&OWNER_REFERENCE_INVALID, (at, owner), text);
    }
}

/// Reports a resource version, which the storage rejects
/// (`resourceVersion should not be set on objects to be created`); a dry run does not get that far.
fn check_resource_version(judge: &mut Judge<'_>, metadata: &Node) {
    let Some(entry) = metadata.entry("resourceVersion") else { return };
    if entry.value.as_str().is_none_or(str::is_empty) {
        return;
    }
    let message = message!("`resourceVersion` is set on {}", judge.object.describe());
    let text =
        (message, "not allowed on create", "remove `resourceVersion`: the API server sets it");
    judge.fault(&RESOURCE_VERSION_SET, entry, text);
}
