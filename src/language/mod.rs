//! The language as data: the JSON Schema that editors complete and check definitions with, and the
//! reference that people read.

mod json_schema;
mod reference;

pub use json_schema::json_schema_text;
pub use reference::{explain_field, nearest_subject, reference};
