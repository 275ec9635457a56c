//! The public face of the splitter.

use super::split::{self as stream, Content, DocumentSlice};
use super::{boundary, parse};
use crate::diag::{Diagnostic, Sink};
use crate::source::{FileId, FileSpan, Workspace};

/// What a [`Part`] of a stream holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum PartContent {
    /// A document with content.
    Document,
    /// A document with nothing in it but empty lines: two markers in a row.
    Empty,
    /// A document with nothing in it but comments.
    CommentOnly,
    /// No document: the stream has only empty lines and comments. It is the only part then.
    NoDocument,
}

/// One document of a stream with everything around it. The files of all parts joined are the text
/// of the stream, byte for byte.
#[derive(Clone, Debug)]
pub struct Part<'w> {
    /// The bytes: leading comments and directives, markers, content, line breaks.
    pub text: &'w str,
    /// Where they appear.
    pub span: FileSpan,
    /// What they hold.
    pub content: PartContent,
    slice: DocumentSlice,
    whole: &'w str,
}

impl Part<'_> {
    /// `kind` and `metadata.name` of the object in this part, empty where there is none; for the
    /// name of a file. `None` where the part has no content or cannot be parsed.
    #[must_use]
    pub fn kind_and_name(&self) -> Option<(String, String)> {
        if self.content != PartContent::Document {
            return None;
        }
        let document = parse(self.span.file, self.whole, &self.slice, &mut Sink::new())?;
        let text = |keys: &[&str]| document.root.str_at(keys).unwrap_or("").to_owned();
        Some((text(&["kind"]), text(&["metadata", "name"])))
    }
}

/// A stream taken apart by [`split`].
#[derive(Debug)]
pub struct Parts<'w> {
    /// The documents, in order. Empty for an empty text.
    pub parts: Vec<Part<'w>>,
    /// What other readers of YAML would reject, lose or cut elsewhere; sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Splits a file into its documents by the grammar of YAML 1.2, without changing a byte.
///
/// ```
/// let mut workspace = sandboxc::Workspace::new();
/// let file = workspace.add("two.yaml", "a: |\n  rw-rw----\n---\nb: 2\n");
/// let split = sandboxc::split(&workspace, file);
/// let texts: Vec<_> = split.parts.iter().map(|part| part.text).collect();
/// assert_eq!(texts, ["a: |\n  rw-rw----\n", "---\nb: 2\n"]);
/// ```
#[must_use]
pub fn split(workspace: &Workspace, file: FileId) -> Parts<'_> {
    let text = workspace.file(file).text();
    let stream = stream::split(file, text);
    let mut sink = Sink::new();
    boundary::check(text, &stream, &mut sink);
    let parts = stream.slices.into_iter().map(|slice| part(text, slice)).collect();
    Parts { parts, diagnostics: sink.into_sorted() }
}

fn part(whole: &str, slice: DocumentSlice) -> Part<'_> {
    let content = match slice.content {
        Content::At(_) => PartContent::Document,
        Content::Empty => PartContent::Empty,
        Content::CommentOnly => PartContent::CommentOnly,
        Content::NoDocument => PartContent::NoDocument,
    };
    let text = whole.get(slice.span.range()).unwrap_or("");
    Part { text, span: slice.span, content, slice, whole }
}
