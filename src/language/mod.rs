//! Descriptions of the language: the JSON Schema with which editors complete and check definitions,
//! and the reference for readers.

mod custom;
mod explain;
mod explainable;
mod json_schema;
mod reference;
mod shape;
mod subject;
mod types;

pub use explain::{ExplainOptions, Unexplained, explain_field};
pub use explainable::explainable;
pub use json_schema::{json_schema_of, json_schema_text};
pub use reference::reference;
pub(crate) use shape::{Form, KindName, Shape, kind_names};
