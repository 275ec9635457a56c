//! Comments: those for this program, which begin with a word, and all of them.
//!
//! Comments are not part of the tree. So the text is searched for the word, which costs almost
//! nothing if it does not occur; an occurrence is a comment if it follows a `#` that is not in a
//! scalar.

use std::ops::Range;

use super::split::{self, Content, DocumentSlice};
use super::{mark, read_apart};
use crate::source::{FileId, FileSpan, Slice as _, lines, offset};
use crate::tree::{Node, Value};

/// A comment that begins with the word.
#[derive(Debug)]
pub struct Comment<'t> {
    /// From its `#` to the end of its line.
    pub span: FileSpan,
    /// The text after the word, including spaces.
    pub text: &'t str,
    /// The content that it belongs to.
    pub beside: Beside,
}

/// The content that a comment belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// The whole document: the comment precedes its content.
    Document(FileSpan),
    /// A line with content: that of the comment, or the next one if the comment is alone on its
    /// line. Empty if no content follows.
    Line(FileSpan),
}

/// The comments of a file that begin with `word`, in order. Comments in an invalid document are
/// skipped, because its structure is unknown. `aliases` is the number of values that its aliases may add.
pub fn comments<'t>(
    file: FileId,
    text: &'t str,
    word: &str,
    aliases: &mut usize,
) -> Vec<Comment<'t>> {
    comments_among(file, text, &candidates_with_word(text, word), aliases)
}

/// All comments of a file, in order. The text of each follows its `#`. Comments in an invalid document are
/// skipped, as by [`comments`].
pub fn all_comments<'t>(file: FileId, text: &'t str, aliases: &mut usize) -> Vec<Comment<'t>> {
    let mut line = Line::default();
    let mut candidates = Vec::new();
    for hash in memchr::memchr_iter(b'#', text.as_bytes()) {
        if hash >= line.end {
            line = Line::around(text, hash);
        }
        if line.can_have_comment(text, hash) {
            candidates.push(Candidate { line, hash, text: hash + 1 });
        }
    }
    comments_among(file, text, &candidates, aliases)
}

/// The candidates that are comments.
fn comments_among<'t>(
    file: FileId,
    text: &'t str,
    candidates: &[Candidate],
    aliases: &mut usize,
) -> Vec<Comment<'t>> {
    if candidates.is_empty() {
        return Vec::new();
    }
    let stream = split::split(file, text);
    let mut comments = Vec::new();
    let mut rest = candidates;
    for slice in &stream.slices {
        let end = rest.partition_point(|candidate| candidate.hash < slice.span.end as usize);
        let (inside, behind) = rest.split_at(end);
        rest = behind;
        if !inside.is_empty() {
            take_from(text, slice, inside, aliases, &mut comments);
        }
    }
    comments
}

/// A line of the text.
#[derive(Clone, Copy, Default)]
struct Line {
    start: usize,
    /// Its first character that is not a space.
    content: usize,
    end: usize,
}

impl Line {
    fn around(text: &str, at: usize) -> Self {
        let Range { start, end } = lines::range(text, at);
        let start = start.max(mark::byte_order_mark_len(text));
        let line = text.slice(start..end);
        let content = end - line.trim_start_matches([' ', '\t']).len();
        Self { start, content, end }
    }

    /// Whether a `#` of the line can begin a comment. In a line that begins with `#` it is part of that
    /// comment, such as a line that was commented out.
    fn can_have_comment(&self, text: &str, hash: usize) -> bool {
        let is_within = self.content < hash && text.as_bytes().get(self.content) == Some(&b'#');
        let before = text.slice(..hash);
        !is_within && (hash == self.start || before.ends_with([' ', '\t']))
    }
}

/// A `#` with the word after it.
struct Candidate {
    line: Line,
    hash: usize,
    /// The start of the text after the word.
    text: usize,
}

fn candidates_with_word(text: &str, word: &str) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut line = Line::default();
    for at in memchr::memmem::find_iter(text.as_bytes(), word.as_bytes()) {
        let before = text.slice(..at).trim_end_matches([' ', '\t']);
        let Some(before) = before.strip_suffix('#') else { continue };
        let hash = before.len();
        if at >= line.end {
            line = Line::around(text, at);
        }
        if line.can_have_comment(text, hash) {
            candidates.push(Candidate { line, hash, text: at + word.len() });
        }
    }
    candidates
}

/// Adds the candidates of a document that are comments.
fn take_from<'t>(
    text: &'t str,
    slice: &DocumentSlice,
    candidates: &[Candidate],
    aliases: &mut usize,
    comments: &mut Vec<Comment<'t>>,
) {
    let span =
        |start: usize, end: usize| FileSpan::new(slice.span.file, offset(start), offset(end));
    let mut scalars = Vec::new();
    if let Content::At(_) = slice.content {
        let file = slice.span.file;
        let Some(document) = read_apart(text, slice, aliases) else { return };
        collect_scalars(file, text, &document.root, &mut scalars);
        scalars.sort_unstable();
        scalars.dedup();
    }
    let mut next: Option<FileSpan> = None;
    let mut done = 0;
    for Candidate { line, hash, text: at } in candidates {
        let place = span(*hash, line.end);
        let before = scalars.partition_point(|(start, _)| *start <= place.start);
        let around = before.checked_sub(1).and_then(|at| scalars.get(at));
        if *hash < done || around.is_some_and(|(_, end)| place.start < *end) {
            continue;
        }
        done = line.end;
        let beside = match slice.content {
            Content::At(at) if at < place.start && line.content == *hash => {
                // A next line that was found before is still the next one for this comment.
                let known = next.filter(|line| line.start >= place.end);
                let line = known.unwrap_or_else(|| next_line(text, place, slice.span.end));
                next = Some(line);
                Beside::Line(line)
            }
            Content::At(at) if at < place.start => Beside::Line(span(line.start, line.end)),
            _ => Beside::Document(slice.span),
        };
        let text = text.slice(*at..line.end);
        comments.push(Comment { span: place, text, beside });
    }
}

/// The next line with content before `limit`; empty at `limit` if there is none.
fn next_line(text: &str, comment: FileSpan, limit: u32) -> FileSpan {
    let mut at = comment.end as usize;
    let rest = text.slice(at..limit as usize);
    for line in rest.split_inclusive(['\n', '\r']) {
        let content = line.trim();
        let end = at + line.trim_end().len();
        if !content.is_empty() && !content.starts_with('#') {
            return FileSpan { start: offset(at), end: offset(end), ..comment };
        }
        at += line.len();
    }
    FileSpan { start: limit, end: limit, ..comment }
}

/// Collects the spans in which a `#` is text: keys and values, except for the first line of a block
/// scalar.
fn collect_scalars(file: FileId, text: &str, node: &Node, scalars: &mut Vec<(u32, u32)>) {
    match &node.value {
        Value::List(items) => {
            items.iter().for_each(|item| collect_scalars(file, text, item, scalars));
        }
        Value::Map(map) => {
            for entry in map.entries() {
                push_scalar(text, entry.key_origin().span().within(file), scalars);
                collect_scalars(file, text, &entry.value, scalars);
            }
        }
        _ => push_scalar(text, node.span().within(file), scalars),
    }
}

fn push_scalar(text: &str, span: FileSpan, scalars: &mut Vec<(u32, u32)>) {
    let written = text.slice(span.range());
    let header = if written.starts_with(['|', '>']) { lines::first(written).len() } else { 0 };
    scalars.push((span.start + offset(header), span.end));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    /// Each comment with the content that it belongs to. A document is shown as `document` with its
    /// first line.
    fn found(text: &str) -> Vec<(String, String)> {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", text);
        let text = workspace.file(file).text();
        comments(file, text, "tool:", &mut 0)
            .into_iter()
            .map(|comment| {
                assert!(workspace.slice(comment.span).starts_with('#'));
                let beside = match comment.beside {
                    Beside::Document(span) => {
                        format!("document {}", workspace.slice(span).lines().next().unwrap_or(""))
                    }
                    Beside::Line(span) => workspace.slice(span).to_owned(),
                };
                (comment.text.trim().to_owned(), beside)
            })
            .collect()
    }

    fn one(text: &str, said: &str, beside: &str) {
        assert_eq!(found(text), [(said.to_owned(), beside.to_owned())], "{text:?}");
    }

    fn none(text: &str) {
        assert_eq!(found(text), [], "{text:?}");
    }

    #[test]
    fn a_comment_after_content_belongs_to_its_line() {
        one("a: 1\nb: 2 # tool: x\nc: 3\n", "x", "b: 2 # tool: x");
        one("a: 1\nb: [1, #\ttool:x\n  2]\n", "x", "b: [1, #\ttool:x");
        one("a: 1\nb: | # tool: x\n  text\n", "x", "b: | # tool: x");
        one("a: 1 # tool: x", "x", "a: 1 # tool: x");
        one("a: 1\r\nb: 2 # tool: x\r\nc: 3\r\n", "x", "b: 2 # tool: x");
    }

    #[test]
    fn a_comment_on_its_own_line_belongs_to_the_next_line_with_content() {
        one("a: 1\n# tool: x\nb: 2\nc: 3\n", "x", "b: 2");
        one("a: 1\n  # tool: x\n\n# more\nb: 2\n", "x", "b: 2");
        one("a: 1\n# tool: x\n", "x", "");
        let two = found("a: 1\n# tool: x\n# tool: y\nb: 2\n# tool: z\nc: 3\n");
        let pair = |said: &str, line: &str| (said.to_owned(), line.to_owned());
        assert_eq!(two, [pair("x", "b: 2"), pair("y", "b: 2"), pair("z", "c: 3")]);
    }

    #[test]
    fn a_comment_before_the_content_belongs_to_the_document() {
        one("# tool: x\na: 1\n", "x", "document # tool: x");
        one("a: 1\n---\n# tool: x\nb: 2\n", "x", "document ---");
        one("a: 1\n--- # tool: x\nb: 2\n", "x", "document --- # tool: x");
        one("# tool: x\n---\nb: 2\n---\nc: 3\n", "x", "document # tool: x");
        one("# tool: x\n", "x", "document # tool: x");
        one("\u{feff}# tool: x\na: 1\n", "x", "document \u{feff}# tool: x");
    }

    #[test]
    fn text_is_not_a_comment() {
        none("a: 1\nb: \"x # tool: x\"\n");
        none("a: 1\nb: 'x\n  # tool: x\n  y'\n");
        none("a: 1\nb: |\n  # tool: x\n  y\nc: 2\n");
        none("a: 1\nb: >-\n  x\n\n  # tool: x\n");
        none("a: 1\n? \"x # tool: x\"\n: 2\n");
        none("a: 1\nb: x# tool: x\n");
        none("a: 1\nb: tool: x\n");
        none("a: 1\n# see the tool: x\n");
        none("a: 1\n# b: 2 # tool: x\n");
        one(
            "a: 1\nb: \"# tool: x\" # tool: y # tool: z\n",
            "y # tool: z",
            "b: \"# tool: x\" # tool: y # tool: z",
        );
    }

    #[test]
    fn an_invalid_document_has_no_comments_and_hides_none() {
        one("a: [ # tool: x\n---\nb: 2 # tool: y\n", "y", "b: 2 # tool: y");
    }

    #[test]
    fn many_comments_take_linear_time() {
        let text = format!("a: 1\n{}", "# tool: x\n".repeat(200_000));
        assert_eq!(found(&text).len(), 200_000);
        let text = format!("a: 1 {}", "# tool: x".repeat(200_000));
        assert_eq!(found(&text).len(), 1);
        let text = format!("a: '{}'", "# tool: ".repeat(200_000));
        assert_eq!(found(&text).len(), 0);
    }
}
