//! The directory that the files of charts and kustomizations may not leave.

use std::io;
use std::path::{Path, PathBuf};

use sandboxc::LARGEST_FILE;

use crate::cli::failure::Failure;
use sandboxc_files::{Entry, Kind, Root, content, working_directory};

/// A directory with all that a chart or a kustomization may name.
pub(super) struct Limit {
    root: Root,
}

impl Limit {
    /// The repository around a directory, or else its project, or else the working directory if it is above, or else
    /// the directory itself.
    pub(super) fn around(directory: &Path) -> Result<Self, Failure> {
        let open = || {
            if let Some(root) = Root::enclosing(directory)? {
                return Ok(root);
            }
            let (root, current) = (Root::at(directory)?, working_directory());
            if root.path().starts_with(&current) { Root::at(&current) } else { Ok(root) }
        };
        Ok(Self { root: open().map_err(Failure::file("read", directory))? })
    }

    /// What a path leads to: a directory or a regular file below this directory.
    pub(super) fn kind(&self, path: &Path) -> io::Result<Kind> {
        match self.root.kind(&self.resolve(path)?)? {
            kind @ (Kind::File | Kind::Directory) => Ok(kind),
            Kind::Link | Kind::Other => Err(io::Error::other("it is not a regular file")),
        }
    }

    /// The entries of a directory below this directory.
    pub(super) fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        self.root.list(&self.resolve(path)?)
    }

    /// The content of a regular file below this directory.
    pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let content = content::all_of(self.root.open_resolved(&self.resolve(path)?)?)?;
        if content.len() > LARGEST_FILE {
            return Err(io::Error::other(format!("it has more than {LARGEST_FILE} bytes")));
        }
        Ok(content)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.root.resolve(&working_directory().join(path))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_file_that_is_too_large_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let read = |length: usize| {
            let path = folder.path().join(format!("{length}.yaml"));
            File::create(&path).unwrap().set_len(length as u64).unwrap();
            Limit::around(folder.path()).unwrap().read(&path)
        };
        assert_eq!(read(LARGEST_FILE).unwrap().len(), LARGEST_FILE);
        let error = read(LARGEST_FILE + 2).unwrap_err().to_string();
        assert_eq!(error, format!("it has more than {LARGEST_FILE} bytes"));
    }
}
