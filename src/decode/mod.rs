//! From checked trees to typed definitions.
//!
//! Each kind's Rust type *is* its schema: [`definition!`] makes of one declaration the struct, the
//! [`Object`](crate::schema::Object) that the schema walker holds the author to, and the files that
//! `schema` and `explain` show. A tree is walked first, which reports every fault at the author's
//! line; reading it afterwards cannot fail, and takes what is there.

mod definition;
mod field;

pub(crate) use definition::{ChoiceValues, Docs, Fields, Record, choice, definition, sorted};
pub(crate) use field::{
    Anything, Choice, Field, Flag, Integer, KubernetesType, Listed, Mapped, NameOr, Quantity, Raw,
    Shaped, Text, kubernetes_types,
};
