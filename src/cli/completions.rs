//! `completions`: scripts for shells.

use super::arguments::{Arguments, Completions};
use super::failure::Failure;
use super::{Outcome, output};

pub(crate) fn run(completions: &Completions) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command_of_systems();
    clap_complete::generate(completions.shell, &mut command, "sandboxc", &mut script);
    output::print_bytes(&script)?;
    Ok(Outcome::Clean)
}
