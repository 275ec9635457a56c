//! Files that are replaced, each as a whole, and all of a run or none.
//!
//! The new contents are written to temporary files first, in all directories; only then is the first file
//! replaced. If one of them cannot be replaced, those before it get their old contents back.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::guard::{Guard, Lock, sync_file_system};
use super::place::{Destination, Origin, Places};
use super::temporary::{Found, TEMPORARY, Temporary, look, remove_temporary, sweep};
use crate::cli::failure::Failure;
use crate::cli::projects::directory_of;

/// The number of directories that are locked at the same time. The lock of each is an open file.
const LOCKED_AT_ONCE: usize = 32;

/// A file with its new content.
pub(in crate::cli) struct Replacement<'r> {
    pub(in crate::cli) path: PathBuf,
    pub(in crate::cli) origin: Origin<'r>,
    /// The content that was read: a file that has changed since is not replaced. `None` if there is no file;
    /// directories are created for it then.
    pub(in crate::cli) expected: Option<&'r [u8]>,
    pub(in crate::cli) content: &'r [u8],
}

/// Replaces files, all or none.
pub(in crate::cli) fn replace_files(
    places: &Places,
    replacements: &[Replacement<'_>],
) -> Result<(), Failure> {
    let mut folders = find_folders(places, replacements)?;
    let outcome = replace_all(&mut folders);
    if outcome.is_err() {
        folders.iter_mut().for_each(Folder::remove_temporaries);
    }
    outcome
}

/// Finds all files, by their directories, before anything is written.
fn find_folders<'r>(
    places: &Places,
    replacements: &'r [Replacement<'r>],
) -> Result<Vec<Folder<'r>>, Failure> {
    let mut folders: BTreeMap<PathBuf, Folder<'_>> = BTreeMap::new();
    for replacement in replacements {
        let (place, name) = places.find_file(&replacement.path, replacement.origin)?;
        let folder = folders.entry(place.path_of_directory()).or_insert_with(|| Folder {
            place: place.clone(),
            files: Vec::new(),
            held: None,
        });
        folder.files.push(Target { replacement, name, temporary: None, is_replaced: false });
    }
    Ok(folders.into_values().collect())
}

/// Writes a file that the command line names, whatever it contains. It can also be a pipe or a device.
pub(in crate::cli) fn write_file(
    places: &Places,
    path: &Path,
    content: &[u8],
) -> Result<(), Failure> {
    let failed = |error| Failure::file("write", path)(error);
    if is_of_system(path) && places.is_elsewhere(path) {
        return fs::write(path, content).map_err(failed);
    }
    let (place, name) = places.find_file(path, Origin::CommandLine)?;
    let write = || {
        if !place.missing.as_os_str().is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "its directory does not exist"));
        }
        let directory = place.enter()?;
        let old = match look(&directory, &name, true)? {
            Found::Nothing => None,
            Found::File(_, metadata) => Some(metadata),
            Found::Other(metadata) => return write_stream(&directory, &name, &metadata, content),
        };
        let temporary = Temporary::file(&directory, content, old.as_ref(), 1)?;
        temporary.persist(&name)
    };
    write().map_err(failed)
}

/// Writes to a pipe or device.
fn write_stream(
    directory: &Dir,
    name: &OsStr,
    metadata: &Metadata,
    content: &[u8],
) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if metadata.is_symlink() {
        return Err(io::Error::other("it was replaced by a link"));
    }
    directory.open_with(name, OpenOptions::new().write(true))?.write_all(content)
}

/// Whether a path names a stream of a process, such as `/dev/stdout`, or a device.
fn is_of_system(path: &Path) -> bool {
    cfg!(unix) && ["/dev", "/proc"].iter().any(|it| path.starts_with(it))
}

/// A directory with files that are replaced.
struct Folder<'r> {
    /// One of the files.
    place: Destination,
    files: Vec<Target<'r>>,
    /// Its handle and its lock, as long as they are open.
    held: Option<(Dir, Lock)>,
}

/// A file that is replaced.
struct Target<'r> {
    replacement: &'r Replacement<'r>,
    /// Its name in the directory.
    name: OsString,
    /// The name of the file with the new content.
    temporary: Option<OsString>,
    is_replaced: bool,
}

fn replace_all(folders: &mut [Folder<'_>]) -> Result<(), Failure> {
    let count = folders.iter().map(|folder| folder.files.len()).sum();
    // So that a process with few open files is enough, more directories are locked one after the other.
    let is_held = folders.len() <= LOCKED_AT_ONCE;
    let mut synced = BTreeSet::new();
    for folder in &mut *folders {
        folder.prepare(count)?;
        folder.release(is_held);
    }
    for folder in &mut *folders {
        let shown = folder.shown();
        sync_file_system(folder.enter()?, &shown, &mut synced, count)?;
        folder.release(is_held);
    }
    // From here on a signal is deferred, so that all files are replaced or none.
    let _guard = Guard::commit();
    for at in 0..folders.len() {
        let Some(folder) = folders.get_mut(at) else { break };
        let replaced = folder.replace();
        folder.release(is_held);
        if let Err(failure) = replaced {
            let left =
                folders.iter_mut().take(at + 1).flat_map(Folder::restore).collect::<Vec<_>>();
            return Err(if left.is_empty() { failure } else { incomplete(&failure, &left) });
        }
    }
    Ok(())
}

/// The failure of a run that has replaced some of its files.
fn incomplete(failure: &Failure, left: &[PathBuf]) -> Failure {
    let names: Vec<_> = left.iter().map(|file| format!("`{}`", file.display())).collect();
    Failure::usage(
        format!("{}; {} was already replaced", failure.in_one_line(), names.join(", ")),
        "restore it from version control, or run again",
    )
}

impl Folder<'_> {
    fn shown(&self) -> PathBuf {
        directory_of(&self.place.shown)
    }

    /// Opens and locks the directory, if that is not done.
    fn enter(&mut self) -> Result<&Dir, Failure> {
        let shown = self.shown();
        let held = match self.held.take() {
            Some(held) => held,
            None => self.open(&shown)?,
        };
        Ok(&self.held.insert(held).0)
    }

    fn open(&self, shown: &Path) -> Result<(Dir, Lock), Failure> {
        let directory = self.place.enter().map_err(Failure::file("open", shown))?;
        let lock = Lock::take(&directory, shown)?;
        Ok((directory, lock))
    }

    fn release(&mut self, is_held: bool) {
        if !is_held {
            self.held = None;
        }
    }

    /// Writes the new contents to temporary files.
    fn prepare(&mut self, count: usize) -> Result<(), Failure> {
        self.enter()?;
        let Some((directory, _)) = &self.held else { return Ok(()) };
        sweep(directory, TEMPORARY);
        for target in &mut self.files {
            let path = &target.replacement.path;
            let old = target.check(directory)?;
            let content = target.replacement.content;
            let temporary = Temporary::file(directory, content, old.as_ref(), count);
            target.temporary = Some(temporary.map_err(Failure::file("write", path))?.keep());
        }
        Ok(())
    }

    /// Renames the temporary files, unless a file has changed since it was read.
    fn replace(&mut self) -> Result<(), Failure> {
        self.enter()?;
        let Some((directory, _)) = &self.held else { return Ok(()) };
        for target in &mut self.files {
            target.check(directory)?;
            let Some(temporary) = target.temporary.clone() else { continue };
            let renamed = Temporary::existing(directory, temporary).persist(&target.name);
            target.temporary = None;
            renamed.map_err(Failure::file("write", &target.replacement.path))?;
            target.is_replaced = true;
        }
        Ok(())
    }

    /// Restores the old contents. Returns the files for which that failed.
    fn restore(&mut self) -> Vec<PathBuf> {
        let is_open = self.enter().is_ok();
        let held = self.held.take();
        let mut left = Vec::new();
        for target in self.files.iter_mut().filter(|it| it.is_replaced) {
            let restored = match &held {
                Some((directory, _)) if is_open => target.restore(directory),
                _ => Err(io::ErrorKind::NotFound.into()),
            };
            match restored {
                Ok(()) => target.is_replaced = false,
                Err(_) => left.push(target.replacement.path.clone()),
            }
        }
        left
    }

    /// Removes the temporary files that were not renamed.
    fn remove_temporaries(&mut self) {
        let names: Vec<_> =
            self.files.iter_mut().filter_map(|file| file.temporary.take()).collect();
        if !names.is_empty()
            && let Ok(directory) = self.enter()
        {
            for name in &names {
                remove_temporary(directory, name);
            }
        }
        self.held = None;
    }
}

impl Target<'_> {
    /// Compares the file with what is expected, and returns its metadata.
    fn check(&self, directory: &Dir) -> Result<Option<Metadata>, Failure> {
        let Replacement { path, expected, .. } = self.replacement;
        let changed = || {
            let changed = io::Error::other("the file was changed while it was checked");
            Failure::file("fix", path)(changed)
        };
        let found = look(directory, &self.name, true).map_err(Failure::file("write", path))?;
        match (found, expected) {
            (Found::Nothing, None) => Ok(None),
            (Found::File(file, metadata), Some(text)) => {
                let mut found = Vec::with_capacity(text.len());
                // One byte more: a file can have grown without end.
                let most = (text.len() as u64).saturating_add(1);
                let read = file.take(most).read_to_end(&mut found);
                read.map_err(Failure::file("read", path))?;
                if found == *text { Ok(Some(metadata)) } else { Err(changed()) }
            }
            _ => Err(changed()),
        }
    }

    fn restore(&self, directory: &Dir) -> io::Result<()> {
        match self.replacement.expected {
            None => directory.remove_file(&self.name),
            Some(text) => {
                let Found::File(_, metadata) = look(directory, &self.name, false)? else {
                    return Err(io::ErrorKind::NotFound.into());
                };
                Temporary::file(directory, text, Some(&metadata), 1)?.persist(&self.name)
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
#[path = "files_tests.rs"]
mod tests;
