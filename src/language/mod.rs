//! Descriptions of the language: the JSON Schema with which editors complete and check definitions,
//! and the reference for readers.

mod json_schema;
mod reference;
mod types;

pub use json_schema::json_schema_text;
pub use reference::{explain_field, nearest_subject, reference};
