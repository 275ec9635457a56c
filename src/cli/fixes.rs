//! `check --fix` and `check --diff`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use sandboxc::{FileChange, Fixed, Safety, Workspace};
use tempfile::{Builder, TempPath};

use super::Outcome;
use super::arguments::{Check, Options};
use super::directory::{TEMPORARY, sweep};
use super::failure::Failure;
use super::guard::{Lock, sync_content, sync_file_systems};
use super::output;
use super::progress::Progress;
use super::report::{self, Findings};
use super::unified;

pub(crate) fn run(check: &Check, options: &Options) -> Result<Outcome, Failure> {
    let level = if check.is_unsafe { Safety::Unsafe } else { Safety::Safe };
    let mut settings = report::compile_options(options)?;
    settings.findings_alone = true;
    let progress = Progress::start(options);
    let before = report::read(&check.inputs, &check.kinds, options, &progress, &mut settings)?;
    drop(progress);
    let fixed = sandboxc::fix(&before, &settings, level);
    if check.diff {
        // The process ends soon.
        return show(&before, &ManuallyDrop::new(fixed), options);
    }
    write(&fixed.changes(&before))?;
    let Fixed { mut workspace, compilation, files, applied, unsafe_left, is_partial } = fixed;
    complain_if_partial(is_partial);
    if !options.quiet && applied > 0 {
        output::complain(&format!("{}\n", counted("fixed", applied, files.len())));
    }
    mention_unsafe(unsafe_left, options);
    let compilation = ManuallyDrop::new(compilation);
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
        output::print(&unified::unified(&name, &before, &after))?;
    }
    complain_if_partial(fixed.is_partial);
    if !options.quiet {
        let text = counted("would fix", fixed.applied, fixed.files.len());
        output::complain(&format!("{text}\n"));
    }
    mention_unsafe(fixed.unsafe_left, options);
    Ok(if fixed.files.is_empty() { Outcome::Clean } else { Outcome::InputHasErrors })
}

/// Replaces the files that changed, each as a whole.
pub(crate) fn write(changes: &[FileChange]) -> Result<(), Failure> {
    if changes.iter().any(|it| !it.is_named) {
        return Err(Failure::usage(
            "standard input cannot be fixed in place",
            "use `--diff` to print the changes, or name the file",
        ));
    }
    let mut folders: BTreeMap<PathBuf, Vec<Target<'_>>> = BTreeMap::new();
    for change in changes {
        let path = writable(Path::new(&change.name))?;
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        folders.entry(folder).or_default().push(Target { change, path });
    }
    folders.into_iter().collect::<Vec<_>>().chunks(LOCKED_AT_ONCE).try_for_each(replace_all)
}

/// The number of directories whose files are replaced together. The lock of each is an open file.
const LOCKED_AT_ONCE: usize = 32;

/// A change, and the file that its path leads to.
struct Target<'c> {
    change: &'c FileChange,
    path: PathBuf,
}

/// Replaces the files of some directories. All new contents are on the disk before the first file is
/// replaced.
fn replace_all(folders: &[(PathBuf, Vec<Target<'_>>)]) -> Result<(), Failure> {
    let locks = folders.iter().map(|(folder, _)| Lock::take(folder));
    let _locks = locks.collect::<Result<Vec<_>, _>>()?;
    let count = folders.iter().map(|(_, targets)| targets.len()).sum();
    let mut ready = Vec::with_capacity(count);
    for (folder, targets) in folders {
        sweep(folder, TEMPORARY);
        for target in targets {
            let path = Path::new(&target.change.name);
            let temporary = temporary_file(folder, target, count);
            ready.push((temporary.map_err(Failure::file("write", path))?, target));
        }
    }
    sync_file_systems(folders.iter().map(|(folder, _)| folder.as_path()), count)?;
    ready.into_iter().try_for_each(|(temporary, target)| replace(temporary, target))
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

/// Writes the new content of one of `count` files to a temporary file next to it.
fn temporary_file(folder: &Path, target: &Target<'_>, count: usize) -> io::Result<TempPath> {
    let mut file = Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
    file.write_all(target.change.after.as_bytes())?;
    file.as_file().set_permissions(fs::metadata(&target.path)?.permissions())?;
    sync_content(file.as_file(), count)?;
    Ok(file.into_temp_path())
}

/// Replaces a file with a single rename. A file that has changed since it was read is not modified.
fn replace(
    temporary: TempPath,
    Target { change, path: target }: &Target<'_>,
) -> Result<(), Failure> {
    let path = Path::new(&change.name);
    if fs::read(target).map_err(Failure::file("read", path))? != change.before.as_bytes() {
        let changed = io::Error::other("the file was changed while it was checked");
        return Err(Failure::file("fix", path)(changed));
    }
    temporary.persist(target).map_err(|it| Failure::file("write", path)(it.error))
}
