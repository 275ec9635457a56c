//! The structure of a text as its indentation and brackets show it. Unlike a parser, an outline exists
//! for every text: half a line, an open bracket or a tab only changes what is next to it.
//!
//! It answers where the cursor is, and what the file declares. Whether the text is valid, and which
//! values it has, is the question of the other readers.

mod cursor;
mod flow;
mod list;
mod scan;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::diag::Sink;
use crate::findings::secrecy::mask_secrets;
use crate::parallel;
use crate::source::{LineIndex, Slice as _, Workspace, offset};
use crate::tree::Node;
use crate::yaml;

pub(super) use cursor::{Cursor, Slot};

/// The outline of a text.
#[derive(Debug)]
pub struct Outline {
    text: Arc<str>,
    documents: Vec<Document>,
    /// The number of documents in each part between separators: a List has more than one.
    counts: Vec<usize>,
    /// Its lines, counted when they are needed.
    lines: OnceLock<LineIndex>,
    /// Its CustomResourceDefinitions, read when they are needed.
    definitions: OnceLock<Vec<Node>>,
    /// Its text without the values of secrets, when that is needed.
    shown: OnceLock<String>,
}

/// One document of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Document {
    /// The lines after its separator.
    pub(super) range: Range<usize>,
    /// Its fields and items, each before those in it. The first one is the document itself.
    entries: Vec<Entry>,
    /// Its comments, sorted.
    comments: Vec<Range<usize>>,
    pub(super) head: Head,
    part: Part,
}

/// What a document is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// It is all that is between two separators.
    Whole,
    /// It is a List without its items, which follow.
    List,
    /// It is an item. The number of documents from that of its List.
    Item(usize),
}

/// The fields that name an object.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Head {
    api_version: Option<usize>,
    pub(super) kind: Option<usize>,
    pub(super) name: Option<usize>,
    namespace: Option<usize>,
}

/// A field of a map or an item of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    /// The position of the entry that contains it.
    pub(super) parent: usize,
    /// The position after the last entry in it.
    next: usize,
    /// The column of its key or dash. Entries in brackets have that of the entry around these.
    column: usize,
    /// Its key, with quotes, or its dash.
    pub(super) key: Range<usize>,
    /// Its value, if that is a scalar or in brackets.
    pub(super) value: Option<Range<usize>>,
    pub(super) style: Style,
    /// The end of the last text in it.
    pub(super) end: usize,
    /// The number of items in it.
    items: usize,
}

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The document.
    Root,
    /// A field.
    Field,
    /// An item, with its index.
    Item(usize),
    /// A text without a colon, which may become a field.
    Loose,
}

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// In lines below, or not at all.
    Open,
    /// On one line, or in quotes.
    Scalar,
    /// As a block scalar.
    Text,
    /// In brackets.
    Brackets,
}

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step<'t> {
    /// The field of a map.
    Field(&'t str),
    /// The item of a list.
    Item(usize),
}

impl Outline {
    /// Reads a text.
    #[must_use]
    pub fn new(text: Arc<str>) -> Self {
        Self::with(text, &[], None)
    }

    /// The outline of a later form of the text. Only the documents that differ are scanned: those at the
    /// start and at the end are often the same.
    #[must_use]
    pub fn edited(&self, text: Arc<str>) -> Self {
        let mut rest = &*self.documents;
        let mut known = Vec::with_capacity(self.counts.len());
        for count in &self.counts {
            known.push(rest.slice(..*count));
            rest = rest.slice(*count..);
        }
        Self::with(text, &known, Some(&self.text))
    }

    /// The outline of a text, with the documents of the parts of an earlier one.
    fn with(text: Arc<str>, known: &[&[Document]], earlier: Option<&str>) -> Self {
        let parts = scan::parts(&text);
        let range = |known: &[Document]| known.first().map_or(0..0, |it| it.range.clone());
        let is_same = |known: &[Document], part: &Range<usize>| {
            earlier.and_then(|earlier| earlier.get(range(known))) == text.get(part.clone())
        };
        let pairs = known.iter().zip(&parts);
        let first =
            pairs.take_while(|(known, part)| range(known) == **part && is_same(known, part));
        let first = first.count();
        let (rest, others) = (known.slice(first..), parts.slice(first..));
        let by = earlier.map_or(0, |earlier| text.len().wrapping_sub(earlier.len()));
        // The lines between documents can differ as well.
        let is_moved = |known: &[Document], part: &Range<usize>| {
            range(known).start.wrapping_add(by) == part.start
        };
        let pairs = rest.iter().rev().zip(others.iter().rev());
        let last = pairs.take_while(|(known, part)| is_moved(known, part) && is_same(known, part));
        let last = last.count();
        let changed = others.slice(..others.len() - last).to_vec();
        let new =
            parallel::ordered_map(changed, |part| list::split(&text, scan::scan(&text, part)));

        let kept = known.slice(..first).iter().map(|it| it.to_vec());
        let moved = rest.slice(rest.len() - last..).iter();
        let moved = moved.map(|it| it.iter().map(|it| it.moved(by)).collect());
        let (mut documents, mut counts) = (Vec::new(), Vec::with_capacity(parts.len()));
        for part in kept.chain(new).chain(moved) {
            counts.push(part.len());
            documents.extend(part);
        }
        Self {
            text,
            documents,
            counts,
            lines: OnceLock::new(),
            definitions: OnceLock::new(),
            shown: OnceLock::new(),
        }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The index of its lines.
    #[must_use]
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    pub(super) fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The document at an offset.
    pub(super) fn document_at(&self, offset: usize) -> Option<&Document> {
        let after = self.documents.partition_point(|it| it.range.start <= offset);
        let at = after.checked_sub(1)?;
        let document = self.documents.get(at)?;
        let Part::Item(distance) = document.part else { return Some(document) };
        // Fields of the List can follow its items.
        let list = self.documents.get(at.checked_sub(distance)?)?;
        let is_after = document.range.end <= offset && offset < list.range.end;
        Some(if is_after { list } else { document })
    }

    /// Whether a part of the text has no line break. Parts of a deep document are in each other, and each can be long.
    pub(super) fn is_in_one_line(&self, part: &Range<usize>) -> bool {
        let [start, end] = [part.start, part.end].map(|at| self.lines().line_of(offset(at)));
        start == end
    }

    /// A part of the text.
    pub(super) fn slice(&self, range: &Range<usize>) -> &str {
        self.text.slice(range.clone())
    }

    /// The key of a field, without quotes.
    pub(super) fn key(&self, entry: &Entry) -> &str {
        entry.key_in(&self.text)
    }

    /// The scalar of an entry, without quotes; empty without one.
    pub(super) fn scalar(&self, entry: &Entry) -> &str {
        match (&entry.value, entry.style) {
            (Some(range), Style::Scalar) => unquoted(self.slice(range)),
            _ => "",
        }
    }

    /// The key of a field, for display.
    pub(super) fn shown_key(&self, entry: &Entry) -> &str {
        entry.key_in(self.shown())
    }

    /// Like [`scalar`](Self::scalar), for display: the values of secrets are masked.
    pub(super) fn shown_scalar(&self, entry: &Entry) -> &str {
        match (&entry.value, entry.style) {
            (Some(range), Style::Scalar) => unquoted(self.shown().slice(range.clone())),
            _ => "",
        }
    }

    /// The text without the values of secrets, with the same positions.
    fn shown(&self) -> &str {
        self.shown.get_or_init(|| mask_secrets(&self.text))
    }

    /// The quote that most scalars in quotes have; double quotes without any.
    pub(super) fn preferred_quote(&self) -> char {
        let values =
            self.documents.iter().flat_map(|it| &it.entries).filter_map(|it| it.value.as_ref());
        let (mut single, mut double) = (0, 0);
        for value in values {
            match self.text.as_bytes().get(value.start) {
                Some(b'\'') => single += 1,
                Some(b'"') => double += 1,
                _ => {}
            }
        }
        if single > double { '\'' } else { '"' }
    }

    pub(super) fn kind<'t>(&'t self, document: &Document) -> &'t str {
        self.scalar_of(document, document.head.kind)
    }

    pub(super) fn api_version<'t>(&'t self, document: &Document) -> &'t str {
        self.scalar_of(document, document.head.api_version)
    }

    pub(super) fn name<'t>(&'t self, document: &Document) -> &'t str {
        self.scalar_of(document, document.head.name)
    }

    pub(super) fn namespace<'t>(&'t self, document: &Document) -> &'t str {
        self.scalar_of(document, document.head.namespace)
    }

    fn scalar_of<'t>(&'t self, document: &Document, at: Option<usize>) -> &'t str {
        at.map_or("", |at| self.scalar(document.entry(at)))
    }

    /// Its CustomResourceDefinitions, as far as they can be read.
    pub(super) fn custom_definitions(&self) -> &[Node] {
        self.definitions.get_or_init(|| {
            let is_definition = |it: &&Document| self.kind(it) == "CustomResourceDefinition";
            let mut roots = Vec::new();
            for document in self.documents.iter().filter(is_definition) {
                let mut workspace = Workspace::new();
                let file = workspace.add("", document.alone(&self.text));
                let text = workspace.file(file).text();
                let documents = yaml::documents(file, text, &mut Sink::new());
                roots.extend(documents.read.into_iter().map(|it| it.root));
            }
            roots
        })
    }

    /// The scalar at a path of fields; empty without one.
    pub(super) fn scalar_at(&self, document: &Document, fields: &[&str]) -> &str {
        document.at(self, fields).map_or("", |at| self.scalar(document.entry(at)))
    }

    /// The path from the document to an entry.
    pub(super) fn path<'t>(&'t self, document: &Document, mut at: usize) -> Vec<Step<'t>> {
        let mut steps = Vec::new();
        while at != 0 {
            let entry = document.entry(at);
            match entry.kind {
                Kind::Field => steps.push(Step::Field(self.key(entry))),
                Kind::Item(index) => steps.push(Step::Item(index)),
                Kind::Root | Kind::Loose => {}
            }
            at = entry.parent;
        }
        steps.reverse();
        steps
    }

    pub(super) fn comments(&self) -> impl Iterator<Item = &Range<usize>> {
        self.documents.iter().flat_map(|it| &it.comments)
    }

    /// The comment that contains an offset.
    pub(super) fn comment_at(&self, offset: usize) -> Option<&Range<usize>> {
        let comments = &self.document_at(offset)?.comments;
        let after = comments.partition_point(|it| it.start < offset);
        comments.get(after.checked_sub(1)?).filter(|it| offset <= it.end)
    }
}

/// An entry that is a document without fields, for positions that do not exist.
static NOTHING: Entry = Entry {
    kind: Kind::Root,
    parent: 0,
    next: 1,
    column: 0,
    key: 0..0,
    value: None,
    style: Style::Open,
    end: 0,
    items: 0,
};

impl Head {
    /// The head of a document in a text.
    fn of(text: &str, document: &Document) -> Self {
        let at = |fields: &[&str]| document.at_in(text, fields);
        Self {
            api_version: at(&["apiVersion"]),
            kind: at(&["kind"]),
            name: at(&["metadata", "name"]),
            namespace: at(&["metadata", "namespace"]),
        }
    }
}

impl Document {
    /// The same document at a later place of a text, or with a distance that wraps around at an earlier one.
    fn moved(&self, by: usize) -> Self {
        let moved = |it: &Range<usize>| it.start.wrapping_add(by)..it.end.wrapping_add(by);
        let entry = |it: &Entry| Entry {
            key: moved(&it.key),
            value: it.value.as_ref().map(moved),
            end: it.end.wrapping_add(by),
            ..*it
        };
        Self {
            range: moved(&self.range),
            entries: self.entries.iter().map(entry).collect(),
            comments: self.comments.iter().map(moved).collect(),
            head: self.head,
            part: self.part,
        }
    }

    /// Its text, which an item has after its dash.
    fn alone(&self, text: &str) -> String {
        let whole = text.slice(self.range.clone());
        let root = self.entry(0);
        if !self.is_item() || root.value.is_some() {
            return whole.to_owned();
        }
        format!("{}{}", " ".repeat(root.column), whole.trim_start())
    }

    /// Whether it is a List whose items are documents.
    pub(super) fn is_list(&self) -> bool {
        self.part == Part::List
    }

    /// Whether it is an item of a List.
    pub(super) fn is_item(&self) -> bool {
        matches!(self.part, Part::Item(_))
    }

    /// Whether all of it is in brackets.
    pub(super) fn is_in_brackets(&self) -> bool {
        self.entry(0).style == Style::Brackets
    }

    pub(super) fn entry(&self, at: usize) -> &Entry {
        self.entries.get(at).unwrap_or(&NOTHING)
    }

    /// All entries with their positions, the document first.
    pub(super) fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = (usize, &Entry)> + ExactSizeIterator {
        self.entries.iter().enumerate()
    }

    /// The fields and items directly in an entry.
    pub(super) fn children(&self, of: usize) -> impl Iterator<Item = (usize, &Entry)> {
        let end = self.entry(of).next;
        let mut at = of + 1;
        std::iter::from_fn(move || {
            let entry = self.entries.get(at).filter(|_| at < end)?;
            let found = (at, entry);
            // An entry contains itself at least.
            at = entry.next.max(at + 1);
            Some(found)
        })
    }

    /// The field of an entry with this name.
    pub(super) fn field(&self, outline: &Outline, of: usize, name: &str) -> Option<usize> {
        self.field_in(&outline.text, of, name)
    }

    fn field_in(&self, text: &str, of: usize, name: &str) -> Option<usize> {
        let is_named = |it: &Entry| it.kind == Kind::Field && it.key_in(text) == name;
        self.children(of).find(|(_, it)| is_named(it)).map(|(at, _)| at)
    }

    /// The entry at a path of fields.
    pub(super) fn at(&self, outline: &Outline, fields: &[&str]) -> Option<usize> {
        self.at_in(&outline.text, fields)
    }

    fn at_in(&self, text: &str, fields: &[&str]) -> Option<usize> {
        fields.iter().try_fold(0, |at, name| self.field_in(text, at, name))
    }
}

impl Entry {
    /// The key in the text that it was read from, without quotes.
    fn key_in<'t>(&self, text: &'t str) -> &'t str {
        unquoted(text.slice(self.key.clone()))
    }

    /// The range from its key to the end of its value.
    pub(super) fn range(&self) -> Range<usize> {
        self.key.start..self.end.max(self.key.end)
    }
}

/// A scalar without its quotes. Escapes are kept: names have none.
fn unquoted(text: &str) -> &str {
    let first = text.chars().next().filter(|it| matches!(it, '"' | '\''));
    let inner = first.and_then(|quote| text.strip_prefix(quote));
    match (inner, first) {
        (Some(inner), Some(quote)) => inner.strip_suffix(quote).unwrap_or(inner),
        _ => text,
    }
}
