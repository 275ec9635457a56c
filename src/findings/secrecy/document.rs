//! What is hidden in the text of a document.
//!
//! Of a document that can be read, the tree says what each key and value is. What is between them can
//! be a comment, or a value that is not in the tree: that of a duplicate key. Where there are secrets,
//! only the structure of it is shown. Of a document that cannot be read, only the structure is known.

use super::names::{Sign, Signs};
use super::signs::{holds_secret, names_secret};
use super::values::reads_values;
use super::veil::{Inside, Veil, is_plain};
use super::{cases, is_reference, structure};
use crate::findings::exception;
use crate::source::{Slice as _, Span, Workspace, lines};
use crate::tree::{Entry, Node, Value};
use crate::yaml::{Document, Documents};

/// What is hidden.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    /// The parts of the text to hide.
    pub(super) spans: Vec<Span>,
    /// The parts of which a message could quote a secret: secret values with their keys, objects in
    /// environments, and documents that cannot be read.
    pub(super) guarded: Vec<Span>,
    /// The documents that cannot be read.
    pub(super) unread: Vec<Span>,
    /// What is written in place of a secret value: an expression that only names it.
    pub(super) references: Vec<Span>,
    /// The other strings with expressions that read values.
    pub(super) expressions: Vec<Span>,
    /// Whether only the structure of a document is shown.
    pub(super) is_structure: bool,
}

impl Hidden {
    /// Adds documents of one file. A document that cannot be read, or that is not an object, can be a part of
    /// one next to it.
    pub(super) fn add_all(&mut self, workspace: &Workspace, documents: Documents) {
        let Documents { read, unread } = documents;
        let is_part = |document: &Document| root_kind(document).is_none();
        if !unread.is_empty() || read.iter().any(is_part) {
            let spans = read.iter().map(|it| it.span).chain(unread.iter().copied());
            let secret = Secret::of(workspace, spans);
            for document in unread {
                if secret.names(document) || secret.is_next_to(document) {
                    self.add_structure(workspace, document);
                }
            }
            let is_structure =
                |document: &Document| is_part(document) && secret.is_next_to(document.span);
            for document in read {
                if is_structure(&document) {
                    self.add_structure(workspace, document.span);
                } else {
                    self.add(workspace, &document.root, document.span);
                }
            }
        } else {
            for document in &read {
                self.add(workspace, &document.root, document.span);
            }
        }
    }

    /// Adds a document of which only the structure is shown.
    pub(super) fn add_structure(&mut self, workspace: &Workspace, document: Span) {
        let hidden = structure::hidden(workspace.slice(document)).into_iter();
        self.spans.extend(hidden.map(|it| document.part(it)));
        self.guarded.push(document);
        self.unread.push(document);
        self.is_structure = true;
    }

    /// Adds a document that was read.
    fn add(&mut self, workspace: &Workspace, root: &Node, document: Span) {
        let (veil, shown, regions) = (Veil::of_root(), Vec::new(), Vec::new());
        let first = self.spans.len();
        let mut walk = Walk { workspace, document, shown, regions, hidden: self };
        if veil.inside(root).is_object() {
            walk.regions.push(document);
        }
        walk.visit(root, veil);
        for secret in cases::secrets(root) {
            walk.hide(secret);
        }
        let Walk { mut shown, regions, .. } = walk;
        let hidden = self.spans.slice(first..);
        shown.extend(hidden.iter().filter(|it| document.contains(**it)));
        self.add_gaps(workspace, document, shown, regions);
    }

    /// Adds what is between the keys and values of a document.
    fn add_gaps(
        &mut self,
        workspace: &Workspace,
        document: Span,
        mut known: Vec<Span>,
        mut regions: Vec<Span>,
    ) {
        known.sort_unstable();
        regions.sort_unstable();
        let end = document.end_point();
        let (mut at, mut regions, mut region_end) =
            (document.start_point(), regions.into_iter().peekable(), document.start_point());
        for next in known.into_iter().chain([end]) {
            if at < next.start_point() {
                while let Some(region) = regions.next_if(|it| it.start_point() <= next) {
                    region_end = region_end.max(region.end_point());
                }
                let gap = at.part(0..at.distance(next) as usize);
                self.add_gap(workspace, gap, region_end > at);
            }
            at = at.max(next.end_point());
        }
    }

    /// Adds the text of a gap, in which there is no key and no value of the tree.
    fn add_gap(&mut self, workspace: &Workspace, gap: Span, is_near_secrets: bool) {
        let text = workspace.slice(gap);
        if !text.bytes().any(|c| c.is_ascii_alphanumeric() || !c.is_ascii()) {
            return;
        }
        if !is_near_secrets && !names_secret(text) {
            return;
        }
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            // The comments that this program reads.
            if !line.trim_start_matches([' ', '#']).starts_with(exception::WORD) {
                let hidden = structure::hidden(line).into_iter();
                let hidden = hidden.map(|range| gap.part(at + range.start..at + range.end));
                self.spans.extend(hidden);
            }
            at += line.len();
        }
        self.guarded.push(gap);
    }
}

fn root_kind(document: &Document) -> Option<&str> {
    document.root.str_at(&["kind"])
}

/// The documents of a file that name a secret, by their positions.
struct Secret {
    starts: Vec<Span>,
    ends: Vec<Span>,
}

impl Secret {
    fn of(workspace: &Workspace, documents: impl Iterator<Item = Span>) -> Self {
        let secret: Vec<_> =
            documents.filter(|document| names_secret(workspace.slice(*document))).collect();
        let sorted = |mut points: Vec<Span>| {
            points.sort_unstable();
            points
        };
        Self {
            starts: sorted(secret.iter().map(|it| it.start_point()).collect()),
            ends: sorted(secret.iter().map(|it| it.end_point()).collect()),
        }
    }

    fn names(&self, document: Span) -> bool {
        self.starts.binary_search(&document.start_point()).is_ok()
    }

    fn is_next_to(&self, document: Span) -> bool {
        self.ends.binary_search(&document.start_point()).is_ok()
            || self.starts.binary_search(&document.end_point()).is_ok()
    }
}

/// A walk through the tree of a document.
struct Walk<'h> {
    workspace: &'h Workspace,
    document: Span,
    /// The keys and values that are shown.
    shown: Vec<Span>,
    /// Where comments are hidden.
    regions: Vec<Span>,
    hidden: &'h mut Hidden,
}

impl Walk<'_> {
    fn visit(&mut self, node: &Node, veil: Veil) {
        match &node.value {
            Value::Map(map) => {
                let inside = veil.inside(node);
                if inside.has_secrets() {
                    self.regions.push(self.to_end_of_line(node.span()));
                }
                map.entries().iter().for_each(|it| self.visit_entry(it, veil, inside));
            }
            Value::List(items) => items.iter().for_each(|item| self.visit(item, veil.item())),
            // An unknown alias is null.
            _ if veil.hides() || veil.hides_scalar(node) => self.hide(node.span()),
            Value::Null => {}
            _ if veil.is_in_secret() && !is_plain(self.workspace.slice(node.span())) => {
                self.hide(node.span());
            }
            _ => {
                self.shown.push(node.span());
                if node.as_str().is_some_and(reads_values) {
                    self.hidden.expressions.push(node.span());
                }
            }
        }
    }

    fn visit_entry(&mut self, entry: &Entry, veil: Veil, inside: Inside) {
        let below = inside.below(&entry.key, Some(&entry.value));
        let (key, value) = (entry.key_origin().span(), entry.value.span());
        let is_data = below.hides() && !veil.hides();
        let name = Signs::of(&entry.key);
        let is_shown = match () {
            () if veil.hides_keys() => false,
            // A key without a value can be both, without the colon between them.
            () if veil.hides() || is_data || inside.has_secrets() => {
                // A list as a key is an empty name.
                let is_name = name.has(Sign::Plain) && is_plain(self.workspace.slice(key));
                is_name && !entry.value.is_null() || name.has(Sign::FieldOrKind)
            }
            // A map or a list as a key is an empty name.
            () if entry.key.is_empty() => is_plain(self.workspace.slice(key)),
            () => name.has(Sign::Plain) || !holds_secret(&entry.key),
        };
        if is_shown {
            self.shown.push(key);
        } else {
            self.hide(key);
        }
        if is_data {
            self.regions.push(self.to_end_of_line(value));
            self.hidden.guarded.extend([key, value]);
        }
        self.visit(&entry.value, below);
    }

    fn hide(&mut self, span: Span) {
        if is_reference(self.workspace.slice(span)) {
            self.shown.push(span);
            self.hidden.guarded.push(span);
            self.hidden.references.push(span);
        } else if !span.is_empty() {
            self.hidden.spans.push(span);
            self.hidden.guarded.push(span);
        }
    }

    /// A span with the rest of its last line, which can have a comment.
    fn to_end_of_line(&self, span: Span) -> Span {
        let Some(rest) = self.document.has_begin_of(span.end_point()).then(|| {
            let from = self.document.distance(span.end_point()) as usize;
            self.workspace.slice(self.document).slice(from..)
        }) else {
            return span;
        };
        let (_, length) = span.parts();
        span.part(0..length as usize + lines::first(rest).len())
    }
}
