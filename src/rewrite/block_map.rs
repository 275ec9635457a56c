//! A block map that is written again, with the comments between its entries.

use super::places::WrittenEntry;
use super::writer::Writer;
use crate::tree::{Entry, Origin};

/// A block map that is written again.
pub(super) struct BlockMap<'w, 'o> {
    writer: &'w Writer<'o>,
    own: &'w [(Origin, &'w WrittenEntry<'o>)],
    /// The first entry of the source whose comments are not written.
    next: usize,
    column: usize,
    is_empty: bool,
    out: &'w mut String,
}

impl<'w, 'o> BlockMap<'w, 'o> {
    pub(super) const fn new(
        writer: &'w Writer<'o>,
        own: &'w [(Origin, &'w WrittenEntry<'o>)],
        column: usize,
        out: &'w mut String,
    ) -> Self {
        Self { writer, own, next: 0, column, is_empty: true, out }
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, entry: &Entry) -> Option<()> {
        let at = self.own.iter().position(|(key, _)| *key == entry.key_origin());
        let Some((at, place)) = at.and_then(|at| Some((at, self.own.get(at)?.1))) else {
            self.begin();
            return self.writer.fresh(entry, self.column, self.out);
        };
        self.leave_comments(at);
        let gap = self.writer.slice(place.gap, place.key.start);
        if self.is_empty || at == 0 {
            let comments: Vec<_> = if at == 0 { Vec::new() } else { comments_of(gap) };
            for comment in comments {
                self.begin();
                self.out.push_str(comment);
            }
            self.begin();
        } else {
            self.out.push_str(gap);
        }
        self.is_empty = false;
        self.next = self.next.max(at + 1);
        self.writer.entry(entry, place, self.out)
    }

    /// Begins an entry.
    fn begin(&mut self) {
        if !self.is_empty {
            self.writer.new_line(self.column, self.out);
        }
        self.is_empty = false;
    }

    /// Writes the comments of the entries before a position that are gone. Those that moved took theirs.
    pub(super) fn leave_comments(&mut self, end: usize) {
        while self.next < end {
            let Some((key, place)) = self.own.get(self.next) else { break };
            self.next += 1;
            let gap = self.writer.slice(place.gap, place.key.start);
            let mut comments = comments_of(gap);
            if self.writer.kept.contains(key) {
                let above = self.writer.comments_above(place).len();
                comments.truncate(comments.len() - above.min(comments.len()));
            } else {
                let after = self.writer.slice(place.written.end, place.tail).trim();
                comments.extend(Some(after).filter(|it| it.starts_with('#')));
            }
            for comment in comments {
                self.begin();
                self.out.push_str(comment);
            }
        }
    }
}

/// The comments of a gap on lines of their own.
fn comments_of(gap: &str) -> Vec<&str> {
    gap.split('\n').skip(1).map(str::trim).filter(|it| it.starts_with('#')).collect()
}
