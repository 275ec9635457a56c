//! `check --fix` and `check --diff`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sandboxc::{FileChange, Fixed, Safety, Workspace};
use tempfile::Builder;

use super::Outcome;
use super::arguments::{Check, Options};
use super::diff;
use super::directory::{TEMPORARY, sweep};
use super::failure::Failure;
use super::guard::Lock;
use super::output;
use super::report::{self, Findings};

pub(crate) fn run(check: &Check, options: &Options) -> Result<Outcome, Failure> {
    let level = if check.is_unsafe { Safety::Unsafe } else { Safety::Safe };
    let before = report::read(&check.inputs, &check.kinds, options)?;
    let mut settings = report::compile_options(options)?;
    settings.findings_alone = true;
    let fixed = sandboxc::fix(&before, &settings, level);
    if check.diff {
        return show(&before, &fixed, options);
    }
    write(&fixed.changes(&before))?;
    let Fixed { mut workspace, compilation, files, applied, is_partial } = fixed;
    complain_if_partial(is_partial);
    if !options.quiet && applied > 0 {
        output::complain(&format!("{}\n", counted("fixed", applied, files.len())));
    }
    workspace.mask(&compilation.secrets);
    Findings::of(&workspace, &compilation).print(options)
}

fn complain_if_partial(is_partial: bool) {
    if is_partial {
        output::complain(
            "not all suggestions were tried, since the input is large: run again, or fix fewer files\n",
        );
    }
}

/// `fixed 3 findings in 1 file`.
fn counted(what: &str, findings: usize, files: usize) -> String {
    let plural = |count| if count == 1 { "" } else { "s" };
    format!("{what} {findings} finding{} in {files} file{}", plural(findings), plural(files))
}

/// Prints what would change.
fn show(before: &Workspace, fixed: &Fixed, options: &Options) -> Result<Outcome, Failure> {
    for FileChange { name, before, after, .. } in fixed.shown_changes(before) {
        output::print(&diff::unified(&name, &before, &after))?;
    }
    complain_if_partial(fixed.is_partial);
    if !options.quiet {
        let text = counted("would fix", fixed.applied, fixed.files.len());
        output::complain(&format!("{text}\n"));
    }
    Ok(if fixed.files.is_empty() { Outcome::Clean } else { Outcome::InputHasErrors })
}

/// Replaces the files that changed, each as a whole.
fn write(changes: &[FileChange]) -> Result<(), Failure> {
    if changes.iter().any(|it| !it.is_named) {
        return Err(Failure::usage(
            "standard input cannot be fixed in place",
            "use `--diff` to print the changes, or name the file",
        ));
    }
    let targets: Vec<_> =
        changes.iter().map(|it| writable(Path::new(&it.name))).collect::<Result<_, _>>()?;
    let mut swept = BTreeSet::new();
    for (change, target) in changes.iter().zip(targets) {
        let folder = target.parent().unwrap_or(Path::new(".")).to_owned();
        let _lock = Lock::take(&folder)?;
        if swept.insert(folder.clone()) {
            sweep(&folder, TEMPORARY);
        }
        replace(Path::new(&change.name), &target, &folder, &change.before, &change.after)?;
    }
    Ok(())
}

/// The file that a path leads to. A rename would replace a read-only file as well.
fn writable(path: &Path) -> Result<PathBuf, Failure> {
    let find = || {
        let target = fs::canonicalize(path)?;
        if fs::metadata(&target)?.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        Ok(target)
    };
    find().map_err(Failure::file("write", path))
}

/// Replaces a file with a single rename. A file that has changed since it was read is not modified.
fn replace(path: &Path, target: &Path, folder: &Path, old: &str, new: &str) -> Result<(), Failure> {
    if fs::read(target).map_err(Failure::file("read", path))? != old.as_bytes() {
        let changed = io::Error::other("the file was changed while it was checked");
        return Err(Failure::file("fix", path)(changed));
    }
    let write = || {
        let mut file = Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
        file.write_all(new.as_bytes())?;
        file.as_file().set_permissions(fs::metadata(target)?.permissions())?;
        file.as_file().sync_all()?;
        file.persist(target).map(|_| ()).map_err(|error| error.error)
    };
    write().map_err(Failure::file("write", path))
}
