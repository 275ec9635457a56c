//! `build`: definitions to Kubernetes YAML.

use sandboxc::{Annotations, emit_files};

use super::arguments::{Build, Options};
use super::failure::Failure;
use super::report::{Findings, compile};
use super::{Outcome, directory, output};

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
    let edited = if build.force { directory::Edited::Replace } else { directory::Edited::Keep };
    let files = match annotations {
        Some(annotations) => annotations.emit_files(&compilation.objects),
        None => emit_files(&compilation.objects),
    };
    let files: Vec<_> = files
        .into_iter()
        .map(|file| directory::File { name: file.name, content: file.content.into_bytes() })
        .collect();
    let changes = directory::replace(target, &files, edited)?;
    if !options.quiet {
        output::complain(&changes.describe(target));
    }
    Ok(outcome)
}
