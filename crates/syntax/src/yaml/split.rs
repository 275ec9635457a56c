//! The splitter: divides a stream into its documents by the grammar of YAML 1.2.
//!
//! A line that begins with `---` or `...` at column 0, followed by a space, a line break or the end
//! of the input, is a document marker wherever it appears: the grammar forbids such a line inside
//! every scalar and flow collection. So the search for markers is exact without parsing, and each
//! [`DocumentSlice`] can be parsed separately: anchors, tags and directives never cross a marker.
//! The spans of the slices, concatenated, cover the text byte for byte.

use super::mark::{self, MarkKind, Oddity};
use crate::source::{FileId, FileSpan, Slice as _, lines, offset};

/// The content between the markers of one document, as far as it is known without parsing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// No document: the stream only has empty lines and comments.
    NoDocument,
    /// An empty document: a marker, and empty lines.
    Empty,
    /// A document with only comments.
    CommentOnly,
    /// There is content (`null`, a tag alone, a map ...); it begins at this byte.
    At(u32),
}

/// One document of a stream: its bytes, and the spans of its markers, directives and comments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DocumentSlice {
    /// Its index in the stream, starting at 0.
    pub index: u32,
    /// Its part of the stream: leading comments and directives, markers, content, line breaks.
    pub span: FileSpan,
    /// The `---` that opens it; a bare document has none.
    pub marker: Option<FileSpan>,
    /// The `...` that ends it.
    pub end_marker: Option<FileSpan>,
    /// Each `%` line before the marker, without its line break.
    pub directives: Vec<FileSpan>,
    /// The span from the first to the last comment before the content.
    pub comments: Option<FileSpan>,
    /// The span from the start of the line on which the content begins (or from the end of the
    /// marker, if it begins on the marker's line) to the `...` or the end of the part. Empty
    /// without content.
    pub body: FileSpan,
    /// Its content.
    pub content: Content,
}

/// A split stream.
#[derive(Debug)]
pub(crate) struct Stream {
    /// Its documents, in order.
    pub slices: Vec<DocumentSlice>,
    /// Its oddities, in order of position.
    pub oddities: Vec<(FileSpan, Oddity)>,
}

/// Splits a stream, in linear time; it reads little more than the lines around markers.
#[must_use]
pub(crate) fn split(file: FileId, text: &str) -> Stream {
    let is_ascii = text.is_ascii();
    let mut splitter = Splitter::new(file, text);
    if !is_ascii {
        splitter.note_unicode_oddities();
    }
    for mark in mark::find(text, is_ascii) {
        match mark.kind {
            MarkKind::Start => splitter.start(mark.at),
            MarkKind::End => splitter.end(mark.at),
            MarkKind::Lookalike => splitter.lookalike(mark.at),
        }
    }
    splitter.finish()
}

/// The prefix of a document that has not begun yet.
#[derive(Default)]
struct Prefix {
    start: usize,
    directives: Vec<FileSpan>,
    comments: Option<FileSpan>,
}

struct Splitter<'t> {
    file: FileId,
    text: &'t str,
    slices: Vec<DocumentSlice>,
    oddities: Vec<(FileSpan, Oddity)>,
    /// The current document; `None` between documents.
    open: Option<DocumentSlice>,
    prefix: Prefix,
    /// The offset up to which the stream was read.
    at: usize,
}

impl<'t> Splitter<'t> {
    fn new(file: FileId, text: &'t str) -> Self {
        Self {
            file,
            text,
            slices: Vec::new(),
            oddities: Vec::new(),
            open: None,
            prefix: Prefix::default(),
            at: mark::byte_order_mark_len(text),
        }
    }

    fn note_unicode_oddities(&mut self) {
        for (range, kind) in mark::find_unicode_oddities(self.text) {
            self.note(range.start, range.end, kind);
        }
    }

    /// Handles a `---`, which closes the open document and opens the next one.
    fn start(&mut self, at: usize) {
        let bytes = self.text.as_bytes();
        let line = mark::start_of_line(bytes, at);
        self.read_until(line);
        self.close(line, line);
        let end = lines::end(bytes, at);
        let next = lines::after_break(bytes, end);
        let prefix = std::mem::take(&mut self.prefix);
        let mut slice = DocumentSlice {
            index: 0,
            span: self.span(prefix.start, next),
            marker: Some(self.span(at, at + 3)),
            end_marker: None,
            directives: prefix.directives,
            comments: prefix.comments,
            body: self.span(next, next),
            content: Content::Empty,
        };
        self.note_carriage_returns(at, end, next);
        let rest = mark::skip_blanks(bytes, at + 3);
        if next == bytes.len() && at > 0 && at + 3 < next && !bytes.ends_with(b"\n") {
            self.note(at, at + 3, Oddity::UnfinishedMarkerLine);
        }
        if bytes.get(rest) == Some(&b'#') {
            slice.content = Content::CommentOnly;
            self.add_comment(&mut slice.comments, rest, end);
        } else if rest < end {
            self.note(rest, end, Oddity::MarkerWithContent);
            slice.content = Content::At(offset(rest));
            slice.body = self.span(at + 3, next);
        }
        self.open = Some(slice);
        self.at = next;
    }

    /// Handles a `...`, which closes the open document.
    fn end(&mut self, at: usize) {
        self.read_until(at);
        let bytes = self.text.as_bytes();
        let end = lines::end(bytes, at);
        let next = lines::after_break(bytes, end);
        self.note_carriage_returns(at, end, next);
        let rest = mark::skip_blanks(bytes, at + 3);
        if rest < end && bytes.get(rest) != Some(&b'#') {
            self.note(rest, end, Oddity::EndWithText);
        }
        let is_first = self.slices.is_empty();
        match &mut self.open {
            Some(slice) => {
                slice.end_marker = Some(FileSpan::new(self.file, offset(at), offset(at + 3)));
                // In Kubernetes, line separators of Unicode are not content.
                let is_break =
                    |c| matches!(c, ' ' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
                let is_empty = match slice.content {
                    Content::At(start) => self
                        .text
                        .get(start as usize..at)
                        .is_some_and(|content| content.chars().all(is_break)),
                    _ => true,
                };
                if is_empty {
                    self.note(at, at + 3, Oddity::EndWithoutContent);
                }
                self.close(at, next);
            }
            // After another `...` it has no effect; at the start of a stream, after comments, the
            // parsers of the libyaml family reject it.
            None if is_first => self.note(at, at + 3, Oddity::EndWithoutContent),
            None => {}
        }
        self.at = next;
    }

    /// Handles a line that begins with `---` and is not a marker, which is content in YAML.
    fn lookalike(&mut self, at: usize) {
        let end = lines::end(self.text, at);
        let rest = self.text.slice(at + 3..end).trim();
        let is_accepted_by_line_readers = rest.is_empty() || rest.starts_with('#');
        let kind = if is_accepted_by_line_readers {
            Oddity::CommentAfterDashes
        } else {
            Oddity::TextAfterDashes
        };
        self.note(at, end, kind);
    }

    fn finish(mut self) -> Stream {
        let end = self.text.len();
        self.read_until(end);
        self.close(end, end);
        if self.prefix.start < end {
            match self.slices.last_mut() {
                Some(last) => last.span.end = offset(end),
                None => self.push_stream_without_document(end),
            }
        }
        self.oddities.sort_unstable();
        Stream { slices: self.slices, oddities: self.oddities }
    }

    fn push_stream_without_document(&mut self, end: usize) {
        let prefix = std::mem::take(&mut self.prefix);
        self.slices.push(DocumentSlice {
            index: 0,
            span: self.span(0, end),
            marker: None,
            end_marker: None,
            directives: prefix.directives,
            comments: prefix.comments,
            body: self.span(end, end),
            content: Content::NoDocument,
        });
    }

    /// Searches for the first content between the last marker and `limit`, line by line.
    fn read_until(&mut self, limit: usize) {
        let bytes = self.text.as_bytes();
        let mut open = self.open.take();
        while self.at < limit && !open.as_ref().is_some_and(has_content) {
            let line = self.at;
            let end = lines::end(bytes, line);
            let next = lines::after_break(bytes, end);
            self.at = next;
            let is_prefix = open.is_none();
            let start = line + mark::leading_mark(bytes, line, is_prefix);
            let first = mark::skip_blanks(bytes, start);
            match bytes.get(first) {
                _ if first >= end => {}
                Some(b'#') => {
                    let mut prefix = self.prefix.comments;
                    let comments = open.as_mut().map_or(&mut prefix, |slice| {
                        slice.content = Content::CommentOnly;
                        &mut slice.comments
                    });
                    self.add_comment(comments, first, end);
                    self.prefix.comments = prefix;
                }
                Some(b'%') if first == start && is_prefix => {
                    self.note(first, end, Oddity::Directive);
                    self.prefix.directives.push(self.span(first, end));
                }
                byte => {
                    if byte == Some(&b'%') && first == start {
                        self.note(first, end, Oddity::Directive);
                    }
                    let mut slice = open.unwrap_or_else(|| self.open_bare(first));
                    slice.content = Content::At(offset(first));
                    slice.body = self.span(start, next);
                    open = Some(slice);
                }
            }
        }
        self.open = open;
    }

    /// Opens a document that begins without a `---`.
    fn open_bare(&mut self, first: usize) -> DocumentSlice {
        if !self.slices.is_empty() {
            let end = lines::end(self.text, first);
            self.note(first, end, Oddity::DocumentWithoutMarker);
        }
        let prefix = std::mem::take(&mut self.prefix);
        DocumentSlice {
            index: 0,
            span: self.span(prefix.start, first),
            marker: None,
            end_marker: None,
            directives: prefix.directives,
            comments: prefix.comments,
            body: self.span(first, first),
            content: Content::Empty,
        }
    }

    /// Closes the open document: its body ends at `body_end`, its part at `end`.
    fn close(&mut self, body_end: usize, end: usize) {
        let Some(mut slice) = self.open.take() else { return };
        slice.index = offset(self.slices.len());
        slice.span.end = offset(end);
        slice.body.end = offset(body_end);
        if !has_content(&slice) {
            slice.body.start = slice.body.end;
        }
        self.slices.push(slice);
        self.prefix.start = end;
    }

    /// Readers that only recognize LF do not see a marker next to a lone CR.
    fn note_carriage_returns(&mut self, at: usize, end: usize, next: usize) {
        let bytes = self.text.as_bytes();
        if at > 0 && bytes.get(at - 1) == Some(&b'\r') {
            self.note(at - 1, at, Oddity::LoneCarriageReturn);
        }
        if bytes.get(end) == Some(&b'\r') && next == end + 1 && next < bytes.len() {
            self.note(end, next, Oddity::LoneCarriageReturn);
        }
    }

    fn add_comment(&self, comments: &mut Option<FileSpan>, start: usize, end: usize) {
        let comment = self.span(start, end);
        *comments =
            Some(comments.map_or(comment, |before| FileSpan { end: comment.end, ..before }));
    }

    fn note(&mut self, start: usize, end: usize, kind: Oddity) {
        self.oddities.push((self.span(start, end), kind));
    }

    fn span(&self, start: usize, end: usize) -> FileSpan {
        FileSpan::new(self.file, offset(start), offset(end))
    }
}

const fn has_content(slice: &DocumentSlice) -> bool {
    matches!(slice.content, Content::At(_))
}
