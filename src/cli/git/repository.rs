//! The repository of a directory, found without git.
//!
//! git also takes a directory for a repository if it looks like one, and a commit can contain such a directory with a
//! configuration that names commands. No commit can contain anything with the name `.git`.

use std::io;
use std::path::{Path, PathBuf};

use sandboxc_files::{Kind, Root, kind_of_entry, resolved};

/// The name of the directory of git, or of the file that names it.
const NAME: &str = ".git";

/// The maximum length of a file with a path, in bytes.
const LONGEST_PATH: u64 = 8 << 10;

/// A repository. All paths are canonical.
pub(super) struct Repository {
    /// The top of the working tree.
    pub(super) top: PathBuf,
    /// The directory with the state of the working tree.
    pub(super) own: PathBuf,
    /// The directory with the objects and references, which is another one if there are several working trees.
    pub(super) common: PathBuf,
    /// Whether the configuration has to name the working tree, because nothing else leads back to it.
    pub(super) has_to_name_top: bool,
}

impl Repository {
    /// The nearest repository at or above a canonical directory.
    pub(super) fn around(directory: &Path) -> io::Result<Self> {
        for top in directory.ancestors() {
            let path = top.join(NAME);
            let Ok(kind) = kind_of_entry(&path) else { continue };
            if kind == Kind::Directory && is_repository(&path) {
                // Only the directory of a further working tree names another one.
                return if path.join("commondir").exists() {
                    Err(refused(&path, "names another directory in `commondir`"))
                } else {
                    Ok(Self {
                        top: top.into(),
                        own: path.clone(),
                        common: path,
                        has_to_name_top: false,
                    })
                };
            }
            if kind == Kind::File {
                return Self::of_file(top, &path);
            }
            if kind == Kind::Link {
                return Err(refused(&path, "is a link"));
            }
        }
        Err(io::Error::other("this directory is in no working tree of git"))
    }

    /// The repository that a file names: that of a further working tree, or of a submodule. It has to lead back to
    /// the working tree; otherwise the file could name any repository.
    fn of_file(top: &Path, file: &Path) -> io::Result<Self> {
        let text = path_in(file)?;
        let named = text.strip_prefix("gitdir:").map(str::trim_start);
        let named = named.ok_or_else(|| refused(file, "names no directory"))?;
        let own = resolved(&top.join(named))?;
        if own.starts_with(top) {
            return Err(refused(file, "names a directory in the working tree"));
        }
        let other = own.join("commondir");
        if !other.exists() {
            return if is_repository(&own) {
                let common = own.clone();
                Ok(Self { top: top.into(), own, common, has_to_name_top: true })
            } else {
                Err(refused(file, "names no repository"))
            };
        }
        let common = resolved(&own.join(path_in(&other)?))?;
        let back = resolved(&own.join(path_in(&own.join("gitdir"))?))?;
        if back != file || !own.starts_with(common.join("worktrees")) || !is_repository(&common) {
            return Err(refused(file, "names a repository without this working tree"));
        }
        Ok(Self { top: top.into(), own, common, has_to_name_top: false })
    }

    /// Whether a path of the configuration is the top of the working tree.
    pub(super) fn is_top(&self, path: &str) -> bool {
        resolved(&self.common.join(path)).is_ok_and(|it| it == self.top)
    }
}

/// Whether git would take a directory for that of a repository.
fn is_repository(directory: &Path) -> bool {
    directory.join("HEAD").symlink_metadata().is_ok()
        && directory.join("objects").is_dir()
        && directory.join("refs").is_dir()
}

/// The path that a file contains.
fn path_in(file: &Path) -> io::Result<String> {
    let directory = file.parent().unwrap_or(Path::new(""));
    let content = Root::at(directory)?.read_short(file, LONGEST_PATH)?;
    let text = String::from_utf8(content).map_err(|_| refused(file, "is not UTF-8"))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

fn refused(path: &Path, why: &str) -> io::Error {
    io::Error::other(format!("`{}` {why}", path.display()))
}
