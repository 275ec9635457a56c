//! How much the tests over many inputs have: also a module of the tests of other packages.

use std::env;

/// Whether they have all inputs: with `SANDBOXC_TESTS=all`, which `.ci/run` sets, and to write generated files.
pub(crate) fn has_all() -> bool {
    let is_asked_for = env::var_os("SANDBOXC_TESTS").is_some_and(|inputs| inputs == "all");
    is_asked_for || env::var_os("UPDATE_GENERATED").is_some()
}
