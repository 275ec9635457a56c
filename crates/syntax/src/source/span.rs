//! `FileId`, `Span` and `FileSpan`: positions in source files, in bytes.

use std::ops::Range;

/// An offset or a length in source files, which together have fewer bytes than fit into `u32`: more are
/// rejected before anything is read.
pub fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// Identifies one file of a [`Workspace`](super::Workspace) by its offset among all files. Only the
/// workspace creates them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub(super) u32);

/// A half-open range of bytes in the files of a workspace, counted as if the files were
/// concatenated. It is in one file; [`Workspace::locate`](super::Workspace::locate) returns which.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    start: u32,
    /// The number of bytes. An origin has it as well, and most spans are made from one.
    length: u32,
}

impl Span {
    /// The span of `start..end` (bytes from the start of the file) in `file`.
    #[must_use]
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self::between(file.0.saturating_add(start), file.0.saturating_add(end))
    }

    const fn between(start: u32, end: u32) -> Self {
        Self { start, length: end.saturating_sub(start) }
    }

    /// The span that begins at `start` and has `length` bytes.
    pub const fn from_parts(start: u32, length: u32) -> Self {
        Self { start, length }
    }

    /// Its offset among all files, and its length in bytes.
    pub const fn parts(self) -> (u32, u32) {
        (self.start, self.length)
    }

    /// The offset just after the last byte.
    const fn end(self) -> u32 {
        self.start.saturating_add(self.length)
    }

    /// Whether the span is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.length == 0
    }

    /// The empty span at the start of this one.
    #[must_use]
    pub const fn start_point(self) -> Self {
        Self { length: 0, ..self }
    }

    /// The empty span at the end of this one.
    #[must_use]
    pub const fn end_point(self) -> Self {
        Self { start: self.end(), length: 0 }
    }

    /// The smallest span that covers both; `other` must be in the same file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::between(self.start.min(other.start), self.end().max(other.end()))
    }

    /// Whether the span contains all of `other`.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end() <= self.end()
    }

    /// Whether `place` begins in this span. An empty span contains its own position.
    #[must_use]
    pub fn has_begin_of(self, place: Self) -> bool {
        (self.start..self.end().max(self.start.saturating_add(1))).contains(&place.start)
    }

    /// The distance between the starts of two spans, in bytes.
    #[must_use]
    pub const fn distance(self, other: Self) -> u32 {
        self.start.abs_diff(other.start)
    }

    /// A part of the span, by offsets in bytes from its start.
    #[must_use]
    pub fn part(self, range: Range<usize>) -> Self {
        let at = |bytes| self.start.saturating_add(offset(bytes));
        Self::between(at(range.start), at(range.end))
    }

    /// The same span in offsets of `file`, which must contain it.
    #[must_use]
    pub const fn within(self, file: FileId) -> FileSpan {
        let (start, end) = (self.start.saturating_sub(file.0), self.end().saturating_sub(file.0));
        FileSpan { file, start, end }
    }
}

/// A half-open range of bytes in one file, for code that processes its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileSpan {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte, from the start of the file.
    pub start: u32,
    /// Offset just after the last byte.
    pub end: u32,
}

impl FileSpan {
    /// The span of `start..end` (bytes) in `file`.
    #[must_use]
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The range of bytes, for slicing the text of the file.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The empty span at the start of this one.
    #[must_use]
    pub const fn start_point(self) -> Self {
        Self { end: self.start, ..self }
    }
}

impl From<FileSpan> for Span {
    fn from(place: FileSpan) -> Self {
        Self::new(place.file, place.start, place.end)
    }
}
