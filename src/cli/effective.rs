//! `effective`: the objects that controllers create.

use sandboxc::emit_files;

use super::arguments::{Effective, Options};
use super::failure::Failure;
use super::report::{Findings, compile};
use super::{Outcome, output};

pub(crate) fn run(effective: &Effective, options: &Options) -> Result<Outcome, Failure> {
    let Effective { inputs, kinds, output } = effective;
    let (workspace, compilation) = compile(inputs, kinds, options, |it| it.is_effective = true)?;
    let outcome = Findings::of(&workspace, &compilation).report(options)?;
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    match &output.directory {
        None => output::print_objects(&compilation.objects)?,
        Some(target) => {
            let files = emit_files(&compilation.objects);
            output::write_files(target, files, output.force, options)?;
        }
    }
    Ok(outcome)
}
