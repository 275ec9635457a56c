//! Values that take precedence over those of the Project.

use crate::diag::{Diagnostic, Sink, message};
use crate::project::{GivenValue, VALUES_INVALID};
use crate::source::{Span, Workspace};
use crate::tree::{Node, Origin, Value};
use crate::yaml::{self, Documents};

/// The values of the workspace, in the order in which they were added.
pub(super) fn given_values(workspace: &Workspace, sink: &mut Sink) -> Vec<GivenValue> {
    let (mut given, mut budget) = (Vec::new(), yaml::Budget::default());
    for (id, path) in workspace.values() {
        let file = workspace.file(*id);
        if yaml::check_file(*id, file, sink).is_err() {
            continue;
        }
        let Documents { read, unread } =
            yaml::documents_within(*id, file.text(), &mut budget, sink);
        if !unread.is_empty() {
            continue;
        }
        let mut roots = read.into_iter().map(|it| it.root).filter(|it| !it.is_null());
        let nowhere = Origin::source(Span::new(*id, 0, 0));
        let value = roots.next().unwrap_or_else(|| {
            if path.is_empty() {
                Node::map(nowhere)
            } else {
                Node::string(file.text().trim(), nowhere)
            }
        });
        if let Some(second) = roots.next() {
            sink.report(
                Diagnostic::new(
                    &VALUES_INVALID,
                    second.span(),
                    "values with more than one document",
                )
                .help("write one map"),
            );
        }
        let value = if path.is_empty() { value } else { as_written(value, file.text()) };
        if path.is_empty() && !matches!(value.value, Value::Map(_)) {
            sink.report(
                Diagnostic::new(
                    &VALUES_INVALID,
                    value.span(),
                    message!("values must be a map, not {}", value.describe()),
                )
                .help("write `name: value` on each line"),
            );
            continue;
        }
        given.push(GivenValue { path: path.clone(), value });
    }
    given
}

/// A version such as `1.30` is not the number 1.3.
fn as_written(value: Node, text: &str) -> Node {
    match value.value {
        Value::Float(_) => Node::string(text.trim(), value.origin()),
        _ => value,
    }
}
