//! `effective`: the objects that controllers create.

use sandboxc::{Purpose, remarked_files, render_remarked_json};

use super::arguments::{Effective, EffectiveFormat, Options};
use super::failure::Failure;
use super::report::{Findings, compile};
use super::writing::{OutputDirectory, Places};
use super::{Outcome, output};

pub(crate) fn run(effective: &Effective, options: &Options) -> Result<Outcome, Failure> {
    let Effective { inputs, kinds, output, to, .. } = effective;
    let target = output::directory(output)?;
    if *to == EffectiveFormat::Json && target.is_some() {
        return Err(Failure::usage(
            "`--to json` cannot be combined with `--output`",
            "JSON is one object on standard output",
        ));
    }
    let (workspace, compilation) = compile(inputs, kinds, options, Purpose::Effective)?;
    let outcome = Findings::of(&workspace, &compilation).report(options)?;
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    let (objects, remarks) = (&compilation.objects, &compilation.remarks);
    match (target, *to) {
        (None, EffectiveFormat::Yaml) => output::print_remarked(objects, remarks)?,
        (None, EffectiveFormat::Json) => {
            output::print(&render_remarked_json(objects, remarks))?;
        }
        (Some(target), _) => {
            let files = remarked_files(objects, remarks);
            let directory = OutputDirectory::find(&Places::of(&options.inputs), target)?;
            output::write_files(&directory, files, output.force, options)?;
        }
    }
    Ok(outcome)
}
