//! Whole objects inside of custom resources (`x-kubernetes-embedded-resource`): after
//! `validateEmbeddedResource` of apiextensions-apiserver's `pkg/apiserver/schema/objectmeta`.

use super::constraint_rules::{EMBEDDED_RESOURCE_INCOMPLETE, EMBEDDED_RESOURCE_INVALID};
use crate::diag::Diagnostic;
use crate::scalar::{check_dns_label, check_path_segment, check_service_name};
use crate::tree::{Node, Path};

/// Reports what says wrongly what the object is.
pub(super) fn check(node: &Node, path: &Path<'_>, report: &mut dyn FnMut(&Node, Diagnostic)) {
    if node.as_map().is_none() {
        return;
    }
    let field = path.to_string();
    let is_missing = |field: &&str| node.get(field).is_none_or(|it| it.as_str() == Some(""));
    if let Some(missing) = ["apiVersion", "kind"].into_iter().find(is_missing) {
        let message = format!("`{field}` is an object without `{missing}`");
        let finding = Diagnostic::new(&EMBEDDED_RESOURCE_INCOMPLETE, node.span(), message);
        report(node, finding.path(path));
    }
    let mut invalid = |node: &Node, message: String, help: &str, path: &Path<'_>| {
        let finding = Diagnostic::new(&EMBEDDED_RESOURCE_INVALID, node.span(), message);
        report(node, finding.at("refused").help(help).path(path));
    };
    if let Some((version, text)) = text_at(node, "apiVersion")
        && text.matches('/').count() > 1
    {
        let message = format!("the `apiVersion` of `{field}` has more than one `/`");
        let help = "write it as `group/version`";
        invalid(version, message, help, &path.field("apiVersion"));
    }
    if let Some((kind, text)) = text_at(node, "kind")
        && let Err(fault) = check_service_name(&text.to_lowercase())
    {
        let message = format!("the `kind` of `{field}` {fault}");
        let help = "write letters, digits and dashes, a letter first";
        invalid(kind, message, help, &path.field("kind"));
    }
    let Some(metadata) = node.get("metadata") else { return };
    let path = path.field("metadata");
    if let Some((name, text)) = text_at(metadata, "name")
        && let Err(fault) = check_path_segment(text)
    {
        let message = format!("the name of `{field}` {fault}");
        invalid(name, message, "write a name without `/` and `%`", &path.field("name"));
    }
    if let Some((prefix, text)) = text_at(metadata, "generateName")
        && text.contains(['/', '%'])
    {
        let message = format!("the `generateName` of `{field}` is no begin of a name");
        let help = "write it without `/` and `%`";
        invalid(prefix, message, help, &path.field("generateName"));
    }
    if let Some((namespace, text)) = text_at(metadata, "namespace")
        && let Err(fault) = check_dns_label(text)
    {
        let message = format!("the namespace of `{field}` {fault}");
        let help = "write at most 63 lower-case letters, digits and dashes";
        invalid(namespace, message, help, &path.field("namespace"));
    }
}

/// A text that is not empty.
fn text_at<'n>(node: &'n Node, field: &str) -> Option<(&'n Node, &'n str)> {
    let node = node.get(field)?;
    Some((node, node.as_str().filter(|text| !text.is_empty())?))
}
