//! Reads checked trees as typed definitions.
//!
//! Each kind's Rust type is its schema: from one declaration, [`definition!`] generates the struct,
//! the [`Object`](crate::schema::Object) that the schema walker checks the author's tree against,
//! and the documentation that `schema` and `explain` print. The walk over a tree reports every
//! fault at the author's line; reading it afterwards cannot fail.

mod definition;
mod field;

pub(crate) use definition::{ChoiceValues, Docs, Fields, Record, choice, definition, sorted};
pub(crate) use field::{
    Anything, Choice, Field, Flag, Integer, KubernetesType, Listed, Mapped, NameOr, Quantity, Raw,
    Shaped, Text, kubernetes_types,
};
