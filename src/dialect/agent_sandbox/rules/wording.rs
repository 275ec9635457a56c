//! The names of an object and its fields in messages: those of the definition if it was compiled
//! from one, else those of agent-sandbox.

use crate::kube::Object;
use crate::source::Span;
use crate::tree::{Entry, Node, Value};

/// The kind as its author wrote it: `Claim` or `SandboxClaim`.
pub(super) fn kind_of(object: &Object) -> &str {
    let kind = object.gvk.kind.as_str();
    if object.is_compiled() { defined_kind(kind) } else { kind }
}

/// The kind of the definition that compiles to a kind.
pub(super) fn defined_kind(kind: &str) -> &str {
    kind.strip_prefix("Sandbox").filter(|rest| !rest.is_empty()).unwrap_or(kind)
}

/// Kind and name: "Claim `alice`".
pub(super) fn title(object: &Object) -> String {
    format!("{} `{}`", kind_of(object), object.shown_name())
}

/// The author's name of a field.
pub(super) fn field_of(object: &Object, field: &'static str) -> &'static str {
    if !object.is_compiled() {
        return field;
    }
    match field {
        "envVarsInjectionPolicy" => "claims.env",
        "volumeClaimTemplatesPolicy" => "claims.volumeClaims",
        "volumeClaimTemplates" => "volumeClaims",
        "podTemplate.metadata.labels" => "podMetadata.labels",
        "podTemplate.metadata.annotations" => "podMetadata.annotations",
        "networkPolicyManagement" => "network.management",
        "networkPolicy" => "network",
        "dnsPolicy" => "podOverrides.dnsPolicy",
        _ => field,
    }
}

/// The span of an entry in the author's source: its key or, if a layer set the key, the first node
/// in it that the author wrote.
pub(super) fn place_of(entry: &Entry) -> Span {
    let key = entry.key_origin();
    key.layer().and_then(|_| first_written_span(&entry.value)).unwrap_or(key.span())
}

fn first_written_span(node: &Node) -> Option<Span> {
    if node.origin().layer().is_none() {
        return Some(node.span());
    }
    match &node.value {
        Value::List(items) => items.iter().find_map(first_written_span),
        Value::Map(map) => {
            map.entries().iter().find_map(|entry| match entry.key_origin().layer() {
                None => Some(entry.key_origin().span()),
                Some(_) => first_written_span(&entry.value),
            })
        }
        _ => None,
    }
}
