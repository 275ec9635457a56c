//! A directory that is replaced as a whole: a complete new one is prepared next to it, and the two are
//! exchanged in one step. A run that is killed leaves the old directory or the new one.
//!
//! Files that were not generated are linked into the new directory. If an exchange is not possible,
//! the caller updates the directory file by file. This applies to a directory with subdirectories,
//! the working directory, a mount point, a directory whose parent is not writable, and a file
//! system without such an exchange.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::directory::{File, builder, create_files, prefix_for, sweep};
use super::failure::Failure;
use super::guard::{Guard, Lock, Step, step, sync, sync_contents};

/// Replaces `directory`, which is locked: adds or replaces the files in `fresh`, removes the names
/// in `gone`, and keeps all other files. Returns `false` if an exchange is not possible; then
/// nothing was changed.
pub(super) fn exchange(
    directory: &Path,
    fresh: &[&File],
    gone: &BTreeSet<OsString>,
) -> Result<bool, Failure> {
    let Some((directory, parent)) = movable(directory) else { return Ok(false) };
    let names: BTreeSet<&str> = fresh.iter().map(|it| it.name.as_str()).collect();
    let replaced = |name: &OsString| {
        gone.contains(name) || name.to_str().is_some_and(|name| names.contains(name))
    };
    let Some(kept) = entries(&directory, |name| !replaced(name)) else { return Ok(false) };
    let prefix = prefix_for(&directory);
    let Ok(temporary) = builder(0o777).prefix(&prefix).tempdir_in(&parent) else {
        return Ok(false);
    };
    let guard = Guard::over(temporary.path());
    // Other runs do not remove it while it is locked.
    let lock = Lock::take(temporary.path())?;
    if take_over(&directory, temporary.path()).is_none() {
        return Ok(false);
    }
    for name in &kept {
        if link(&directory.join(name), &temporary.path().join(name)).is_err() {
            return Ok(false);
        }
    }
    create_files(temporary.path(), fresh.iter().copied())?;
    sync_contents(temporary.path(), fresh.len())?;
    sync(temporary.path())?;
    let guard = guard.into_commit();
    let swapped = step(Step::Rename).and_then(|()| swap(temporary.path(), &directory));
    match swapped {
        Ok(true) => {}
        Ok(false) => return Ok(false),
        Err(error) => return Err(Failure::file("replace", &directory)(error)),
    }
    let old = temporary.keep();
    // From here on the new directory is in its place. What cannot be removed is swept by the next run.
    let is_known = |name: &OsString| kept.contains(name) || replaced(name);
    let _ = step(Step::Remove).and_then(|()| remove(&old, &directory, is_known));
    drop((guard, lock));
    sync(&parent)?;
    Ok(true)
}

/// Removes what killed runs have left next to a directory.
pub(super) fn sweep_beside(directory: &Path) {
    // A directory that cannot be found has nothing to clean up.
    let Ok(directory) = fs::canonicalize(directory) else { return };
    if let Some(parent) = directory.parent() {
        sweep(parent, &prefix_for(&directory));
    }
}

/// The directory and its parent, without links, where other programs are not bound to it.
fn movable(directory: &Path) -> Option<(PathBuf, PathBuf)> {
    let directory = fs::canonicalize(directory).ok()?;
    let current = env::current_dir().and_then(fs::canonicalize).ok()?;
    let parent = directory.parent()?.to_owned();
    (!current.starts_with(&directory)).then_some((directory, parent))
}

/// The relevant names in a directory, or `None` if it contains a directory.
fn entries(
    directory: &Path,
    is_of_interest: impl Fn(&OsString) -> bool,
) -> Option<BTreeSet<OsString>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(directory).ok()? {
        let entry = entry.ok()?;
        if entry.file_type().ok()?.is_dir() {
            return None;
        }
        if is_of_interest(&entry.file_name()) {
            names.insert(entry.file_name());
        }
    }
    Some(names)
}

/// Copies the mode of the old directory to the new one. Returns `None` if the owners differ.
fn take_over(old: &Path, new: &Path) -> Option<()> {
    let (old, made) = (fs::metadata(old).ok()?, fs::metadata(new).ok()?);
    if !has_same_owner(&old, &made) {
        return None;
    }
    fs::set_permissions(new, old.permissions()).ok()
}

#[cfg(unix)]
fn has_same_owner(old: &Metadata, new: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (old.uid(), old.gid()) == (new.uid(), new.gid())
}

#[cfg(not(unix))]
fn has_same_owner(_old: &Metadata, _new: &Metadata) -> bool {
    true
}

/// The same file under another name; of a symbolic link, a second one.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if fs::symlink_metadata(from)?.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    fs::hard_link(from, to)
}

/// Exchanges two directories. Returns `false` if the system or the file system does not support
/// this.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn swap(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
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
fn swap(_one: &Path, _other: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Removes the old directory. A file that another program has put there in the meantime moves to the new one.
fn remove(old: &Path, new: &Path, is_known: impl Fn(&OsString) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let target = new.join(entry.file_name());
        if is_known(&entry.file_name()) {
            fs::remove_file(entry.path())?;
        } else if fs::symlink_metadata(&target).is_err() {
            fs::rename(entry.path(), target)?;
        }
    }
    fs::remove_dir(old)
}
