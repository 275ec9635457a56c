//! The files of `--report`.

use std::fs;
use std::path::{Path, PathBuf};

use sandboxc::Workspace;

use super::arguments::{Format, Options, ReportFile, Verb};
use super::failure::Failure;
use super::output;

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
    for ReportFile { path, .. } in reports.iter().filter(|it| !is_stdout(&it.path)) {
        // A new file is not an input.
        let Ok(identity) = fs::canonicalize(path) else { continue };
        let files = workspace.ids().map(|id| Path::new(workspace.file(id).name()));
        let mut inputs = files.filter(|it| fs::canonicalize(it).is_ok_and(|it| it == identity));
        if inputs.next().is_some() {
            return Err(Failure::usage(
                format!("the report `{}` would replace an input", path.display()),
                "name another file",
            ));
        }
    }
    Ok(())
}

/// Writes one report.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if is_stdout(path) {
        return output::print(text);
    }
    fs::write(path, text).map_err(Failure::file("write", path))
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// The canonical path of a file. A file that does not exist yet is resolved by its directory.
fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
        folder
            .ok()
            .zip(path.file_name())
            .map_or_else(|| path.to_owned(), |(it, name)| it.join(name))
    })
}

/// Whether a command writes to standard output.
fn prints(verb: &Verb, options: &Options) -> bool {
    match verb {
        Verb::Build(build) => build.output.directory.is_none(),
        Verb::Effective(effective) => effective.output.directory.is_none(),
        Verb::Split(split) => split.output.is_none(),
        Verb::Check(check) => check.diff || options.format != Format::Human,
        _ => true,
    }
}
