//! The fixtures, for the tests of each rule and for the suite.

pub(crate) mod accepted;
pub(crate) mod cases;
mod fixture;
mod of_rules;

use std::path::Path;

pub(crate) use fixture::{Compiled, Fixture, fixtures, found, inputs};
pub(crate) use of_rules::{NOT_REACHED, all_of_rules, example, of_rule};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
