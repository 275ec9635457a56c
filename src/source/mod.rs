//! Source files and places in them.
//!
//! A [`Workspace`] owns every text of one run; everything later refers to it by [`Span`].
//! Line and column are computed only when a place is shown to a person.

mod hash;
mod line_index;
mod span;
mod workspace;

pub use hash::content_hash;
pub use line_index::{LineColumn, LineIndex};
pub use span::{FileId, FileSpan, Span};
pub use workspace::{FileRole, STDIN, SourceFile, Workspace};
