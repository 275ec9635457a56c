//! Functions that accept any bytes and panic where a promise of the program does not hold.
//!
//! `fuzz/` runs them under libFuzzer; the tests of this module run each over the fixtures, their mutations,
//! and every input that ever broke one. Not part of the library: it only exists for tests and with
//! `--cfg fuzzing`.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is how a target reports a fault"
)]

mod cel;
mod choices;
mod expressions;
mod pipeline;
mod text;

#[cfg(test)]
mod tests;

/// A check of a property of all inputs.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("check", pipeline::check),
    ("build", pipeline::build),
    ("import", pipeline::import_files),
    ("split", text::split_parts),
    ("readers", text::readers_agree),
    ("print", text::print_and_read),
    ("scalars", text::scalars),
    ("cel", cel::any_text),
    ("cel-grammar", cel::from_grammar),
    ("expressions", expressions::any_text),
    ("expressions-grammar", expressions::from_grammar),
];

/// The target of this name.
#[must_use]
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(it, _)| *it == name).map(|(_, target)| *target)
}
