//! An output directory: updated without ever showing a partial file or changing files of others.
//!
//! A new directory is prepared next to its path and appears by one rename; an existing one is
//! exchanged with a new one. If this is not possible, all new contents are written to temporary
//! files first; then each is renamed over its target, files that are no longer generated are
//! removed, and the manifest is updated.
//!
//! One run at a time writes to a directory. The remains of a killed run are removed by the next
//! one.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use super::exchange::{exchange, sweep_beside};
use super::failure::Failure;
use super::guard::{Guard, Lock, Step, step, sync, sync_content, sync_contents};
use super::manifest::{self, Manifest};
use super::threads::try_map;
use super::visible::visible;

/// The prefix of temporary files and directories; the leading dot hides them from readers.
pub(super) const TEMPORARY: &str = ".sandboxc-tmp-";

/// One file to write.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

/// The treatment of a generated file that was edited by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edited {
    /// Keeps it and writes nothing.
    Keep,
    /// Replaces or removes it like any other generated file.
    Replace,
}

/// The numbers of written, removed and unchanged files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Changes {
    written: usize,
    removed: usize,
    unchanged: usize,
}

impl Changes {
    /// A summary for the user: `out: 3 files written, 1 removed, 12 unchanged`.
    pub(crate) fn describe(self, directory: &Path) -> String {
        let Self { written, removed, unchanged } = self;
        let directory = visible(&directory.display().to_string());
        let files = if written == 1 { "file" } else { "files" };
        format!(
            "{directory}: {written} {files} written, {removed} removed, {unchanged} unchanged\n"
        )
    }
}

/// Updates `directory` so that its generated files are exactly these.
pub(crate) fn replace(
    directory: &Path,
    files: &[File],
    edited: Edited,
) -> Result<Changes, Failure> {
    match fs::metadata(directory) {
        Ok(metadata) if metadata.is_dir() => update(directory, files, edited),
        Ok(_) => Err(Failure::usage(
            format!("`{}` is not a directory", directory.display()),
            "name a directory, or omit `-o` to print to standard output",
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut all = files.to_vec();
            let manifest = manifest_of(files).to_text().into_bytes();
            all.push(File { name: manifest::FILE_NAME.to_owned(), content: manifest });
            match create(directory, &all) {
                // Another run created the directory first.
                Err(_) if directory.is_dir() => update(directory, files, edited),
                outcome => outcome.map(|()| Changes { written: files.len(), ..Changes::default() }),
            }
        }
        Err(error) => Err(Failure::file("read", directory)(error)),
    }
}

/// Creates a new directory with these files in one step.
pub(crate) fn create(directory: &Path, files: &[File]) -> Result<(), Failure> {
    let parent = match directory.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent).map_err(Failure::file("create", parent))?;
    let prefix = prefix_for(directory);
    sweep(parent, &prefix);
    let into = Failure::file("write to", parent);
    let temporary = builder(0o777).prefix(&prefix).tempdir_in(parent).map_err(into)?;
    let guard = Guard::over(temporary.path());
    // While it is locked, no other run removes it.
    let lock = Lock::take(temporary.path())?;
    create_files(temporary.path(), files)?;
    sync_contents(temporary.path(), files.len())?;
    sync(temporary.path())?;
    let guard = guard.into_commit();
    let placed = step(Step::Rename).and_then(|()| fs::rename(temporary.path(), directory));
    placed.map_err(Failure::file("create", directory))?;
    drop((guard, lock));
    // The directory has been renamed, so its owner must not remove it.
    let _ = temporary.keep();
    sync(parent)
}

/// Writes files to a directory that no reader has found yet. Several threads would wait for each other:
/// a directory is locked while a file is added to it.
pub(super) fn create_files<'f>(
    directory: &Path,
    files: impl IntoIterator<Item = &'f File, IntoIter: ExactSizeIterator>,
) -> Result<(), Failure> {
    let files = files.into_iter();
    let count = files.len();
    for file in files {
        let path = directory.join(&file.name);
        let write = || {
            step(Step::Write)?;
            let mut created = fs::File::create_new(&path)?;
            created.write_all(&file.content)?;
            sync_content(&created, count)
        };
        write().map_err(Failure::file("write", &path))?;
    }
    Ok(())
}

/// Writes files to an existing empty directory. All are complete before the first one appears.
pub(crate) fn fill(directory: &Path, files: &[File]) -> Result<(), Failure> {
    let _lock = Lock::take(directory)?;
    sweep(directory, TEMPORARY);
    sweep_beside(directory);
    let fresh: Vec<_> = files.iter().collect();
    if exchange(directory, &fresh, &BTreeSet::new())? {
        return Ok(());
    }
    let ready = temporary_files(directory, files)?;
    let _guard = Guard::commit();
    for (temporary, path) in ready {
        persist(temporary, &path)?;
    }
    sync(directory)
}

/// The prefix of the temporary directories for this one.
pub(super) fn prefix_for(directory: &Path) -> String {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    format!("{TEMPORARY}{name}-")
}

/// Removes the remains of a killed run.
pub(super) fn sweep(directory: &Path, prefix: &str) {
    // If the directory cannot be listed, there is nothing to remove.
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        // Another run may have removed it already.
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            if Lock::take(&path).is_ok() {
                let _ = fs::remove_dir_all(&path);
            }
        } else {
            let _ = fs::remove_file(&path);
        }
    }
}

pub(super) fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Generated files get the permissions of ordinary files under the user's umask.
        builder.permissions(Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

fn manifest_of(files: &[File]) -> Manifest {
    let mut manifest = Manifest::default();
    for file in files {
        manifest.add(&file.name, &file.content);
    }
    manifest
}

/// The steps of an update.
#[derive(Default)]
struct Plan<'f> {
    write: Vec<&'f File>,
    remove: Vec<PathBuf>,
    edited: Vec<PathBuf>,
    foreign: Vec<PathBuf>,
}

fn update(directory: &Path, files: &[File], edited: Edited) -> Result<Changes, Failure> {
    let _lock = Lock::take(directory)?;
    sweep(directory, TEMPORARY);
    sweep_beside(directory);
    let old = read_manifest(directory)?;
    let new = manifest_of(files);
    let plan = plan(directory, files, &old, &new)?;
    refuse(&plan, edited)?;
    let changes = Changes {
        written: plan.write.len(),
        removed: plan.remove.len(),
        unchanged: files.len() - plan.write.len(),
    };
    if plan.write.is_empty() && plan.remove.is_empty() && old == new {
        return Ok(changes);
    }
    let manifest =
        File { name: manifest::FILE_NAME.to_owned(), content: new.to_text().into_bytes() };
    let fresh: Vec<_> = plan.write.iter().copied().chain([&manifest]).collect();
    let gone = plan.remove.iter().filter_map(|path| path.file_name()).map(Into::into).collect();
    if exchange(directory, &fresh, &gone)? {
        return Ok(changes);
    }
    let ready = temporary_files(directory, plan.write.iter().copied())?;
    // From here on a signal is deferred, so that the directory has either the old or the new
    // contents.
    let _guard = Guard::commit();
    write_manifest(directory, &old.with(&new))?;
    sync(directory)?;
    for (temporary, path) in ready {
        persist(temporary, &path)?;
    }
    for path in &plan.remove {
        let removed = step(Step::Remove).and_then(|()| fs::remove_file(path));
        removed.map_err(Failure::file("remove", path))?;
    }
    sync(directory)?;
    write_manifest(directory, &new)?;
    sync(directory)?;
    Ok(changes)
}

fn plan<'f>(
    directory: &Path,
    files: &'f [File],
    old: &Manifest,
    new: &Manifest,
) -> Result<Plan<'f>, Failure> {
    let mut plan = Plan::default();
    let states = try_map(files, |file| state(directory, &file.name, Some(&file.content), old))?;
    for (file, state) in files.iter().zip(states) {
        match state {
            State::Absent | State::Generated => plan.write.push(file),
            State::Current => {}
            State::Edited => {
                plan.write.push(file);
                plan.edited.push(directory.join(&file.name));
            }
            State::Foreign => plan.foreign.push(directory.join(&file.name)),
        }
    }
    let gone: Vec<_> = old.names().filter(|name| !new.lists(name)).collect();
    let states = try_map(&gone, |name| state(directory, name, None, old))?;
    for (name, state) in gone.into_iter().zip(states) {
        let path = directory.join(name);
        match state {
            State::Absent | State::Current => {}
            State::Generated => plan.remove.push(path),
            State::Edited => {
                plan.edited.push(path.clone());
                plan.remove.push(path);
            }
            State::Foreign => plan.foreign.push(path),
        }
    }
    Ok(plan)
}

/// The state of a file before an update.
enum State {
    Absent,
    /// It has the new content.
    Current,
    /// It has the content that an earlier run has written.
    Generated,
    /// It was changed after it was generated.
    Edited,
    /// It was not generated.
    Foreign,
}

/// The state of a file whose new content is `content`, if it is still generated.
fn state(
    directory: &Path,
    name: &str,
    content: Option<&Vec<u8>>,
    old: &Manifest,
) -> Result<State, Failure> {
    Ok(match look(&directory.join(name))? {
        Found::Nothing => State::Absent,
        // A file with equal bytes counts as generated, for example if the manifest was lost.
        Found::File(found) if content == Some(&found) => State::Current,
        Found::File(_) if !old.lists(name) => State::Foreign,
        Found::File(found) if old.made(name, &found) => State::Generated,
        Found::File(_) => State::Edited,
        Found::Other => State::Foreign,
    })
}

/// The maximum number of files that a message names.
const MAX_NAMED: usize = 10;

fn refuse(plan: &Plan<'_>, edited: Edited) -> Result<(), Failure> {
    let list = |paths: &[PathBuf]| -> String {
        let paths: BTreeSet<_> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        let (all, few) = (paths.len(), paths.into_iter().take(MAX_NAMED));
        let named = few.collect::<Vec<_>>().join(", ");
        if all > MAX_NAMED { format!("{named} and {} more", all - MAX_NAMED) } else { named }
    };
    if !plan.foreign.is_empty() {
        return Err(Failure::usage(
            format!("{} would be replaced, but was not generated by sandboxc", list(&plan.foreign)),
            "move it, or name another directory; nothing was written",
        ));
    }
    if !plan.edited.is_empty() && edited == Edited::Keep {
        return Err(Failure::usage(
            format!("{} was edited after it was generated", list(&plan.edited)),
            "move the change into the definitions, then pass `--force`; nothing was written",
        ));
    }
    Ok(())
}

/// The object at a path. Links are not followed, because their targets do not belong to this
/// directory.
enum Found {
    Nothing,
    File(Vec<u8>),
    Other,
}

fn look(path: &Path) -> Result<Found, Failure> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => {
            fs::read(path).map(Found::File).map_err(Failure::file("read", path))
        }
        Ok(_) => Ok(Found::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) => Err(Failure::file("read", path)(error)),
    }
}

fn read_manifest(directory: &Path) -> Result<Manifest, Failure> {
    let path = directory.join(manifest::FILE_NAME);
    let damaged = |what: String| {
        Failure::usage(
            format!("`{}` {what}", path.display()),
            "restore it from version control, or name another directory; nothing was written",
        )
    };
    match look(&path)? {
        Found::Nothing => Ok(Manifest::default()),
        Found::Other => Err(damaged("is not a file".to_owned())),
        Found::File(content) => Manifest::parse(&String::from_utf8_lossy(&content))
            .map_err(|line| damaged(format!("is damaged at line {line}"))),
    }
}

fn write_manifest(directory: &Path, manifest: &Manifest) -> Result<(), Failure> {
    let temporary = temporary_file(directory, manifest.to_text().as_bytes(), 1)?;
    persist(temporary, &directory.join(manifest::FILE_NAME))
}

/// Writes the contents of files to temporary ones, whose contents are on the disk. Returns them
/// with the paths of the files.
fn temporary_files<'f>(
    directory: &Path,
    files: impl IntoIterator<Item = &'f File, IntoIter: ExactSizeIterator>,
) -> Result<Vec<(TempPath, PathBuf)>, Failure> {
    let files = files.into_iter();
    let count = files.len();
    let mut ready = Vec::with_capacity(count);
    for file in files {
        let temporary = temporary_file(directory, &file.content, count)?;
        ready.push((temporary, directory.join(&file.name)));
    }
    sync_contents(directory, count)?;
    Ok(ready)
}

/// Writes one of `count` temporary files. It is closed: a process can only have a few hundred open.
fn temporary_file(directory: &Path, content: &[u8], count: usize) -> Result<TempPath, Failure> {
    let write = || {
        step(Step::Write)?;
        let mut file = builder(0o666).tempfile_in(directory)?;
        file.write_all(content)?;
        sync_content(file.as_file(), count)?;
        Ok(file.into_temp_path())
    };
    write().map_err(Failure::file("write to", directory))
}

fn persist(temporary: TempPath, path: &Path) -> Result<(), Failure> {
    step(Step::Rename).map_err(Failure::file("write", path))?;
    temporary.persist(path).map_err(|it| Failure::file("write", path)(it.error))
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
