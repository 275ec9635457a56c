//! The replica counts of a custom resource, at the paths that its definition gives for the
//! subresource `scale`, after `ValidateScaleSpec` and `ValidateScaleStatus` of
//! apiextensions-apiserver's `pkg/registry/customresource`.

use crate::crd::ScalePaths;
use crate::diag::{Diagnostic, Sink, message};
use crate::kube::Object;
use crate::schema::NUMBER_OUT_OF_RANGE;
use crate::tree::{Node, Value};

/// Checks both counts.
pub(super) fn check(object: &Object, paths: &ScalePaths<'_>, sink: &mut Sink) {
    for path in [Some(paths.spec), paths.status].into_iter().flatten() {
        check_count(object, path, sink);
    }
}

fn check_count(object: &Object, path: &str, sink: &mut Sink) {
    let shown = path.strip_prefix('.').unwrap_or(path);
    let node = shown.split('.').try_fold(&object.root, |node, field| node.get(field));
    let Some(node) = node else { return };
    let fault = match &node.value {
        Value::Null => return,
        Value::Int(number) if i32::try_from(*number).is_ok_and(|count| count >= 0) => return,
        Value::Int(number) if *number < 0 => format!("{number} is below 0"),
        Value::Int(number) => format!("{number} is above {}", i32::MAX),
        // JSON does not distinguish `3.0` from `3`.
        Value::Float(number) if number.fract() == 0.0 && (0.0..2e9).contains(number) => return,
        _ => format!("is {}, not an integer", Node::describe(node)),
    };
    let finding = Diagnostic::new(&NUMBER_OUT_OF_RANGE, node.span(), message!("`{shown}` {fault}"))
        .at(message!("must be from 0 to {}", i32::MAX))
        .note("the subresource `scale` of the definition reads the number of replicas here")
        .path(&shown);
    sink.report(finding);
}
