//! `effective`: the objects that controllers create.

use sandboxc::emit_files;

use super::arguments::{Effective, Options};
use super::failure::Failure;
use super::report::{Findings, compile_effective};
use super::{Outcome, output};

pub(crate) fn run(effective: &Effective, options: &Options) -> Result<Outcome, Failure> {
    let (workspace, compilation) = compile_effective(&effective.inputs, &effective.kinds, options)?;
    let outcome = Findings::of(&workspace, &compilation).report(options)?;
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    match &effective.output {
        None => output::print_objects(&compilation.objects)?,
        Some(target) => {
            let files = emit_files(&compilation.objects);
            output::write_files(target, files, effective.force, options)?;
        }
    }
    Ok(outcome)
}
