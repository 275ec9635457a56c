//! Objects as a YAML stream.

use std::convert::Infallible;
use std::io::{self, Write};

use crate::kube::Object;
use crate::parallel::ordered_map_over;
use crate::yaml;

/// The number of objects that are printed at a time: enough for many cores, with little output in
/// memory.
const BATCH: usize = 64;
/// The number of objects that one core prints in a row.
const PIECE: usize = 4;
/// The line between two documents.
const SEPARATOR: &str = "---\n";

/// The objects as one YAML stream in the given order, with a `---` line before each but the first.
#[must_use]
pub fn emit_stream(objects: &[Object]) -> String {
    let mut text = String::new();
    let Ok(()) = print_pieces(objects, &print_object, |piece| {
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
    write_stream_with(objects, print_object, out)
}

/// As [`write_stream`], with another form of each object.
pub(crate) fn write_stream_with(
    objects: &[Object],
    print: impl Fn(&Object, &mut String) + Sync,
    out: &mut dyn Write,
) -> io::Result<()> {
    print_pieces(objects, &print, |piece| out.write_all(piece.as_bytes()))
}

/// The stream piece by piece, printed on all cores.
fn print_pieces<E>(
    objects: &[Object],
    print: &(impl Fn(&Object, &mut String) + Sync),
    mut take: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    for (batch_index, batch) in objects.chunks(BATCH).enumerate() {
        let numbered: Vec<_> = batch.chunks(PIECE).enumerate().collect();
        let texts = ordered_map_over(batch.len(), numbered, |(index, piece)| {
            let mut text = String::new();
            for (position, object) in piece.iter().enumerate() {
                if batch_index + index + position > 0 {
                    text.push_str(SEPARATOR);
                }
                print(object, &mut text);
            }
            text
        });
        texts.iter().try_for_each(|text| take(text))?;
    }
    Ok(())
}

/// Appends one object as a YAML document.
pub(super) fn print_object(object: &Object, out: &mut String) {
    yaml::print_document(&object.root, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube::GroupVersionKind;
    use crate::source::{Span, Workspace};
    use crate::tree::{Node, Origin};

    #[test]
    fn batches_join_to_one_stream() {
        let span = Span::new(Workspace::new().add("a.yaml", ""), 0, 0);
        let object = |index: usize| Object {
            gvk: GroupVersionKind::new("v1", "Any").into(),
            name: "".into(),
            namespace: "".into(),
            root: Node::from_json(serde_json::json!({"index": index}), Origin::source(span)),
            document: span,
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
