//! `build`: definitions to Kubernetes YAML.

use sandboxc::{Annotations, emit_files};

use super::arguments::{Build, ObjectFormat, Options};
use super::failure::Failure;
use super::report::{Findings, compile};
use super::{Outcome, output};

pub(crate) fn run(build: &Build, options: &Options) -> Result<Outcome, Failure> {
    let Build { inputs, kinds, output, to, annotate, summary, .. } = build;
    let target = output::directory(output)?;
    if *to == ObjectFormat::Json && (target.is_some() || *annotate) {
        let with = if *annotate { "--annotate" } else { "--output" };
        return Err(Failure::usage(
            format!("`--to json` cannot be combined with `{with}`"),
            "JSON is one object on standard output, without comments",
        ));
    }
    let (workspace, compilation) =
        compile(inputs, kinds, options, |it| it.is_summarized = *summary)?;
    let outcome = Findings::of(&workspace, &compilation).report(options)?;
    for summary in &compilation.summaries {
        output::complain(summary);
    }
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    let annotations = annotate.then(|| Annotations::new(&workspace, &compilation));
    let Some(target) = target else {
        match annotations {
            Some(annotations) => output::print_annotated(&annotations, &compilation.objects)?,
            None if *to == ObjectFormat::Json => output::print_list(&compilation.objects)?,
            None => output::print_objects(&compilation.objects)?,
        }
        return Ok(outcome);
    };
    let files = match annotations {
        Some(annotations) => annotations.emit_files(&compilation.objects),
        None => emit_files(&compilation.objects),
    };
    output::write_files(target, files, output.force, options)?;
    Ok(outcome)
}
