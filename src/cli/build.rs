//! `build`: definitions to Kubernetes YAML.

use sandboxc::{
    Annotations, Compilation, EmittedFile, Object, Purpose, Workspace, emit_files, emit_json_files,
    emit_list, emit_stream,
};

use super::arguments::{Build, ObjectFormat, Options};
use super::committed::Committed;
use super::depfile::Depfile;
use super::failure::Failure;
use super::report::{Findings, Runs, compile_each};
use super::writing::{OutputDirectory, Places};
use super::{Outcome, output};

pub(crate) fn run(build: &Build, options: &Options) -> Result<Outcome, Failure> {
    let Build { inputs, kinds, output, to, annotate, summary, .. } = build;
    let target = output::directory(output)?;
    if *to == ObjectFormat::Json && *annotate {
        return Err(Failure::usage(
            "`--to json` cannot be combined with `--annotate`",
            "JSON has no comments: `sandboxc why` shows the origin of fields as JSON",
        ));
    }
    let depfile = build.depfile.as_deref().map(Depfile::new).transpose()?;
    let committed = build.check.as_deref().map(Committed::find).transpose()?;
    let purpose = if *summary { Purpose::Summarize } else { Purpose::Build };
    let Runs { workspace, compilation, environments, skipped } =
        compile_each(inputs, kinds, options, purpose)?;
    if !environments.is_empty() {
        let has_directory =
            committed.as_ref().map_or(target.is_some(), |it| it.directory().is_some());
        refuse_environments(*annotate, has_directory)?;
    }
    let outcome = Findings::of(&workspace, &compilation).with_skipped(&skipped).report(options)?;
    for summary in &compilation.summaries {
        output::complain(summary);
    }
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    if let Some(depfile) = depfile {
        depfile.write(&workspace, options)?;
    }
    let form = Form::of(*to, *annotate, &workspace, &compilation);
    if let Some(mut committed) = committed {
        match committed.directory() {
            None => committed.compare_stream(&form.stream(&compilation.objects)?)?,
            Some(directory) if environments.is_empty() => {
                committed.compare_files(&directory, form.files(&compilation.objects))?;
            }
            Some(directory) => {
                for (name, objects) in &environments {
                    committed.compare_files(&directory.join(name), form.files(objects))?;
                }
                let names: Vec<_> = environments.iter().map(|(name, _)| name.as_str()).collect();
                committed.find_other_environments(&directory, &names)?;
            }
        }
        return Ok(committed.report(options));
    }
    match target {
        None => form.print(&compilation.objects)?,
        Some(target) if environments.is_empty() => {
            let files = form.files(&compilation.objects);
            let directory = OutputDirectory::find(&Places::of(&options.inputs), target)?;
            output::write_files(&directory, files, output.force, options)?;
        }
        Some(target) => {
            let places = Places::of(&options.inputs);
            let find = |(name, _): &(String, _)| OutputDirectory::find(&places, &target.join(name));
            // All are found before the first one is written.
            let directories = environments.iter().map(find).collect::<Result<Vec<_>, _>>()?;
            for (directory, (_, objects)) in directories.iter().zip(&environments) {
                output::write_files(directory, form.files(objects), output.force, options)?;
            }
        }
    }
    Ok(outcome)
}

/// Several environments have a directory each, and no origins: those of one environment are unknown.
fn refuse_environments(is_annotated: bool, has_directory: bool) -> Result<(), Failure> {
    let problem = if is_annotated {
        "`--annotate` with several environments"
    } else if has_directory {
        return Ok(());
    } else {
        "several environments without an output directory"
    };
    Err(Failure::usage(
        problem,
        "write `-o DIR` for a directory per environment, or select one: `--environment NAME`",
    ))
}

/// The form of the output.
enum Form<'c> {
    Yaml,
    Json,
    Annotated(Annotations<'c>),
}

impl<'c> Form<'c> {
    fn of(
        format: ObjectFormat,
        is_annotated: bool,
        workspace: &'c Workspace,
        compilation: &'c Compilation,
    ) -> Self {
        match format {
            _ if is_annotated => Self::Annotated(Annotations::new(workspace, compilation)),
            ObjectFormat::Yaml => Self::Yaml,
            ObjectFormat::Json => Self::Json,
        }
    }

    /// One file per object.
    fn files(&self, objects: &[Object]) -> Vec<EmittedFile> {
        match self {
            Self::Yaml => emit_files(objects),
            Self::Json => emit_json_files(objects),
            Self::Annotated(annotations) => annotations.emit_files(objects),
        }
    }

    /// All objects in one text.
    fn stream(&self, objects: &[Object]) -> Result<String, Failure> {
        Ok(match self {
            Self::Yaml => emit_stream(objects),
            Self::Json => emit_list(objects),
            Self::Annotated(annotations) => {
                let mut bytes = Vec::new();
                let written = annotations.write_stream(objects, &mut bytes);
                written
                    .map_err(|source| Failure::Stream { action: "print the objects", source })?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
        })
    }

    /// Prints the text of [`stream`](Self::stream) without holding all of it in memory.
    fn print(&self, objects: &[Object]) -> Result<(), Failure> {
        match self {
            Self::Yaml => output::print_objects(objects),
            Self::Json => output::print_list(objects),
            Self::Annotated(annotations) => output::print_annotated(annotations, objects),
        }
    }
}
