//! Prints objects: in apply order, as one stream or as a set of files.

mod files;
mod list;
mod order;
mod remarked;
mod stream;

pub(crate) use files::files_with;
pub use files::{EmittedFile, emit_files, emit_json_files};
pub use list::{emit_list, write_list};
pub use order::in_apply_order;
pub use remarked::{remarked_files, render_remarked_json, write_remarked};
pub(crate) use stream::write_stream_with;
pub use stream::{emit_stream, write_stream};
