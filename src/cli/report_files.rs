//! The files of `--report`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sandboxc::{ReportFormat, Workspace};

use super::arguments::{Options, Output, ReportFile, Verb};
use super::failure::Failure;
use super::output;
use super::writing::{Places, write_file};

/// Rejects reports that would overwrite each other: two reports to one file, or two outputs to
/// standard output.
pub(crate) fn refuse(options: &Options, verb: &Verb) -> Result<(), Failure> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for ReportFile { path, .. } in &options.report {
        if is_stdout(path) && prints(verb, options) {
            return Err(Failure::usage(
                "`--report FORMAT=-` needs standard output, which already has other output",
                "write the report to a file, or the output to a directory with `-o`",
            ));
        }
        let identity = identity(path);
        if seen.contains(&identity) {
            return Err(Failure::usage(
                format!("several reports are written to `{}`", path.display()),
                "name another file for each report",
            ));
        }
        seen.push(identity);
    }
    Ok(())
}

/// Rejects reports that would overwrite an input.
pub(crate) fn refuse_inputs(reports: &[ReportFile], workspace: &Workspace) -> Result<(), Failure> {
    let files = reports.iter().map(|it| &it.path).filter(|it| !is_stdout(it));
    // A new file is not an input.
    let existing = files.filter_map(|path| Some((path, fs::canonicalize(path).ok()?)));
    let existing: Vec<_> = existing.collect();
    if existing.is_empty() {
        return Ok(());
    }
    let inputs = workspace.ids().map(|id| fs::canonicalize(workspace.file(id).name()));
    let inputs: BTreeSet<_> = inputs.filter_map(Result::ok).collect();
    for (path, identity) in existing {
        if inputs.contains(&identity) {
            return Err(Failure::usage(
                format!("the report `{}` would replace an input", path.display()),
                "name another file",
            ));
        }
    }
    Ok(())
}

/// Writes one report.
pub(crate) fn write(path: &Path, text: &str, options: &Options) -> Result<(), Failure> {
    if is_stdout(path) {
        return output::print(text);
    }
    write_file(&Places::of(&options.inputs), path, text.as_bytes())
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// The canonical path of a file. A file that does not exist yet is resolved by its directory.
fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
        match (folder, path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    })
}

/// Whether objects are written to standard output.
fn is_printed(output: &Output) -> bool {
    output.directory.as_deref().is_none_or(is_stdout)
}

/// Whether a command writes to standard output.
fn prints(verb: &Verb, options: &Options) -> bool {
    match verb {
        Verb::Build(build) => is_printed(&build.output),
        Verb::Effective(effective) => is_printed(&effective.output),
        Verb::Split(split) => split.output.is_none(),
        Verb::Check(check) => check.diff || options.format != ReportFormat::Human,
        _ => true,
    }
}
