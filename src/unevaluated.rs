//! Expressions of the language in ordinary objects, where nothing evaluates them.
//!
//! Many programs have templates with double braces: Helm, Argo, Alertmanager, Ansible. Only a string
//! that reads a value of the Project is certainly meant for this program.

use crate::diag::{CommonCause, Diagnostic, Sink, declare_rules, message};
use crate::expand::reads_defined_value;
use crate::kube::Object;
use crate::tree::{Node, Path, Value};

declare_rules! {
    EXPRESSION_NOT_EVALUATED = "expression-not-evaluated", Warning;
}

/// The annotation of an object whose expressions are evaluated.
const REQUEST: &str = "sandboxc.dev/expressions";

/// Whether a document may contain expressions: about 1 instruction per byte.
pub(crate) fn has_expressions(text: &str) -> bool {
    memchr::memchr_iter(b'{', text.as_bytes())
        .any(|at| matches!(text.as_bytes().get(at + 1), Some(b'{' | b'%')))
}

/// Removes the annotation that requests the evaluation of the expressions in an object, and returns whether
/// it does.
pub(crate) fn take_request(root: &mut Node) -> bool {
    let value = root.at(&["metadata", "annotations", REQUEST]).and_then(Node::as_str);
    let Some(is_asked) = value.map(|it| it == "true") else { return false };
    let Some(metadata) = root.get_mut("metadata").and_then(Node::as_map_mut) else { return false };
    let Some(annotations) = metadata.get_mut("annotations").and_then(Node::as_map_mut) else {
        return false;
    };
    annotations.remove(REQUEST);
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
    is_asked
}

/// Reports the strings of an object that read values of the Project.
pub(crate) fn check(values: &Node, object: &Object, sink: &mut Sink) {
    if values.entries().is_empty() || object.is_compiled() {
        return;
    }
    walk(values, (object, &object.root), &Path::root(), sink);
}

fn walk(values: &Node, (object, node): (&Object, &Node), path: &Path<'_>, sink: &mut Sink) {
    match &node.value {
        Value::String(text) if reads_defined_value(text, values) => {
            sink.report(finding(object, node, text).path(path));
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(values, (object, item), &path.index(index), sink);
            }
        }
        Value::Map(map) => {
            for entry in map.entries() {
                walk(values, (object, &entry.value), &path.field(&entry.key), sink);
            }
        }
        _ => {}
    }
}

fn finding(object: &Object, node: &Node, text: &str) -> Diagnostic {
    let message = message!("expression in {} is not evaluated", object.describe());
    Diagnostic::new(&EXPRESSION_NOT_EVALUATED, node.span(), message)
        .at("not evaluated")
        .because_of(CommonCause::Placeholder(text.into()))
        // An error about the value says the same.
        .same_mistake_as(node.span())
        .note("expressions are evaluated in definitions only: the object keeps the braces")
        .help(message!("write the value, or annotate the object: `{REQUEST}: \"true\"`"))
}
