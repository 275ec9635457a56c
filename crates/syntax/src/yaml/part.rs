//! The public interface of the splitter.

use super::split::{self as stream, Content, DocumentSlice};
use super::{boundary, read_apart};
use crate::diag::{Diagnostic, Sink};
use crate::source::{FileId, FileSpan, Slice as _, Span, Workspace};

/// The number of values that the aliases of a part can represent, for each of its bytes.
const ALIAS_VALUES_PER_BYTE: usize = 4;

/// The content of a [`Part`] of a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum PartContent {
    /// A document with content.
    Document,
    /// A document with only empty lines: two markers in a row.
    Empty,
    /// A document with only comments.
    CommentOnly,
    /// No document: the stream only has empty lines and comments. It is then the only part.
    NoDocument,
}

/// One document of a stream with its surroundings. All parts, concatenated, equal the stream byte
/// for byte.
#[derive(Clone, Debug)]
pub struct Part<'w> {
    /// The bytes: leading comments and directives, markers, content, line breaks.
    pub text: &'w str,
    /// The span of the bytes.
    pub span: FileSpan,
    /// The kind of content.
    pub content: PartContent,
    slice: DocumentSlice,
    whole: &'w str,
}

impl Part<'_> {
    /// `kind` and `metadata.name` of the object in this part, for a file name; empty if absent.
    /// `None` if the part has no content or is invalid.
    #[must_use]
    pub fn kind_and_name(&self) -> Option<(String, String)> {
        if self.content != PartContent::Document {
            return None;
        }
        // Far more than aliases in a file for people represent; a stream can have many documents.
        let mut aliases = ALIAS_VALUES_PER_BYTE * self.text.len();
        let document = read_apart(self.whole, &self.slice, &mut aliases)?;
        let text = |keys: &[&str]| document.root.text_at(keys).to_owned();
        Some((text(&["kind"]), text(&["metadata", "name"])))
    }
}

/// A stream split by [`split`].
#[derive(Debug)]
pub struct Parts<'w> {
    /// The documents, in order. Empty for an empty file.
    pub parts: Vec<Part<'w>>,
    /// Findings about streams that other YAML readers would reject, truncate or split differently;
    /// sorted by position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Splits a file into its documents by the grammar of YAML 1.2, without changing a byte.
///
/// ```
/// # use sandboxc_syntax::{source::Workspace, yaml};
/// let mut workspace = Workspace::new();
/// let file = workspace.add("two.yaml", "a: |\n  rw-rw----\n---\nb: 2\n");
/// let split = yaml::split(&workspace, file);
/// let texts: Vec<_> = split.parts.iter().map(|part| part.text).collect();
/// assert_eq!(texts, ["a: |\n  rw-rw----\n", "---\nb: 2\n"]);
/// ```
#[must_use]
pub fn split(workspace: &Workspace, file: FileId) -> Parts<'_> {
    let text = workspace.file(file).text();
    let stream = stream::split(file, text);
    let mut sink = Sink::new();
    boundary::check(text, &stream, &mut sink);
    let parts = stream.slices.into_iter().map(|slice| part_of_slice(text, slice)).collect();
    Parts { parts, diagnostics: sink.into_sorted() }
}

/// The spans of the [`parts`](Parts::parts) of a file.
#[must_use]
pub fn document_spans(file: FileId, text: &str) -> Vec<Span> {
    stream::split(file, text).slices.into_iter().map(|slice| slice.span.into()).collect()
}

fn part_of_slice(whole: &str, slice: DocumentSlice) -> Part<'_> {
    let content = match slice.content {
        Content::At(_) => PartContent::Document,
        Content::Empty => PartContent::Empty,
        Content::CommentOnly => PartContent::CommentOnly,
        Content::NoDocument => PartContent::NoDocument,
    };
    let text = whole.slice(slice.span.range());
    Part { text, span: slice.span, content, slice, whole }
}
