//! Labels and annotations in pod templates, and their effect on the Pods.

use super::blueprint::volume_claim_templates;
use super::fleet::{Fleet, Template};
use super::wording::{field_of, kind_of, title};
use crate::diag::{
    About, CommonCause, Diagnostic, Message, Rule, Sink, declare_rules, listed, message,
};
use crate::dialect::agent_sandbox::names::{
    CREATED_BY, KNOWN_CREATORS, SAFE_TO_EVICT, is_reserved_annotation, is_reserved_label,
};
use crate::kube::Object;
use crate::scalar::{check_label_value, check_qualified_name};
use crate::schema::check_annotations_size;
use crate::tree::{Entry, Node, Origin};

declare_rules! {
    POD_METADATA_RESERVED = "pod-metadata-reserved", Warning;
    POD_LABEL_ROUTER = "pod-label-router", Warning;
    SAFE_TO_EVICT_UNSET = "safe-to-evict-unset", Note, follows = [Structure];
    CREATED_BY_UNKNOWN = "created-by-unknown", Warning;
    TEMPLATE_METADATA_KEY_INVALID = "template-metadata-key-invalid", Error;
    TEMPLATE_LABEL_VALUE_INVALID = "template-label-value-invalid", Error;
}

/// Checks all templates, Sandboxes and claims.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    for template in &fleet.templates {
        check_pod_metadata(template.object, sink);
        check_volume_claims(template.object, sink);
        check_safe_to_evict(fleet, template, sink);
    }
    for sandbox in &fleet.sandboxes {
        check_pod_metadata(sandbox, sink);
        check_volume_claims(sandbox, sink);
        check_created_by(sandbox, sink);
    }
    for claim in &fleet.claims {
        check_volume_claims(claim.object, sink);
        check_created_by(claim.object, sink);
    }
}

fn check_pod_metadata(object: &Object, sink: &mut Sink) {
    let Some(metadata) = object.root.at(&["spec", "podTemplate", "metadata"]) else { return };
    for field in ["labels", "annotations"] {
        let path = format!("spec.podTemplate.metadata.{field}");
        let is_reserved =
            if field == "labels" { is_reserved_label } else { is_reserved_annotation };
        for entry in metadata.get(field).map_or(&[][..], Node::entries) {
            if is_reserved(&entry.key) {
                report_reserved(object, entry, field, &path, sink);
            } else {
                check_entry(entry, field, &path, sink);
            }
        }
    }
    if let Some(finding) = metadata.get("annotations").and_then(check_annotations_size) {
        let path = "spec.podTemplate.metadata.annotations";
        let note = message!(
            "the API server accepts the {} but rejects the Pod that its controller creates",
            object.gvk.kind
        );
        sink.report(finding.path(path).note(note));
    }
    let router = metadata.get("labels").and_then(|labels| labels.entry("app"));
    if let Some(entry) = router.filter(|entry| entry.value.as_str() == Some("sandbox-router")) {
        let message = "Pods of this template have the label of the sandbox router";
        let finding = Diagnostic::new(&POD_LABEL_ROUTER, entry.value.span(), message)
            .at("the router's own label")
            .path(&"spec.podTemplate.metadata.labels[app]")
            .note("NetworkPolicies of templates allow traffic from `app: sandbox-router` in its namespace")
            .help("change the value of the label");
        sink.report(finding);
    }
}

fn report_reserved(object: &Object, entry: &Entry, field: &str, path: &str, sink: &mut Sink) {
    let noun = noun_of(field);
    let message = message!("controller removes {noun} `{}` from the Pod", entry.key);
    let help = if entry.key == CREATED_BY {
        message!("move it to the {} itself", kind_of(object))
    } else {
        message!("use your own prefix, such as `example.com/{}`", name_part(&entry.key))
    };
    let finding = Diagnostic::new(&POD_METADATA_RESERVED, entry.key_origin().span(), message)
        .at("reserved")
        .path(&format!("{path}[{}]", entry.key))
        .because_of(CommonCause::Key(entry.key.as_str().into()))
        .help(help);
    sink.report(finding);
}

fn noun_of(field: &str) -> &'static str {
    if field == "labels" { "label" } else { "annotation" }
}

fn name_part(key: &str) -> &str {
    key.split_once('/').map_or(key, |(_, name)| name)
}

fn check_volume_claims(object: &Object, sink: &mut Sink) {
    for (index, claim) in volume_claim_templates(object).iter().enumerate() {
        for field in ["labels", "annotations"] {
            let path = format!("spec.volumeClaimTemplates[{index}].metadata.{field}");
            for entry in claim.at(&["metadata", field]).map_or(&[][..], Node::entries) {
                check_entry(entry, field, &path, sink);
            }
        }
    }
}

fn check_entry(entry: &Entry, field: &str, path: &str, sink: &mut Sink) {
    let path = || format!("{path}[{}]", entry.key);
    if let Err(fault) = check_qualified_name(&entry.key) {
        let message = message!("{} key `{}` {fault}", noun_of(field), entry.key);
        report_invalid(&TEMPLATE_METADATA_KEY_INVALID, entry.key_origin(), message, &path(), sink);
    }
    let Some(value) = entry.value.as_str().filter(|_| field == "labels") else { return };
    if let Err(fault) = check_label_value(value) {
        let message = message!("value `{value}` of label `{}` {fault}", entry.key);
        report_invalid(&TEMPLATE_LABEL_VALUE_INVALID, entry.value.origin(), message, &path(), sink);
    }
}

fn report_invalid(
    rule: &'static Rule,
    origin: Origin,
    message: Message,
    path: &str,
    sink: &mut Sink,
) {
    let is_value = rule == &TEMPLATE_LABEL_VALUE_INVALID;
    let (about, help) = if is_value {
        (About::Other, "change it, or use an annotation, which accepts any string")
    } else {
        (About::InvalidKey, "write `name` or `example.com/name`")
    };
    let finding = Diagnostic::new(rule, origin.span(), message)
        .at("rejected when the object is created")
        .path(&path)
        .about(about)
        .help(help);
    sink.report(finding);
}

fn check_safe_to_evict(fleet: &Fleet<'_, '_>, template: &Template<'_>, sink: &mut Sink) {
    // A missing pod template is reported by the schema.
    let has_pod = template.object.root.at(&["spec", "podTemplate"]).is_some();
    if !has_pod || template.blueprint.annotations.contains(SAFE_TO_EVICT) {
        return;
    }
    let Some(pool) = fleet.pools_of(template).find(|pool| pool.replicas > 0) else { return };
    let object = template.object;
    let message =
        message!("idle sandboxes of {} can be evicted, but claimed ones cannot", title(object));
    let finding = Diagnostic::new(&SAFE_TO_EVICT_UNSET, object.name_span(), message)
        .at(message!("does not set `{SAFE_TO_EVICT}`"))
        .label(pool.object.name_span(), "keeps members of it")
        .path(&"spec.podTemplate.metadata.annotations")
        .note("the controller sets the annotation to `\"true\"` on members, and removes it when a claim takes them")
        .help(message!(
            "set `{SAFE_TO_EVICT}: \"true\"` or `\"false\"` in `{}`",
            field_of(object, "podTemplate.metadata.annotations")
        ));
    sink.report(finding);
}

fn check_created_by(object: &Object, sink: &mut Sink) {
    let labels = object.root.at(&["metadata", "labels"]);
    let Some(entry) = labels.and_then(|labels| labels.entry(CREATED_BY)) else { return };
    let Some(value) = entry.value.as_str().filter(|value| !KNOWN_CREATORS.contains(value)) else {
        return;
    };
    let message = message!("controller labels the Pod as created by `unknown`, not by `{value}`");
    let finding = Diagnostic::new(&CREATED_BY_UNKNOWN, entry.value.span(), message)
        .at("not a known client")
        .path(&format!("metadata.labels[{CREATED_BY}]"))
        .note(message!("known clients: {}", listed(KNOWN_CREATORS.iter().copied())))
        .suggest_near(entry.value.span(), value, KNOWN_CREATORS.iter().copied());
    sink.report(finding);
}
