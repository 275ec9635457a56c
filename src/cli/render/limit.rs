//! The directory that the files of charts and kustomizations may not leave.

use std::env;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sandboxc::LARGEST_FILE;

use crate::cli::failure::Failure;
use crate::cli::projects::Roots;

/// A directory. Its path is canonical.
pub(super) struct Limit {
    path: PathBuf,
}

impl Limit {
    /// The repository around a directory, or else its project, or else the working directory if it is above, or else
    /// the directory itself.
    pub(super) fn around(directory: &Path) -> Result<Self, Failure> {
        let failed = Failure::file("read", directory);
        let directory = fs::canonicalize(directory).map_err(failed)?;
        let has_repository = |it: &&Path| it.join(".git").symlink_metadata().is_ok();
        let repository = directory.ancestors().find(has_repository).map(Path::to_owned);
        let project = || Roots::default().of(&directory);
        let current = || env::current_dir().ok()?.canonicalize().ok();
        let current = || current().filter(|it| directory.starts_with(it));
        let path = repository.or_else(project).or_else(current).unwrap_or(directory.clone());
        Ok(Self { path })
    }

    /// What a path leads to: a directory or a regular file below this directory.
    pub(super) fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let real = fs::canonicalize(path)?;
        if !real.starts_with(&self.path) {
            let text = format!("it leads out of `{}`", self.path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
        }
        let metadata = fs::metadata(real)?;
        if metadata.is_file() || metadata.is_dir() {
            return Ok(metadata);
        }
        Err(io::Error::other("it is not a regular file"))
    }

    /// The content of a regular file below this directory.
    pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if !self.metadata(path)?.is_file() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let most = u64::try_from(LARGEST_FILE).unwrap_or(u64::MAX);
        let mut content = Vec::new();
        File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut content)?;
        if content.len() > LARGEST_FILE {
            return Err(io::Error::other(format!("it has more than {LARGEST_FILE} bytes")));
        }
        Ok(content)
    }
}
