//! How much the tests over many inputs have: also a module of the tests of other packages.

use std::env;

/// Whether they have all inputs: with `SANDBOXC_TESTS=all`, which `.ci/run` sets, and to write generated files
/// and accepted outputs.
pub(crate) fn has_all() -> bool {
    let is = |name, value| env::var_os(name).is_some_and(|it| it == value);
    is("SANDBOXC_TESTS", "all")
        || is("INSTA_UPDATE", "always")
        || env::var_os("UPDATE_GENERATED").is_some()
}

/// The same sample in every run, one of `share` inputs, or all of them.
pub(crate) fn sampled<T>(inputs: impl IntoIterator<Item = T>, share: usize) -> Vec<T> {
    inputs.into_iter().step_by(if has_all() { 1 } else { share }).collect()
}

/// How many of `all` random inputs are tried, or found in a sample of one of `share`.
pub(crate) fn portion(all: usize, share: usize) -> usize {
    if has_all() { all } else { all.div_ceil(share) }
}
