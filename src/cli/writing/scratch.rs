//! A directory of one run.

use std::fs;
use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use tempfile::TempDir;

use crate::cli::failure::Failure;

/// A directory for what only this run reads, and the programs that it starts. It is removed with this value. Paths in it
/// are relative, and lead to nothing else.
pub(in crate::cli) struct Scratch {
    /// Closed before the directory is removed.
    handle: Dir,
    directory: TempDir,
}

impl Scratch {
    pub(in crate::cli) fn new() -> Result<Self, Failure> {
        let create = || {
            let directory = tempfile::Builder::new().prefix("sandboxc-").tempdir()?;
            let handle = Dir::open_ambient_dir(directory.path(), ambient_authority())?;
            Ok(Self { handle, directory })
        };
        create()
            .map_err(|source| Failure::Stream { action: "create a temporary directory", source })
    }

    pub(in crate::cli) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Creates a directory, and those that it is in, unless they exist.
    pub(in crate::cli) fn add_directory(&self, place: &Path) -> io::Result<()> {
        self.handle.create_dir_all(place)
    }

    /// Writes a file in a directory that exists, in place of an older one.
    pub(in crate::cli) fn write(&self, place: &Path, content: &[u8]) -> io::Result<()> {
        self.handle.write(place, content)
    }

    /// Creates a file, and the directories that it is in.
    pub(in crate::cli) fn add_file(&self, place: &Path) -> io::Result<fs::File> {
        place.parent().map_or(Ok(()), |parent| self.add_directory(parent))?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        Ok(self.handle.open_with(place, &options)?.into_std())
    }

    /// Creates a file with this number of zero bytes, and the directories that it is in.
    pub(in crate::cli) fn add_blank(&self, place: &Path, size: u64) -> io::Result<()> {
        self.add_file(place)?.set_len(size)
    }

    /// Creates a link to a file, and the directories that the link is in.
    pub(in crate::cli) fn add_link(&self, place: &Path, file: &Path) -> io::Result<()> {
        place.parent().map_or(Ok(()), |parent| self.add_directory(parent))?;
        link(&self.path().join(file), &self.path().join(place))
    }
}

#[cfg(unix)]
fn link(file: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(file, place)
}

/// Not every user may create links.
#[cfg(not(unix))]
fn link(file: &Path, place: &Path) -> io::Result<()> {
    fs::copy(file, place).map(drop)
}
