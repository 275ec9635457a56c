//! Temporary files and directories next to what they replace, and their remains.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::access::{FILE_MODE, PRIVATE_MODE, set_mode, take_over, without_links};
use super::guard::{Lock, Step, step, sync_content};

/// The prefix of temporary files and directories; the leading dot hides them from readers.
pub(super) const TEMPORARY: &str = ".sandboxc-tmp-";

/// A temporary file or directory, which is removed unless it is kept.
pub(super) struct Temporary<'d> {
    directory: &'d Dir,
    name: OsString,
    is_kept: bool,
}

impl<'d> Temporary<'d> {
    /// Writes one of `count` files, which will replace `old` if there is one. It is closed: a process can only
    /// have a few hundred open.
    pub(super) fn file(
        directory: &'d Dir,
        content: &[u8],
        old: Option<&Metadata>,
        count: usize,
    ) -> io::Result<Self> {
        let create = |name: &OsStr| create_file(directory, name, content, old, count);
        let ((), name) = create_unused(TEMPORARY, create)?;
        Ok(Self { directory, name, is_kept: false })
    }

    /// One that was kept.
    pub(super) fn existing(directory: &'d Dir, name: OsString) -> Self {
        Self { directory, name, is_kept: false }
    }

    /// Creates a directory, whose name has this prefix.
    pub(super) fn directory(directory: &'d Dir, prefix: &str) -> io::Result<Self> {
        let ((), name) = create_unused(prefix, |name| directory.create_dir(name))?;
        Ok(Self { directory, name, is_kept: false })
    }

    pub(super) fn name(&self) -> &OsStr {
        &self.name
    }

    /// Moves it to its name, over the file that has it.
    pub(super) fn persist(self, name: &OsStr) -> io::Result<()> {
        step(Step::Rename)?;
        self.directory.rename(&self.name, self.directory, name)?;
        self.keep();
        Ok(())
    }

    /// Leaves it where it is, and returns its name.
    pub(super) fn keep(mut self) -> OsString {
        self.is_kept = true;
        std::mem::take(&mut self.name)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            // What cannot be removed is swept by the next run.
            remove_temporary(self.directory, &self.name);
        }
    }
}

/// Creates one of `count` files, with the mode and owner of `old` if there is one.
pub(super) fn create_file(
    directory: &Dir,
    name: &OsStr,
    content: &[u8],
    old: Option<&Metadata>,
    count: usize,
) -> io::Result<()> {
    step(Step::Write)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Until it has the mode of the file that it replaces.
    set_mode(&mut options, if old.is_some() { PRIVATE_MODE } else { FILE_MODE });
    let mut file = directory.open_with(name, &options)?.into_std();
    let mut write = || {
        if let Some(old) = old {
            take_over(&file, old)?;
        }
        file.write_all(content)?;
        sync_content(&file, count)
    };
    let written = write();
    if written.is_err() {
        let _ = directory.remove_file(name);
    }
    written
}

/// Removes a temporary file or directory.
pub(super) fn remove_temporary(directory: &Dir, name: &OsStr) {
    let is_directory = directory.symlink_metadata(name).is_ok_and(|it| it.is_dir());
    let _ = if is_directory { directory.remove_dir_all(name) } else { directory.remove_file(name) };
}

/// Creates a file or directory with a name that is not in use. No two processes choose the same one.
fn create_unused<T>(
    prefix: &str,
    create: impl Fn(&OsStr) -> io::Result<T>,
) -> io::Result<(T, OsString)> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    loop {
        let number = NEXT.fetch_add(1, Relaxed);
        let name = OsString::from(format!("{prefix}{}-{number}", std::process::id()));
        match create(&name) {
            Ok(created) => return Ok((created, name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes the remains of a killed run.
pub(super) fn sweep(directory: &Dir, prefix: &str) {
    // If the directory cannot be listed, there is nothing to remove.
    let Ok(entries) = directory.entries() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with(prefix) {
            continue;
        }
        // Another run may have removed it already.
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            let Ok(inner) = directory.open_dir(&name) else { continue };
            if Lock::take(&inner, name.as_ref()).is_ok() {
                let _ = directory.remove_dir_all(&name);
            }
        } else {
            let _ = directory.remove_file(&name);
        }
    }
}

/// What has a name in a directory. Links are not followed, because their targets do not belong to it.
pub(super) enum Found {
    Nothing,
    File(fs::File, Metadata),
    Other(Metadata),
}

/// Looks a name up, and opens a file for reading, and for writing too to find out whether that is permitted.
pub(super) fn look(directory: &Dir, name: &OsStr, is_written: bool) -> io::Result<Found> {
    let metadata = match directory.symlink_metadata(name) {
        Ok(metadata) if metadata.is_file() => metadata,
        Ok(metadata) => return Ok(Found::Other(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
    };
    if is_written && metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let mut options = OpenOptions::new();
    options.read(true).write(is_written);
    without_links(&mut options);
    let file = directory.open_with(name, &options)?;
    let metadata = file.metadata()?;
    Ok(if metadata.is_file() {
        Found::File(file.into_std(), metadata)
    } else {
        Found::Other(metadata)
    })
}
