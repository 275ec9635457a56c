//! `build`: definitions to Kubernetes YAML.

use sandboxc::{Annotations, emit_files};

use super::arguments::{Build, Options};
use super::failure::Failure;
use super::report::{Findings, compile};
use super::{Outcome, output};

pub(crate) fn run(build: &Build, options: &Options) -> Result<Outcome, Failure> {
    let (workspace, compilation) = compile(&build.inputs, &build.kinds, options, build.summary)?;
    let outcome = Findings::of(&workspace, &compilation).report(options)?;
    for summary in &compilation.summaries {
        output::complain(summary);
    }
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    let annotations = build.annotate.then(|| Annotations::new(&workspace, &compilation));
    let Some(target) = &build.output else {
        match annotations {
            Some(annotations) => output::print_annotated(&annotations, &compilation.objects)?,
            None => output::print_objects(&compilation.objects)?,
        }
        return Ok(outcome);
    };
    let files = match annotations {
        Some(annotations) => annotations.emit_files(&compilation.objects),
        None => emit_files(&compilation.objects),
    };
    output::write_files(target, files, build.force, options)?;
    Ok(outcome)
}
