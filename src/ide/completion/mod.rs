//! What can be written at the cursor.
//!
//! The path to the cursor comes from an outline of the text, so half a line completes as well as a
//! whole one. Nothing here waits for a check.

mod expressions;
mod fields;
mod kinds;
mod names;
mod rules;
#[cfg(test)]
mod tests;
mod values;

use std::ops::Range;

use super::index::Index;
use super::outline::{Cursor, Outline, Slot};
use crate::sorted::CompactSort as _;

/// A text that can be written at the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Completion {
    /// The text that is shown.
    pub label: String,
    /// The text that is searched. It starts as the range does.
    pub filter: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words next to it, such as its type.
    pub detail: String,
    /// Its description in Markdown.
    pub docs: String,
    /// The range to replace. An opening quote before the cursor is not part of it: editors compare the range
    /// with what is searched.
    pub range: Range<usize>,
    /// The text to write.
    pub text: String,
    /// The same with places to fill in, in the syntax of snippets; empty if there are none.
    pub snippet: String,
    /// Another change of the file that belongs to it: an offset and the text to write there.
    pub beside: Option<(usize, String)>,
    /// Whether it works, and there is a replacement.
    pub is_deprecated: bool,
    /// Its place among the others: lower ones are first.
    pub rank: u8,
}

/// What a [`Completion`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompletionKind {
    /// A field.
    Field,
    /// A value of a closed list.
    Value,
    /// A kind or a version.
    Kind,
    /// The name of something in the project.
    Reference,
    /// A variable or a filter of an expression.
    Variable,
    /// The name of a rule.
    Rule,
    /// The start of a document.
    Snippet,
}

/// The place of a completion.
struct CompletionContext<'i> {
    index: &'i Index,
    outline: &'i Outline,
    cursor: Cursor<'i>,
    offset: usize,
}

impl Completion {
    /// A text that replaces a range.
    fn new(kind: CompletionKind, label: impl Into<String>, range: &Range<usize>) -> Self {
        let label = label.into();
        Self {
            text: label.clone(),
            filter: label.clone(),
            label,
            kind,
            detail: String::new(),
            docs: String::new(),
            range: range.clone(),
            snippet: String::new(),
            beside: None,
            is_deprecated: false,
            rank: 1,
        }
    }
}

/// Returns what can be written at an offset of a file, in the order in which it is shown.
///
/// ```
/// use sandboxc::{Versions, Workspace, ide};
///
/// let mut workspace = Workspace::new();
/// let text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      ima";
/// workspace.add("pod.yaml", text);
/// let index = ide::Index::of(&workspace, Versions::NONE);
/// let found = ide::completion(&index, 0, text.len());
/// assert!(found.iter().any(|it| it.label == "image"));
/// ```
#[must_use]
pub fn completion(index: &Index, file: usize, offset: usize) -> Vec<Completion> {
    let found = || {
        let outline = index.outline(file)?;
        let offset = outline.text().floor_char_boundary(offset);
        if let Some(before) = expressions::before(outline, offset) {
            return Some(expressions::of(index, outline, offset, before));
        }
        let cursor = outline.cursor(offset)?;
        let cx = CompletionContext { index, outline, cursor, offset };
        let mut found = match cx.cursor.slot {
            Slot::Comment => rules::of_comment(&cx),
            Slot::Text => Vec::new(),
            Slot::Key | Slot::NewKey { .. } => fields::of(&cx),
            Slot::Value => values::of(&cx),
        };
        for completion in &mut found {
            cx.keep_quote(completion);
        }
        Some(found)
    };
    let mut found: Vec<_> = found().into_iter().flatten().collect();
    found.compact_sort_by(|one, other| (one.rank, &one.label).cmp(&(other.rank, &other.label)));
    found.dedup_by(|one, other| {
        one.label == other.label && one.text == other.text && one.detail == other.detail
    });
    found
}
