//! The files below a directory.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ignore::overrides::Override;
use ignore::{DirEntry, WalkBuilder};
use sandboxc::{IGNORE_FILE, LARGEST_IGNORE_FILES};

use super::failure::Failure;
use super::files::Root;
use super::input::{canonical, is_glob};
use super::manifest;
use super::projects::{directory_of, is_root};

/// A search for files.
pub(super) struct Walk<'w> {
    /// The directory.
    pub(super) root: &'w Path,
    pub(super) ignored: Ignored,
    /// The maximum number of levels.
    pub(super) levels: Option<usize>,
    /// The files that the command line excludes.
    pub(super) excluded: &'w Override,
    /// Whether directories of other projects are skipped.
    pub(super) is_context: bool,
    /// The canonical path of a file or directory that is not read.
    pub(super) left_out: Option<&'w Path>,
}

/// The result of a search.
pub(super) struct Walked {
    pub(super) files: Vec<Found>,
    /// The directories that were searched, by their canonical paths.
    pub(super) directories: Vec<PathBuf>,
    /// The directories that cannot be read.
    pub(super) unreadable: Vec<(PathBuf, io::Error)>,
}

impl Walk<'_> {
    /// The files, sorted; hidden and excluded ones are skipped, and so are output directories of
    /// `build -o`.
    pub(super) fn files(self) -> Result<Walked, Failure> {
        let Self { root, ignored, levels, excluded, is_context, left_out } = self;
        let is_left = ignored == Ignored::Left;
        let mut walk = WalkBuilder::new(root);
        walk.max_depth(levels);
        // No configuration outside the folder and its repository applies: the result must not
        // depend on the user.
        walk.standard_filters(false).hidden(true).git_ignore(is_left).parents(is_left);
        if is_left {
            walk.add_custom_ignore_filename(IGNORE_FILE);
        }
        walk.overrides(excluded.clone());
        let lists = Arc::new(Lists::default());
        if is_left {
            lists.count(root);
        }
        let counted = Arc::clone(&lists);
        let left_out = left_out.map(Path::to_owned);
        walk.filter_entry(move |entry| {
            let is_left_out = left_out.as_deref().is_some_and(|it| leads_to(entry.path(), it));
            let is_read = entry.depth() == 0
                || !(is_left_out || is_generated(entry) || is_context && is_root(entry.path()));
            if is_read && is_left && entry.file_type().is_some_and(|it| it.is_dir()) {
                counted.count(entry.path());
            }
            is_read && !counted.is_over()
        });
        walk.sort_by_file_name(Ord::cmp);
        let canonical_root = canonical(root);
        let (mut files, mut directories, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
        if lists.is_over() {
            return Err(Lists::failure(root));
        }
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = path_of(&error).unwrap_or(root).to_owned();
                    let cause = error.into_io_error().unwrap_or(io::ErrorKind::Other.into());
                    if path == root {
                        return Err(Failure::file("read", root)(cause));
                    }
                    unreadable.push((path, cause));
                    continue;
                }
            };
            // A link to a file is followed, because mounted volumes have them; a link to a
            // directory is not, because it could form a cycle. A link to nothing cannot be read.
            let is_file = match entry.file_type() {
                Some(kind) if !kind.is_symlink() => kind.is_file(),
                _ => fs::metadata(entry.path()).map_or(true, |it| it.is_file()),
            };
            let is_directory = entry.file_type().is_some_and(|it| it.is_dir());
            if !is_file && !is_directory {
                continue;
            }
            // Directories are not links below the root, so only a link has a second name.
            let place = match entry.path().strip_prefix(root) {
                Ok(below) => canonical_root.join(below),
                Err(_) => canonical(entry.path()),
            };
            if is_directory {
                directories.push(place);
            } else {
                let directory = directory_of(&place);
                let is_link = entry.path_is_symlink();
                let identity = if is_link { canonical(entry.path()) } else { place };
                files.push(Found { path: entry.into_path(), identity, directory, is_link });
            }
        }
        if lists.is_over() {
            return Err(Lists::failure(root));
        }
        Ok(Walked { files, directories, unreadable })
    }
}

/// A file that was found in a directory.
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// The canonical path.
    pub(super) identity: PathBuf,
    /// The canonical directory in which it was found.
    pub(super) directory: PathBuf,
    /// Whether it is a link to a file.
    is_link: bool,
}

impl Found {
    /// Opens the file below a root.
    pub(super) fn open(&self, root: &Root) -> io::Result<File> {
        if self.is_link { root.open(&self.identity) } else { root.open_resolved(&self.identity) }
    }
}

/// The directory below which a glob can match, and the maximum number of levels of a match; `None`
/// if it has any number. Directories below these levels are not read, so they need not be readable.
pub(super) fn extent(glob: &str) -> (PathBuf, Option<usize>) {
    let is_literal = |part: &Component<'_>| !is_glob(Path::new(part.as_os_str()));
    let mut parts = Path::new(glob).components().peekable();
    let base: PathBuf = std::iter::from_fn(|| parts.next_if(is_literal)).collect();
    let base = if base.as_os_str().is_empty() { PathBuf::from(".") } else { base };
    let levels = (!glob.contains("**")).then(|| parts.count());
    (base, levels)
}

/// The treatment of files listed in `.gitignore` and `.sandboxcignore`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ignored {
    /// They are skipped.
    Left,
    /// They are read, because a glob selects them explicitly.
    Read,
}

/// The size of the files below a directory that list ignored files. Each pattern takes the memory
/// of a regular expression.
#[derive(Default)]
struct Lists {
    bytes: AtomicU64,
}

impl Lists {
    /// Adds those of a directory, before they are read.
    fn count(&self, directory: &Path) {
        for name in [".gitignore", IGNORE_FILE] {
            let size = fs::metadata(directory.join(name)).map_or(0, |it| it.len());
            self.bytes.fetch_add(size, Relaxed);
        }
    }

    fn is_over(&self) -> bool {
        usize::try_from(self.bytes.load(Relaxed)).is_ok_and(|it| it > LARGEST_IGNORE_FILES)
    }

    fn failure(root: &Path) -> Failure {
        Failure::usage(
            format!(
                "`.gitignore` and `{IGNORE_FILE}` files in `{}` exceed {LARGEST_IGNORE_FILES} bytes",
                root.display()
            ),
            "shorten them, or name the files",
        )
    }
}

/// The path of a file or directory that cannot be read.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } => path_of(err),
        _ => None,
    }
}

/// Whether a path leads to a canonical one.
fn leads_to(path: &Path, target: &Path) -> bool {
    path.file_name() == target.file_name() && canonical(path) == target
}

fn is_generated(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|it| it.is_dir())
        && entry.path().join(manifest::FILE_NAME).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_is_searched_as_deep_as_it_can_match() {
        let cases = [
            ("*.yaml", ".", Some(1)),
            ("teams/web/*.yaml", "teams/web", Some(1)),
            ("teams/*/a.yaml", "teams", Some(2)),
            ("teams/{a,b/c}/d.yaml", "teams", Some(3)),
            ("teams/**/a.yaml", "teams", None),
            ("/srv/*.yaml", "/srv", Some(1)),
        ];
        for (glob, base, levels) in cases {
            assert_eq!(extent(glob), (PathBuf::from(base), levels), "{glob}");
        }
    }
}
