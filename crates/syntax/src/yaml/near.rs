//! Reads the documents near some spans of a file, without the others.

use super::documents::{Documents, may_have_aliases};
use super::split::{self, Content, DocumentSlice};
use super::{read_apart, torn};
use crate::parallel::ordered_each;
use crate::source::{FileId, Slice as _, Span};

/// Reads the documents that contain one of the spans, which are sorted, and the neighboring
/// documents, whose text satisfies `is_wanted`. A document without a kind next to such a document may be
/// a part of it, and is read too. One with only comments counts as invalid. `aliases` is the number of
/// values that aliases may add.
pub fn documents_near(
    file: FileId,
    text: &str,
    places: &[Span],
    is_wanted: impl Fn(&str) -> bool + Send + Sync,
    aliases: &mut usize,
) -> Documents {
    let stream = split::split(file, text);
    let has_text =
        |slice: &&DocumentSlice| matches!(slice.content, Content::At(_) | Content::CommentOnly);
    let slices: Vec<&DocumentSlice> = stream.slices.iter().filter(has_text).collect();
    let body = |index: usize| slices.get(index).and_then(|slice| text.get(slice.span.range()));
    let is_wanted_at = |index: usize| body(index).is_some_and(&is_wanted);
    let read = |index: usize| {
        let (slice, body) = (slices.get(index).copied()?, body(index)?);
        let is_wanted_near =
            || is_wanted_at(index + 1) || index.checked_sub(1).is_some_and(is_wanted_at);
        if !is_wanted(body) && (body.contains("kind") || !is_wanted_near()) {
            return None;
        }
        // What its aliases can represent depends on the documents before this one.
        let document = (!may_have_aliases(body)).then(|| read_apart(text, slice, &mut 0));
        Some((index, slice, document))
    };
    let mut documents = Documents { read: Vec::new(), unread: Vec::new() };
    ordered_each(indexes_near(&slices, places), read, |found| {
        let Some((index, slice, document)) = found else { return };
        let document = document.unwrap_or_else(|| read_apart(text, slice, aliases));
        let before = slices.slice(..index).iter().rev();
        let before = before.copied().find(|slice| matches!(slice.content, Content::At(_)));
        let document = document.filter(|_| torn::block(text, before, slice).is_none());
        if document.is_none() {
            documents.unread.push(slice.span.into());
        }
        documents.read.extend(document);
    });
    documents
}

/// The indexes of the slices that contain a span, and of their neighbors.
fn indexes_near(slices: &[&DocumentSlice], places: &[Span]) -> Vec<usize> {
    let mut indexes: Vec<usize> = Vec::new();
    for place in places {
        let behind = slices.partition_point(|slice| Span::from(slice.span).start_point() <= *place);
        let first = behind.saturating_sub(2);
        let next = indexes.last().map_or(first, |last| first.max(last + 1));
        indexes.extend(next..=behind);
    }
    indexes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    fn read(text: &str, places: &[u32]) -> (Vec<String>, usize) {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", text);
        let places: Vec<_> = places.iter().map(|at| Span::new(file, *at, at + 1)).collect();
        let documents = documents_near(file, text, &places, |it| !it.contains("skip"), &mut 0);
        let names = documents.read.iter().map(|it| it.root.str_at(&["name"]).unwrap().to_owned());
        (names.collect(), documents.unread.len())
    }

    #[test]
    fn documents_with_spans_and_their_neighbors_are_read() {
        // Each document has 12 bytes.
        let text = ["0", "1", "2", "3", "4", "5", "6", "7", "8"]
            .map(|it| format!("name: a{it}\n---\n"))
            .concat();
        assert_eq!(read(&text, &[36]).0, ["a2", "a3", "a4"]);
        assert_eq!(read(&text, &[0, 1, 47, 48]).0, ["a0", "a1", "a2", "a3", "a4", "a5"]);
        assert_eq!(read(&text, &[200]).0, ["a7", "a8"]);
        assert_eq!(read(&text, &[]).0, [""; 0]);
    }

    #[test]
    fn unwanted_documents_are_not_read_and_broken_ones_are_listed() {
        assert_eq!(
            read("name: a\n---\nname: skip\nkind: a\n---\nname: b\n", &[12]),
            (vec!["a".into(), "b".into()], 0)
        );
        // Without a kind, it may be a part of one of the others.
        assert_eq!(read("name: a\n---\nname: skip\n", &[12]), (vec!["a".into(), "skip".into()], 0));
        assert_eq!(read("name: a\n---\nx: [\n---\nname: b\n", &[0]), (vec!["a".into()], 1));
    }
}
