//! Objects that the API server answers and does not store, after Kubernetes'
//! `pkg/apis/authorization/validation` and the handlers in `pkg/registry`.

use super::judge::{Absence, Judge, filled, filled_text, items, start, text_at, value_or_start};
use super::names::{NameForm, check_name, needed_name};
use super::selectors;
use crate::diag::{FieldPath, declare_rules, message};
use crate::tree::Node;

declare_rules! {
    REVIEW_INVALID = "review-invalid", Error, follows = [Misplaced];
}

/// The first minor version that validates the name of the node in a Binding.
const NODE_NAME_MINOR: u8 = 37;

/// Whether the objects of a group are reviews, whose metadata the API server does not validate.
pub(in crate::validate) fn is_review(group: &str) -> bool {
    matches!(group, "authentication.k8s.io" | "authorization.k8s.io")
}

/// Checks the review of a token.
pub(super) fn check_token(judge: &mut Judge<'_>) {
    if let Some(spec) = judge.object.root.get("spec") {
        judge.needed(spec, "token", Absence::BySchema);
    }
}

/// Checks the review of the rules of the client.
pub(super) fn check_rules(judge: &mut Judge<'_>) {
    if let Some(spec) = judge.needed_map(&judge.object.root, "spec") {
        judge.needed(spec, "namespace", Absence::Here);
    }
}

/// Checks the review of an access.
pub(super) fn check_access(judge: &mut Judge<'_>) {
    let object = judge.object;
    let empty = Node::map(object.root.origin());
    let spec = judge.spec_or(&empty);
    let kind = object.gvk.kind.as_str();
    check_metadata(judge, kind);
    let (resource, other) = (spec.get("resourceAttributes"), spec.get("nonResourceAttributes"));
    match (resource, other) {
        (Some(_), Some(other)) => {
            let text = (
                "a review has both `resourceAttributes` and `nonResourceAttributes`",
                "remove one of the two",
            );
            judge.refuse(&REVIEW_INVALID, (other.span(), (&judge.object.root, "spec")), text);
        }
        (None, None) => {
            let text = (
                "a review has neither `resourceAttributes` nor `nonResourceAttributes`",
                "set `resourceAttributes: {verb: ..., resource: ...}`",
            );
            let fields = (spec, &["resourceAttributes", "nonResourceAttributes"][..]);
            judge.lacks_all_of(
                &REVIEW_INVALID,
                (start(spec), (&judge.object.root, "spec")),
                text,
                fields,
            );
        }
        _ => {}
    }
    let has_user = filled_text(spec, "user").is_some();
    if kind != "SelfSubjectAccessReview" && !has_user && items(spec, "groups").is_empty() {
        let text = ("a review has neither `user` nor `groups`", "set `user`");
        let fields = (spec, &["user", "groups"][..]);
        judge.lacks_all_of(
            &REVIEW_INVALID,
            (start(spec), (&judge.object.root, "spec.user")),
            text,
            fields,
        );
    }
    if kind == "LocalSubjectAccessReview" {
        check_local_review(judge, resource, other);
    }
    if let Some(resource) = resource {
        for field in ["fieldSelector", "labelSelector"] {
            if let Some(selector) = resource.get(field) {
                check_selector(judge, selector, field);
            }
        }
    }
}

/// The metadata of a review is empty, except for the namespace of a local one.
fn check_metadata(judge: &mut Judge<'_>, kind: &str) {
    let Some(metadata) = judge.object.root.get("metadata") else { return };
    // The API server clears these fields.
    let fields = ["managedFields", "creationTimestamp", "uid", "selfLink", "deletionTimestamp"];
    let cleared = |key: &str| fields.contains(&key) || key == "deletionGracePeriodSeconds";
    let is_empty = |node: &Node| {
        node.as_str() == Some("")
            || node.as_i64() == Some(0)
            || node.as_map().is_some_and(|map| map.entries().is_empty())
            || super::judge::is_empty_list(node)
            || node.is_null()
    };
    let mut entries = metadata.entries().iter().filter(|entry| {
        !(is_empty(&entry.value) || cleared(&entry.key) || entry.key == "namespace")
    });
    if let Some(entry) = entries.next() {
        let text = (message!("a {kind} has metadata"), "remove it: the review is not stored");
        judge.refuse(
            &REVIEW_INVALID,
            (entry.key_origin().span(), (&judge.object.root, "metadata")),
            text,
        );
    }
}

fn check_local_review(judge: &mut Judge<'_>, resource: Option<&Node>, other: Option<&Node>) {
    if let Some(other) = other {
        let text = (
            "a LocalSubjectAccessReview has `nonResourceAttributes`",
            "use a SubjectAccessReview, or `resourceAttributes`",
        );
        judge.refuse(&REVIEW_INVALID, other, text);
    }
    let Some(resource) = resource else { return };
    let own = match judge.object.namespace.as_str() {
        "" => "default",
        own => own,
    };
    if text_at(resource, &["namespace"]) != own {
        let at = value_or_start(resource, "namespace");
        let text = (
            "`resourceAttributes` has another namespace than the review",
            message!("write `namespace: {own}`"),
        );
        judge.refuse(&REVIEW_INVALID, (at, (resource, "namespace")), text);
    }
}

/// Checks a selector, which is either text or a list of requirements with any operator.
fn check_selector(judge: &mut Judge<'_>, selector: &Node, field: &str) {
    let raw =
        selector.get("rawSelector").filter(|node| node.as_str().is_some_and(|it| !it.is_empty()));
    let requirements = items(selector, "requirements");
    match (raw, requirements.is_empty()) {
        (Some(raw), false) => {
            let text = (
                message!("`{field}` has both `rawSelector` and `requirements`"),
                "remove one of the two",
            );
            judge.refuse(&REVIEW_INVALID, (raw.span(), (selector, "rawSelector")), text);
        }
        (None, true) => {
            let text = (
                message!("`{field}` has neither `rawSelector` nor `requirements`"),
                "set `requirements`",
            );
            let fields = (selector, &["rawSelector", "requirements"][..]);
            judge.lacks_all_of(&REVIEW_INVALID, (selector, "requirements"), text, fields);
        }
        _ => {}
    }
    for requirement in requirements {
        let is_of_labels = field == "labelSelector";
        if !is_of_labels {
            judge.needed(requirement, "key", Absence::BySchema);
        }
        selectors::check_requirement(judge, requirement, is_of_labels);
    }
}

/// Checks the binding of a Pod to a node.
pub(super) fn check_binding(judge: &mut Judge<'_>) {
    let Some(target) = judge.object.root.get("target") else { return };
    let kind = text_at(target, &["kind"]);
    if judge.object.name.is_empty() && judge.object.root.at(&["metadata", "generateName"]).is_some()
    {
        let text = ("a Binding has `generateName` and no `name`", "write the name of the Pod");
        judge.refuse(
            &REVIEW_INVALID,
            (start(&judge.object.root), (&judge.object.root, "metadata.name")),
            text,
        );
    }
    let name = judge.object.root.get("metadata").and_then(|it| it.get("name"));
    check_name(judge, name.filter(|node| node.as_str() != Some("")), NameForm::SEGMENT);
    let is_node = matches!(kind, "" | "Node");
    if is_node && judge.minor >= NODE_NAME_MINOR {
        needed_name(judge, target, "name", Absence::Here, NameForm::OBJECT);
    } else {
        judge.needed(target, "name", Absence::Here);
    }
    if !is_node {
        judge.listed(target, "kind", &["Node"]);
    }
}

/// Checks the migration of the stored objects of a resource.
pub(super) fn check_migration(judge: &mut Judge<'_>) {
    let empty = Node::map(judge.object.root.origin());
    let spec = judge.object.root.get("spec");
    let resource = spec.and_then(|it| it.get("resource")).unwrap_or(&empty);
    judge.outside = FieldPath::from("spec.resource");
    // The schema reports one that is missing in `resource`.
    let absence = if resource.entries().is_empty() { Absence::Here } else { Absence::BySchema };
    needed_name(judge, resource, "resource", absence, NameForm::OLD_SERVICE);
    check_name(judge, filled(resource, "group"), NameForm::OBJECT);
}
