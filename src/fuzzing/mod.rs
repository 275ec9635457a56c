//! Fuzz targets: functions that accept any bytes and panic if the program violates an invariant.
//!
//! `fuzz/` runs them under libFuzzer. The tests of this module run each of them over the fixtures,
//! mutations of the fixtures, and every input that has ever failed. This module is not part of the
//! public API: it is only compiled for tests and with `--cfg fuzzing`.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fuzz target reports a fault by panicking"
)]

mod cel;
mod choices;
mod editor;
mod expressions;
mod pipeline;
mod text;

#[cfg(test)]
pub(crate) mod tests;

/// Checks a property that all inputs must have.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("check", pipeline::check),
    ("build", pipeline::build),
    ("import", pipeline::import_files),
    ("editor", editor::answers),
    ("edits", editor::edits),
    ("split", text::split_parts),
    ("readers", text::readers_agree),
    ("print", text::print_and_read),
    ("scalars", text::scalars),
    ("cel", cel::any_text),
    ("cel-grammar", cel::from_grammar),
    ("expressions", expressions::any_text),
    ("expressions-grammar", expressions::from_grammar),
];

/// Returns the target with this name.
#[must_use]
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(it, _)| *it == name).map(|(_, target)| *target)
}
