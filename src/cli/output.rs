//! Standard output and standard error.
//!
//! A document in another format is written as it is: its writer has escaped what is in it. All that
//! people read passes through [`printable`], whatever it quotes.

use std::io::{self, Write as _};
use std::path::Path;

use sandboxc::markup::{Control, printable};
use sandboxc::{
    Annotations, EmittedFile, Imported, Object, Paint, Remarks, write_imported, write_list,
    write_remarked, write_stream,
};

use super::arguments::{Options, Output};
use super::failure::Failure;
use super::startup;
use super::writing::{Edited, File, OutputDirectory};

/// The directory of `-o`; `None` for standard output.
pub(crate) fn directory(output: &Output) -> Result<Option<&Path>, Failure> {
    let Some(path) = &output.directory else { return Ok(None) };
    if path == Path::new("-") {
        return Ok(None);
    }
    let word = path.to_string_lossy();
    let format = word.split_once('=').map_or(&*word, |(format, _)| format);
    if FORMATS.contains(&format) {
        let meant = if matches!(format, "yaml" | "json") {
            format!("to print {}, write `--to {format}`", format.to_uppercase())
        } else {
            "`--to` selects the format, `yaml` or `json`".to_owned()
        };
        return Err(Failure::usage(
            format!("`-o {word}` names a directory, not a format"),
            format!("{meant}; for a directory of this name, write `-o ./{word}`"),
        ));
    }
    Ok(Some(path))
}

/// The words that `kubectl get -o` accepts.
const FORMATS: [&str; 13] = [
    "yaml",
    "json",
    "kyaml",
    "wide",
    "name",
    "table",
    "jsonpath",
    "jsonpath-as-json",
    "jsonpath-file",
    "go-template",
    "go-template-file",
    "custom-columns",
    "custom-columns-file",
];

/// Writes objects as a JSON list to standard output.
pub(crate) fn print_list(objects: &[Object]) -> Result<(), Failure> {
    to_stdout(|stdout| write_list(objects, stdout))
}

/// Writes a document to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Writes what people read to standard output.
pub(crate) fn show(text: &str, paint: Paint) -> Result<(), Failure> {
    print(&printable(text, paint == Paint::Coloured))
}

/// Writes bytes to standard output.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    to_stdout(|stdout| stdout.write_all(bytes))
}

/// Writes objects as a stream to standard output.
pub(crate) fn print_objects(objects: &[Object]) -> Result<(), Failure> {
    to_stdout(|stdout| write_stream(objects, stdout))
}

/// Writes the result of an import with its comments to standard output.
pub(crate) fn print_imported(imported: &Imported) -> Result<(), Failure> {
    to_stdout(|stdout| write_imported(imported, stdout))
}

/// Writes objects with the remarks on them as a stream to standard output.
pub(crate) fn print_remarked(objects: &[Object], remarks: &Remarks) -> Result<(), Failure> {
    to_stdout(|stdout| write_remarked(objects, remarks, stdout))
}

/// Writes objects with the origin of each line to standard output.
pub(crate) fn print_annotated(
    annotations: &Annotations<'_>,
    objects: &[Object],
) -> Result<(), Failure> {
    to_stdout(|stdout| annotations.write_stream(objects, stdout))
}

/// Writes files to an output directory, and reports what changed.
pub(crate) fn write_files(
    directory: &OutputDirectory,
    files: Vec<EmittedFile>,
    is_forced: bool,
    options: &Options,
) -> Result<(), Failure> {
    let edited = if is_forced { Edited::Replace } else { Edited::Keep };
    let files: Vec<_> = files
        .into_iter()
        .map(|file| File { name: file.name, content: file.content.into_bytes() })
        .collect();
    let changes = directory.replace(&files, edited)?;
    if !options.quiet {
        complain(&changes.describe(directory.shown()));
    }
    Ok(())
}

fn to_stdout(
    write: impl FnOnce(&mut io::StdoutLock<'static>) -> io::Result<()>,
) -> Result<(), Failure> {
    let failed = |source| Failure::Stream { action: "write to standard output", source };
    if startup::stdout_was_closed() {
        return Err(failed(io::Error::other("it is closed")));
    }
    let mut stdout = io::stdout().lock();
    write(&mut stdout).and_then(|()| stdout.flush()).map_err(failed)
}

/// Writes what people read to standard error, without colors.
pub(crate) fn complain(text: &str) {
    complain_in(Paint::Plain, text);
}

/// Writes what people read to standard error.
pub(crate) fn complain_in(paint: Paint, text: &str) {
    print_to_stderr(&printable(text, paint == Paint::Coloured));
}

/// Erases a part of the terminal of standard error.
pub(crate) fn erase(control: Control) {
    print_to_stderr(control.as_str());
}

/// Writes a document to standard error; a failure is ignored, because it cannot be reported.
pub(crate) fn print_to_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
