//! Whole objects inside custom resources (`x-kubernetes-embedded-resource`), following
//! `validateEmbeddedResource` of apiextensions-apiserver's `pkg/apiserver/schema/objectmeta`.

use super::constraint_check::{EMBEDDED_RESOURCE_INCOMPLETE, EMBEDDED_RESOURCE_INVALID};
use crate::diag::{Diagnostic, Message, message};
use crate::scalar::{
    check_dns_label, check_path_segment, check_qualified_name, check_service_name,
};
use crate::tree::{Node, Path, items};

/// Reports invalid type and name fields of an embedded object.
pub(super) fn check(node: &Node, path: &Path<'_>, report: &mut dyn FnMut(&Node, Diagnostic)) {
    if node.as_map().is_none() {
        return;
    }
    let field = path.to_string();
    let is_missing = |field: &&str| node.get(field).is_none_or(|text| text.as_str() == Some(""));
    if let Some(missing) = ["apiVersion", "kind"].into_iter().find(is_missing) {
        let message = message!("object in `{field}` has no `{missing}`");
        let finding = Diagnostic::new(&EMBEDDED_RESOURCE_INCOMPLETE, node.span(), message);
        report(node, finding.path(path));
    }
    let mut invalid = |node: &Node, message: Message, help: &'static str, path: &Path<'_>| {
        let finding = Diagnostic::new(&EMBEDDED_RESOURCE_INVALID, node.span(), message);
        report(node, finding.at("invalid").help(help).path(path));
    };
    if let Some((version, text)) = text_at(node, "apiVersion")
        && text.matches('/').count() > 1
    {
        let message = message!("the `apiVersion` of `{field}` has more than one `/`");
        let help = "write it as `group/version`";
        invalid(version, message, help, &path.field("apiVersion"));
    }
    if let Some((kind, text)) = text_at(node, "kind")
        && let Err(fault) = check_service_name(&text.to_lowercase())
    {
        let message = message!("the `kind` of `{field}` {fault}");
        let help = "use letters, digits and `-`, starting with a letter";
        invalid(kind, message, help, &path.field("kind"));
    }
    let Some(metadata) = node.get("metadata") else { return };
    let path = path.field("metadata");
    if let Some((name, text)) = text_at(metadata, "name")
        && let Err(fault) = check_path_segment(text)
    {
        let message = message!("the name of `{field}` {fault}");
        invalid(name, message, "write a name without `/` and `%`", &path.field("name"));
    }
    if let Some((prefix, text)) = text_at(metadata, "generateName")
        && text.contains(['/', '%'])
    {
        let message = message!("the `generateName` of `{field}` is not a valid name prefix");
        let help = "write it without `/` and `%`";
        invalid(prefix, message, help, &path.field("generateName"));
    }
    if let Some((namespace, text)) = text_at(metadata, "namespace")
        && let Err(fault) = check_dns_label(text)
    {
        let message = message!("the namespace of `{field}` {fault}");
        let help = "use at most 63 lowercase letters, digits and `-`";
        invalid(namespace, message, help, &path.field("namespace"));
    }
    let list = path.field("finalizers");
    for (index, node) in items(metadata, "finalizers").iter().enumerate() {
        if let Some(Err(fault)) = node.as_str().map(check_qualified_name) {
            let message = message!("a finalizer of `{field}` {fault}");
            invalid(node, message, "write it like `example.com/cleanup`", &list.index(index));
        }
    }
    let list = path.field("ownerReferences");
    let owners = items(metadata, "ownerReferences");
    for (index, owner) in owners.iter().enumerate() {
        if let Some((message, help)) = owner_fault(owner, &field) {
            invalid(owner, message, help, &list.index(index));
        }
    }
    let is_controller = |owner: &&Node| owner.is_true("controller");
    if let Some(second) = owners.iter().filter(is_controller).nth(1) {
        let message = message!("two owners of `{field}` are marked as its controller");
        invalid(second, message, "remove `controller: true` from one of them", &list);
    }
}

/// The fault of an owner reference of the object in `field`, and its repair.
fn owner_fault(owner: &Node, field: &str) -> Option<(Message, &'static str)> {
    // Absent fields are reported as missing.
    let fields = ["apiVersion", "kind", "name", "uid"];
    if let Some(empty) = fields.into_iter().find(|field| owner.str_at(&[field]) == Some("")) {
        let message = message!("an owner of `{field}` has an empty `{empty}`");
        return Some((message, "write `apiVersion`, `kind`, `name` and `uid` of the owner"));
    }
    let is_text = |name: &str, text: &str| owner.str_at(&[name]) == Some(text);
    (is_text("apiVersion", "v1") && is_text("kind", "Event")).then(|| {
        (message!("an Event is an owner of `{field}`"), "remove it: an Event cannot own objects")
    })
}

/// The string at `field`, unless it is empty.
fn text_at<'n>(node: &'n Node, field: &str) -> Option<(&'n Node, &'n str)> {
    let node = node.get(field)?;
    Some((node, node.as_str().filter(|text| !text.is_empty())?))
}
