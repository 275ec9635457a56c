//! A directory that is replaced as a whole: a complete new one is prepared next to it, and the two are
//! exchanged in one step. A run that is killed leaves the old directory or the new one.
//!
//! Files that were not generated are linked into the new directory. If an exchange is not possible,
//! the caller updates the directory file by file. This applies to a directory with subdirectories,
//! the working directory, a mount point, a directory whose parent is not writable, and a file
//! system without such an exchange.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;

use cap_std::fs::Dir;

use super::access::has_same_owner;
use super::directory::{File, Opened, create_files, prefix_for};
use super::guard::{Guard, Lock, Step, step, sync, sync_contents};
use super::place::Destination;
use super::temporary::{Temporary, sweep};
use crate::cli::failure::Failure;

/// A directory that can be exchanged.
pub(super) struct Exchange<'d> {
    parent: Dir,
    name: &'d OsStr,
    /// It is locked.
    directory: Opened<'d>,
}

impl<'d> Exchange<'d> {
    /// For a directory to which no other programs are bound, and whose parent can be opened.
    pub(super) fn of(place: &'d Destination, directory: Opened<'d>) -> Option<Self> {
        let name = place.name.as_deref()?;
        let current = env::current_dir().and_then(fs::canonicalize).ok()?;
        let parent = place.enter().ok()?;
        let is_movable = !current.starts_with(place.path());
        is_movable.then_some(Self { parent, name, directory })
    }

    /// Removes what killed runs have left next to the directory.
    pub(super) fn sweep(&self) {
        sweep(&self.parent, &prefix_for(self.name));
    }

    /// Replaces the directory: adds or replaces the files in `fresh`, removes the names in `gone`, and keeps
    /// all other files. Returns `false` if an exchange is not possible; then nothing was changed.
    pub(super) fn run(&self, fresh: &[&File], gone: &BTreeSet<OsString>) -> Result<bool, Failure> {
        let Self { parent, name, directory: Opened { handle: old, shown } } = self;
        let names: BTreeSet<&str> = fresh.iter().map(|file| file.name.as_str()).collect();
        let replaced = |name: &OsString| {
            gone.contains(name) || name.to_str().is_some_and(|name| names.contains(name))
        };
        let Ok(Some(kept)) = files_of(old, |name| !replaced(name)) else { return Ok(false) };
        let Ok(temporary) = Temporary::directory(parent, &prefix_for(name)) else {
            return Ok(false);
        };
        let into = |error| Failure::file("write to", shown)(error);
        let guard = Guard::over(parent, temporary.name()).map_err(into)?;
        let new = parent.open_dir(temporary.name()).map_err(into)?;
        // Other runs do not remove it while it is locked.
        let lock = Lock::take(&new, shown)?;
        if !matches!(copy_mode(old, &new), Ok(true)) {
            return Ok(false);
        }
        for name in &kept {
            if link(old, &new, name).is_err() {
                return Ok(false);
            }
        }
        create_files(Opened { handle: &new, shown }, fresh.iter().copied(), Some(old))?;
        sync_contents(&new, shown, fresh.len())?;
        sync(&new, shown)?;
        let guard = guard.into_commit();
        let swapped = step(Step::Rename).and_then(|()| swap(parent, temporary.name(), name));
        match swapped {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) => return Err(Failure::file("replace", shown)(error)),
        }
        let left = temporary.keep();
        // From here on the new directory is in its place. What cannot be removed is swept by the next run.
        let is_known = |name: &OsString| kept.contains(name) || replaced(name);
        let removed = step(Step::Remove).and_then(|()| remove(old, &new, is_known));
        let _ = removed.and_then(|()| parent.remove_dir(left));
        drop((guard, lock));
        sync(parent, shown)?;
        Ok(true)
    }
}

/// The relevant names in a directory, or `None` if it contains a directory.
fn files_of(
    directory: &Dir,
    is_of_interest: impl Fn(&OsString) -> bool,
) -> io::Result<Option<BTreeSet<OsString>>> {
    let mut names = BTreeSet::new();
    for entry in directory.entries()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            return Ok(None);
        }
        if is_of_interest(&entry.file_name()) {
            names.insert(entry.file_name());
        }
    }
    Ok(Some(names))
}

/// Copies the mode of the old directory to the new one. Returns `false` if the owners differ.
fn copy_mode(old: &Dir, new: &Dir) -> io::Result<bool> {
    let metadata = old.dir_metadata()?;
    if !has_same_owner(&metadata, &new.dir_metadata()?) {
        return Ok(false);
    }
    new.set_permissions(".", metadata.permissions())?;
    Ok(true)
}

/// The same file in another directory; of a symbolic link, a second one.
fn link(from: &Dir, to: &Dir, name: &OsStr) -> io::Result<()> {
    #[cfg(unix)]
    if from.symlink_metadata(name)?.is_symlink() {
        return to.symlink_contents(from.read_link_contents(name)?, name);
    }
    from.hard_link(name, to, name)
}

/// Exchanges two directories. Returns `false` if the system or the file system does not support
/// this.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn swap(parent: &Dir, one: &OsStr, other: &OsStr) -> io::Result<bool> {
    use rustix::fs::{RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(parent, one, parent, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(
            Errno::INVAL
            | Errno::NOSYS
            | Errno::NOTSUP
            | Errno::XDEV
            | Errno::BUSY
            | Errno::PERM
            | Errno::ACCESS,
        ) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn swap(_parent: &Dir, _one: &OsStr, _other: &OsStr) -> io::Result<bool> {
    Ok(false)
}

/// Empties the old directory. A file that another program has put there in the meantime moves to the new one.
fn remove(old: &Dir, new: &Dir, is_known: impl Fn(&OsString) -> bool) -> io::Result<()> {
    for entry in old.entries()? {
        let name = entry?.file_name();
        if is_known(&name) {
            old.remove_file(&name)?;
        } else if new.symlink_metadata(&name).is_err() {
            old.rename(&name, new, &name)?;
        }
    }
    Ok(())
}
