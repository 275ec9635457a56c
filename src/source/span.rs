//! `FileId` and `Span`: a place in a source text, in bytes.

/// Identifies one file of a [`Workspace`](crate::Workspace). Only the workspace makes these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub(super) u32);

impl FileId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `start..end` (bytes) in `file`.
    #[must_use]
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The range of bytes, for slicing the text of the file.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The empty span at the start of this one.
    #[must_use]
    pub const fn start_point(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// The empty span at the end of this one.
    #[must_use]
    pub const fn end_point(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// The smallest span that covers both; `other` must lie in the same file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.file, other.file, "a span lies in one file");
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
