//! Rules of custom resource definitions: expressions in the Common Expression Language, read, checked
//! against a schema, priced and run as the API server does it.
//!
//! Nothing here knows custom resources: a rule is a text over a [`Shape`], and runs over a node.

mod ast;
mod call_cost;
mod check;
mod cost;
mod declarations;
mod evaluate;
mod functions;
mod lexer;
mod literals;
mod macros;
mod parser;
mod program;
mod shape;
#[cfg(test)]
mod tests;
mod time;
mod types;
mod value;

use std::collections::BTreeMap;

use lean_string::LeanStr;

pub(crate) use program::{Program, Purpose, Run};
pub(crate) use shape::Shape;

use crate::schema::Pattern;

/// The regular expressions that an expression has written down.
type Patterns = BTreeMap<LeanStr, Pattern>;

/// Why an expression is not taken.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// Where in its text, in bytes.
    pub(crate) at: usize,
    /// What is wrong, or what is not decided here.
    pub(crate) message: String,
    /// A name that may be meant.
    pub(crate) near: Option<String>,
    /// Whether it is only not decided here; the API server may take it.
    pub(crate) is_undecided: bool,
}

impl Refusal {
    fn at(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), near: None, is_undecided: false }
    }

    fn undecided(at: usize, what: &str) -> Self {
        Self { at, message: what.to_owned(), near: None, is_undecided: true }
    }
}

/// Why a run has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// The API server has none either; in words close to its own.
    Error(String),
    /// It needs what is not known here.
    Unsupported(String),
    /// It takes more than is allowed.
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
