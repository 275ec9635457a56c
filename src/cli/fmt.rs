//! `fmt`: writes definitions and manifests in their canonical layout.

use sandboxc::{FileChange, format_files};

use super::arguments::{Fmt, Options};
use super::failure::Failure;
use super::progress::Progress;
use super::{Outcome, edits, input};

pub(crate) fn run(fmt: &Fmt, options: &Options) -> Result<Outcome, Failure> {
    let progress = Progress::start(options);
    let mut before = input::read(&fmt.inputs, options, &progress)?;
    edits::leave_generated(&mut before, options);
    edits::keep_links(&mut before, options);
    let formatted = format_files(&before);
    drop(progress);
    let describe = |changes: &[FileChange]| counted(fmt.preview.is_dry(), changes);
    edits::finish(before, &formatted, fmt.preview, describe, options)
}

/// `formatted 3 files`; empty if only standard input changed, which is printed.
fn counted(is_dry: bool, changes: &[FileChange]) -> String {
    let count = changes.iter().filter(|change| change.is_named || is_dry).count();
    let (what, plural) =
        (if is_dry { "would format" } else { "formatted" }, if count == 1 { "" } else { "s" });
    if count == 0 { String::new() } else { format!("{what} {count} file{plural}\n") }
}
