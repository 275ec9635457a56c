//! Validation rules of custom resource definitions: expressions in the Common Expression Language,
//! parsed, type-checked against a schema, priced and evaluated as the API server does.
//!
//! This module is independent of custom resources: a rule is a string checked against a [`Shape`]
//! and evaluated on a node.

mod admission;
mod ast;
mod call_cost;
mod check;
mod cost;
mod deciding;
mod declarations;
mod evaluate;
mod function;
mod functions;
mod lexer;
mod literals;
mod macros;
mod parser;
mod patch;
mod program;
mod request;
mod shape;
#[cfg(test)]
mod tests;
mod time;
mod types;
mod value;
mod work;

use lean_string::LeanStr;

pub use admission::{Compiled, Environment, Variables, Wanted};
pub use deciding::ReadValue;
pub use patch::Operation;
pub use program::{Old, Program, Purpose, Run};
pub use request::{Activation, Answer, Inputs};
pub use shape::Shape;

use crate::schema::Pattern;
use crate::sorted::SortedMap;

/// The compiled regular expressions of the literals in an expression.
type Patterns = SortedMap<LeanStr, Pattern>;

/// The reason an expression is rejected.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The byte offset in the expression.
    pub at: usize,
    /// The fault, or the feature that cannot be checked here.
    pub message: String,
    /// A similar name that the author may have meant.
    pub near: Option<String>,
    /// Whether the expression only cannot be checked here; the API server may accept it.
    pub is_undecided: bool,
}

impl Refusal {
    fn at(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), near: None, is_undecided: false }
    }

    fn undecided(at: usize, what: &str) -> Self {
        Self { at, message: what.to_owned(), near: None, is_undecided: true }
    }
}

/// The reason an evaluation has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The evaluation fails in the API server too; the message is close to its own.
    Error(String),
    /// The expression uses a feature that is not implemented here.
    Unsupported(String),
    /// The evaluation exceeds the cost limit.
    Exhausted,
}

impl Stop {
    fn error(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    fn unsupported(what: &str) -> Self {
        Self::Unsupported(what.to_owned())
    }

    fn no_overload() -> Self {
        Self::error("no such overload")
    }
}
