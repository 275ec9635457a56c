//! Objects as text: in apply order, as one stream or as a set of files.

mod files;
mod order;
mod stream;

pub use files::{EmittedFile, emit_files};
pub use order::in_apply_order;
pub use stream::{emit_stream, write_stream};
