//! Objects as a YAML stream.

use std::convert::Infallible;
use std::io::{self, Write};

use crate::kube::Object;
use crate::parallel::ordered_map_over;
use crate::tree::{Node, Origin};
use crate::yaml;

/// The number of objects that are printed at a time: enough for many cores, with little output in
/// memory.
const BATCH: usize = 64;
/// The number of objects that one core prints in a row.
const PIECE: usize = 4;
/// The line between two documents.
pub(crate) const SEPARATOR: &str = "---\n";

/// The objects as one YAML stream in the given order, with a `---` line before each but the first.
#[must_use]
pub fn emit_stream(objects: &[Object]) -> String {
    let mut text = String::new();
    let Ok(()) = pieces(objects, |piece| {
        text.push_str(piece);
        Ok::<_, Infallible>(())
    });
    text
}

/// Writes the stream of [`emit_stream`] without holding all of it in memory.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write_stream(objects: &[Object], out: &mut dyn Write) -> io::Result<()> {
    pieces(objects, |piece| out.write_all(piece.as_bytes()))
}

/// The stream piece by piece, printed on all cores.
fn pieces<E>(objects: &[Object], mut take: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
    for (batch_index, batch) in objects.chunks(BATCH).enumerate() {
        let numbered: Vec<_> = batch.chunks(PIECE).enumerate().collect();
        let texts = ordered_map_over(batch.len(), numbered, |(index, piece)| {
            let mut text = String::new();
            if batch_index + index > 0 {
                text.push_str(SEPARATOR);
            }
            yaml::print_stream(piece.iter().map(|object| &object.root), &mut text);
            text
        });
        texts.iter().try_for_each(|text| take(text))?;
    }
    Ok(())
}

/// One object as a YAML document with a comment on each line.
pub(crate) fn document_with(object: &Object, comment: ObjectComment<'_>) -> String {
    let mut text = String::new();
    let of_object = |node: &Node, origin| comment(object, node, origin);
    yaml::print_commented(&object.root, &of_object, &mut text);
    text
}

/// The comment for a line of an object: see [`yaml::Comment`].
pub(crate) type ObjectComment<'c> = &'c dyn Fn(&Object, &Node, Origin) -> String;

/// One object as a YAML document.
pub(super) fn document(object: &Object) -> String {
    let mut text = String::new();
    yaml::print_document(&object.root, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube::GroupVersionKind;
    use crate::source::{Span, Workspace};

    #[test]
    fn batches_join_to_one_stream() {
        let span = Span::new(Workspace::new().add("a.yaml", ""), 0, 0);
        let object = |index: usize| Object {
            gvk: GroupVersionKind::new("v1", "Any").into(),
            name: "".into(),
            namespace: "".into(),
            root: Node::from_json(serde_json::json!({"index": index}), Origin::source(span)),
            document: span,
            outline_of: None,
        };
        for count in [0, 1, PIECE, PIECE + 1, BATCH, BATCH + 1, 2 * BATCH + PIECE + 1] {
            let objects: Vec<_> = (0..count).map(object).collect();
            let lines: Vec<_> = (0..count).map(|index| format!("index: {index}\n")).collect();
            assert_eq!(emit_stream(&objects), lines.join("---\n"));
            let mut written = Vec::new();
            write_stream(&objects, &mut written).unwrap();
            assert_eq!(written, lines.join("---\n").into_bytes());
        }
    }
}
