//! An output directory: replaced without ever showing a half file, and without touching what
//! others made.
//!
//! A directory that is not there is prepared next to its place and appears by one rename. In one
//! that is there, all new contents are written to temporary files first; then each is renamed over
//! its target, files that are not-longer made are removed, and the manifest is brought up to date.
//!
//! One run at a time writes into a directory. What a killed run has left is swept by the next.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::failure::Failure;
use super::guard::{Guard, Lock, Step, step, sync};
use super::manifest::{self, Manifest};
use super::visible::visible;

/// Temporary files and directories start with this; a leading dot hides them from readers.
const TEMPORARY: &str = ".sandboxc-tmp-";

/// One file to write.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

/// What is done with a generated file that was edited by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edited {
    /// It is kept, and nothing at all is written.
    Keep,
    /// It is replaced or removed like any other generated file.
    Replace,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Changes {
    written: usize,
    removed: usize,
    unchanged: usize,
}

impl Changes {
    /// For the person who waits: `out: 3 files written, 1 removed, 12 unchanged`.
    pub(crate) fn describe(self, directory: &Path) -> String {
        let Self { written, removed, unchanged } = self;
        let directory = visible(&directory.display().to_string());
        let files = if written == 1 { "file" } else { "files" };
        format!(
            "{directory}: {written} {files} written, {removed} removed, {unchanged} unchanged\n"
        )
    }
}

/// Makes the generated files of `directory` exactly these.
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
                // Another run was first.
                Err(_) if directory.is_dir() => update(directory, files, edited),
                outcome => outcome.map(|()| Changes { written: files.len(), ..Changes::default() }),
            }
        }
        Err(error) => Err(Failure::file("read", directory)(error)),
    }
}

/// Makes a directory that is not there, with these files, in one step.
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
    // Whoever sweeps leaves it alone while it is locked.
    let lock = Lock::take(temporary.path())?;
    for file in files {
        let path = temporary.path().join(&file.name);
        let write = || {
            step(Step::Write)?;
            let mut created = fs::File::create_new(&path)?;
            created.write_all(&file.content)?;
            step(Step::Sync)?;
            created.sync_all()
        };
        write().map_err(Failure::file("write", &path))?;
    }
    sync(temporary.path())?;
    let guard = guard.into_commit();
    let placed = step(Step::Rename).and_then(|()| fs::rename(temporary.path(), directory));
    placed.map_err(Failure::file("create", directory))?;
    drop((guard, lock));
    // The directory has moved away: there is nothing left for its owner to remove.
    let _ = temporary.keep();
    sync(parent)
}

/// Writes files into a directory that is there and empty. All are complete before the first appears.
pub(crate) fn fill(directory: &Path, files: &[File]) -> Result<(), Failure> {
    let _lock = Lock::take(directory)?;
    sweep(directory, TEMPORARY);
    let mut ready = Vec::new();
    for file in files {
        ready.push((temporary_file(directory, &file.content)?, directory.join(&file.name)));
    }
    let _guard = Guard::commit();
    for (temporary, path) in ready {
        persist(temporary, &path)?;
    }
    sync(directory)
}

/// What the temporary directories for this one start with.
fn prefix_for(directory: &Path) -> String {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    format!("{TEMPORARY}{name}-")
}

/// Removes what a run that was killed has left after.
fn sweep(directory: &Path, prefix: &str) {
    // Where nothing can be listed nothing can be swept.
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        // What is there no more has been swept by another run.
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            if Lock::take(&path).is_ok() {
                let _ = fs::remove_dir_all(&path);
            }
        } else {
            let _ = fs::remove_file(&path);
        }
    }
}

fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Generated files are as open as the user's mask lets ordinary files be.
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

/// What an update is going to do.
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
    let mut ready = Vec::new();
    for file in &plan.write {
        ready.push((temporary_file(directory, &file.content)?, directory.join(&file.name)));
    }
    // From here on a signal waits: the directory is the old one or the new one.
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
    for file in files {
        let path = directory.join(&file.name);
        match look(&path)? {
            Found::Nothing => plan.write.push(file),
            // Equal bytes are as good as ours, for instance where the manifest was not kept.
            Found::File(content) if content == file.content => {}
            Found::File(content) => {
                plan.write.push(file);
                if !old.lists(&file.name) {
                    plan.foreign.push(path);
                } else if !old.made(&file.name, &content) {
                    plan.edited.push(path);
                }
            }
            Found::Other => plan.foreign.push(path),
        }
    }
    for name in old.names().filter(|name| !new.lists(name)) {
        let path = directory.join(name);
        match look(&path)? {
            Found::Nothing => {}
            Found::File(content) => {
                if !old.made(name, &content) {
                    plan.edited.push(path.clone());
                }
                plan.remove.push(path);
            }
            Found::Other => plan.foreign.push(path),
        }
    }
    Ok(plan)
}

fn refuse(plan: &Plan<'_>, edited: Edited) -> Result<(), Failure> {
    let list = |paths: &[PathBuf]| -> String {
        let paths: BTreeSet<_> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        paths.into_iter().collect::<Vec<_>>().join(", ")
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

/// What is at a path. Links are not followed: whatever they point to is not ours.
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
    let temporary = temporary_file(directory, manifest.to_text().as_bytes())?;
    persist(temporary, &directory.join(manifest::FILE_NAME))
}

fn temporary_file(directory: &Path, content: &[u8]) -> Result<NamedTempFile, Failure> {
    let write = || {
        step(Step::Write)?;
        let mut file = builder(0o666).tempfile_in(directory)?;
        file.write_all(content)?;
        step(Step::Sync)?;
        file.as_file().sync_all()?;
        Ok(file)
    };
    write().map_err(Failure::file("write to", directory))
}

fn persist(temporary: NamedTempFile, path: &Path) -> Result<(), Failure> {
    step(Step::Rename).map_err(Failure::file("write", path))?;
    match temporary.persist(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::file("write", path)(error.error)),
    }
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
