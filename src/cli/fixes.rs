//! `check --fix` and `check --diff`.

use std::collections::BTreeSet;
use std::mem::ManuallyDrop;
use std::path::PathBuf;

use sandboxc::{FileChange, FileRole, Fixed, Paint, Purpose, Safety, SourceFile, Workspace};

use super::arguments::{Check, Options};
use super::failure::Failure;
use super::progress::Progress;
use super::report::{self, Findings};
use super::unified;
use super::writing::{Origin, Places, Replacement, replace_files};
use super::{Outcome, edits, output};

pub(crate) fn run(check: &Check, options: &Options) -> Result<Outcome, Failure> {
    let level = if check.is_unsafe { Safety::Unsafe } else { Safety::Safe };
    let mut settings = report::compile_options(options)?;
    settings.purpose = Purpose::Check;
    let progress = Progress::start(options);
    let mut before = report::read(&check.inputs, &check.kinds, options, &progress, &mut settings)?;
    drop(progress);
    edits::keep_links(&mut before, options);
    let fixed = sandboxc::fix(&before, &settings, level);
    if check.diff {
        // The process ends soon.
        return show(&before, &ManuallyDrop::new(fixed), options);
    }
    write(&fixed.changes(&before), &before, options)?;
    let Fixed { mut workspace, compilation, files, applied, unsafe_left, is_partial } = fixed;
    complain_if_partial(is_partial);
    if !options.quiet && applied > 0 {
        output::complain(&format!("{}\n", counted("fixed", applied, files.len())));
    }
    mention_unsafe(unsafe_left, options);
    let compilation = ManuallyDrop::new(compilation);
    workspace.mask(&compilation.secrets);
    Findings::of_check(&workspace, &compilation).print(options)
}

fn complain_if_partial(is_partial: bool) {
    if is_partial {
        output::complain(
            "not all suggestions were tried, since the input is large: run again, or fix fewer files\n",
        );
    }
}

/// Names the option for the remaining suggestions.
fn mention_unsafe(left: usize, options: &Options) {
    if options.quiet || left == 0 {
        return;
    }
    let (suggestions, them) =
        if left == 1 { ("suggestion", "it") } else { ("suggestions", "them") };
    output::complain(&format!(
        "{left} {suggestions} may change the meaning: add `--unsafe` to apply {them}\n"
    ));
}

/// `fixed 3 findings in 1 file`.
fn counted(what: &str, findings: usize, files: usize) -> String {
    let plural = |count| if count == 1 { "" } else { "s" };
    format!("{what} {findings} finding{} in {files} file{}", plural(findings), plural(files))
}

/// Prints what would change.
fn show(before: &Workspace, fixed: &Fixed, options: &Options) -> Result<Outcome, Failure> {
    for FileChange { name, before, after, .. } in fixed.shown_changes(before) {
        output::show(&unified::unified(&name, &before, &after), Paint::Plain)?;
    }
    complain_if_partial(fixed.is_partial);
    if !options.quiet {
        let text = counted("would fix", fixed.applied, fixed.files.len());
        output::complain(&format!("{text}\n"));
    }
    mention_unsafe(fixed.unsafe_left, options);
    Ok(if fixed.files.is_empty() { Outcome::Clean } else { Outcome::InputHasErrors })
}

/// Replaces the files that changed, all or none. Links that were found are not followed.
pub(crate) fn write(
    changes: &[FileChange],
    before: &Workspace,
    options: &Options,
) -> Result<(), Failure> {
    if changes.iter().any(|it| !it.is_named) {
        return Err(Failure::usage(
            "standard input cannot be fixed in place",
            "use `--diff` to print the changes, or name the file",
        ));
    }
    let files = before.ids().map(|it| before.file(it));
    let named: BTreeSet<_> =
        files.filter(|file| file.role() == FileRole::Named).map(SourceFile::name).collect();
    let replacements = changes.iter().map(|FileChange { name, before, after, .. }| {
        let is_named = named.contains(name.as_str());
        let origin = if is_named { Origin::CommandLine } else { Origin::Directory };
        let (expected, content) = (Some(before.as_bytes()), after.as_bytes());
        Replacement { path: PathBuf::from(name), origin, expected, content }
    });
    let replacements: Vec<_> = replacements.collect();
    replace_files(&Places::of(&options.inputs), &replacements)
}
