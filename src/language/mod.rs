//! The language as data: the JSON Schema that editors complete and check definitions with.

mod json_schema;

pub use json_schema::{json_schema, json_schema_text};
