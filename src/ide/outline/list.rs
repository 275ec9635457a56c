//! The items of a `kind: List`: each is a document of its own, as it is for `check`.

use std::ops::Range;

use crate::source::Slice as _;

use super::{Document, Entry, Head, Kind, Part};

/// The document of a List without its items, followed by one for each; another document as it is.
pub(super) fn split(text: &str, document: Document) -> Vec<Document> {
    let Some(list) = items(text, &document) else { return vec![document] };
    let end = document.entry(list).next;
    let positions: Vec<_> = document.children(list).map(|(at, _)| at).collect();
    let count = positions.len();
    let mut documents = Vec::with_capacity(count + 1);
    documents.push(without(text, &document, list + 1..end));
    for (number, at) in positions.into_iter().enumerate() {
        documents.push(item(text, &document, at, number + 1));
    }
    documents
}

/// The field with the items of a List, if a document is one.
fn items(text: &str, document: &Document) -> Option<usize> {
    let kind = document.entry(document.head.kind?).value.clone()?;
    let is_list = super::unquoted(text.get(kind)?).ends_with("List");
    (is_list && document.head.api_version.is_some()).then_some(())?;
    let list = document.field_in(text, 0, "items")?;
    let is_item = |(_, entry): (usize, &Entry)| matches!(entry.kind, Kind::Item(_));
    (document.children(list).next().is_some() && document.children(list).all(is_item))
        .then_some(list)
}

/// A document without some of its entries, which are all of those in one.
fn without(text: &str, document: &Document, left_out: Range<usize>) -> Document {
    let shifted = |at: usize| if at >= left_out.end { at - left_out.len() } else { at };
    let (before, after) =
        (document.entries.get(..left_out.start), document.entries.get(left_out.end..));
    let entries = before.into_iter().chain(after).flatten().map(|entry| Entry {
        parent: shifted(entry.parent),
        next: shifted(entry.next),
        ..entry.clone()
    });
    let mut list = Document {
        range: document.range.clone(),
        entries: entries.collect(),
        comments: document.comments.clone(),
        head: Head::default(),
        part: Part::List,
    };
    list.head = Head::of(text, &list);
    list
}

/// The document of an item, whose distance from that of the List is given.
fn item(text: &str, document: &Document, at: usize, distance: usize) -> Document {
    let entry = document.entry(at);
    let inner = document.entries.slice(at..entry.next);
    let entries = inner.iter().enumerate().map(|(number, it)| {
        if number == 0 {
            let column = inner.get(1).map_or(entry.column + 1, |first| first.column);
            Entry { kind: Kind::Root, parent: 0, next: inner.len(), column, items: 0, ..it.clone() }
        } else {
            Entry { parent: it.parent - at, next: it.next - at, ..it.clone() }
        }
    });
    let is_block = entry.key.start < entry.key.end;
    let range = if is_block {
        let next = document.entries.get(entry.next);
        entry.key.end..next.map_or(document.range.end, |next| next.key.start)
    } else {
        entry.key.start..entry.end
    };
    let first = document.comments.partition_point(|it| it.start < range.start);
    let last = document.comments.partition_point(|it| it.start < range.end);
    let mut item = Document {
        entries: entries.collect(),
        comments: document.comments.slice(first..last).to_vec(),
        range,
        head: Head::default(),
        part: Part::Item(distance),
    };
    item.head = Head::of(text, &item);
    item
}
