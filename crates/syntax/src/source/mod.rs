//! Source files and spans in them.
//!
//! A [`Workspace`] owns the source files of one run; later stages refer to them by [`Span`]. Lines
//! and columns are only computed when a position is shown.

mod hash;
mod line_index;
pub mod lines;
mod names;
mod slice;
mod span;
mod workspace;

pub use hash::content_hash;
pub use line_index::{LineColumn, LineIndex};
pub use names::{GENERATED_FILES, IGNORE_FILE, MANIFEST_EXTENSIONS, PROJECT_FILE};
pub use slice::Slice;
pub use span::{FileId, FileSpan, Span, offset};
pub use workspace::{FileRole, STDIN, SourceFile, Workspace};
