//! `build`: definitions to Kubernetes YAML.

use std::fs;

use sandboxc::{Annotations, emit_files};

use super::arguments::{Build, ObjectFormat, Options};
use super::failure::Failure;
use super::report::{Findings, Runs, compile_each};
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
    let Runs { workspace, compilation, environments } =
        compile_each(inputs, kinds, options, |it| it.is_summarized = *summary)?;
    if !environments.is_empty() && target.is_none_or(|_| *annotate) {
        let problem = if *annotate {
            "`--annotate` with several environments"
        } else {
            "several environments without an output directory"
        };
        return Err(Failure::usage(
            problem,
            "write `-o DIR` for a directory per environment, or select one: `--environment NAME`",
        ));
    }
    let outcome = Findings::of(&workspace, &compilation).report(options)?;
    for summary in &compilation.summaries {
        output::complain(summary);
    }
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    if let Some(target) = target
        && !environments.is_empty()
    {
        fs::create_dir_all(target).map_err(Failure::file("create", target))?;
        for (name, objects) in &environments {
            let files = emit_files(objects);
            output::write_files(&target.join(name), files, output.force, options)?;
        }
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
