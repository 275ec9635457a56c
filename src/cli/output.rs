//! Standard output and standard error.

use std::io::{self, Write as _};
use std::path::Path;

use sandboxc::{Annotations, EmittedFile, Object, Remarks, write_remarked, write_stream};

use super::arguments::Options;
use super::directory;
use super::failure::Failure;
use super::startup;

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Writes bytes to standard output.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    to_stdout(|stdout| stdout.write_all(bytes))
}

/// Writes objects as a stream to standard output.
pub(crate) fn print_objects(objects: &[Object]) -> Result<(), Failure> {
    to_stdout(|stdout| write_stream(objects, stdout))
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
    target: &Path,
    files: Vec<EmittedFile>,
    is_forced: bool,
    options: &Options,
) -> Result<(), Failure> {
    let edited = if is_forced { directory::Edited::Replace } else { directory::Edited::Keep };
    let files: Vec<_> = files
        .into_iter()
        .map(|file| directory::File { name: file.name, content: file.content.into_bytes() })
        .collect();
    let changes = directory::replace(target, &files, edited)?;
    if !options.quiet {
        complain(&changes.describe(target));
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

/// Writes to standard error; a failure is ignored, because it cannot be reported.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
