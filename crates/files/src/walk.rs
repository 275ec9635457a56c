//! The files below a directory, found through the handle of a root.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use ignore::overrides::Override;
use sandboxc_syntax::source::{GENERATED_FILES, MANIFEST_EXTENSIONS, PROJECT_FILE};

use super::ignored::{Judgment, Lists, Patterns, TooLarge};
use super::root::{Entry, Kind, Root};
use super::skipped::{Skipped, Why};

/// A search for files.
pub struct Walk<'w> {
    /// The directory, as messages show it.
    pub directory: &'w Path,
    /// The root that links do not leave.
    pub root: &'w Root,
    /// The path of the directory from the root, without links.
    pub below: &'w Path,
    /// What happens to ignored files.
    pub ignored: Ignored,
    /// The maximum number of levels.
    pub levels: Option<usize>,
    /// The files that the command line excludes.
    pub excluded: Option<&'w Override>,
    /// Whether directories of other projects are skipped.
    pub is_context: bool,
    /// The canonical path of a file or directory that is not read.
    pub left_out: Option<&'w Path>,
}

/// The treatment of files listed in `.gitignore` and `.sandboxcignore`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ignored {
    /// They are skipped.
    Left,
    /// They are read, because a glob selects them explicitly.
    Read,
}

/// The result of a search.
#[derive(Default)]
pub struct Walked {
    /// The files, sorted by their paths.
    pub files: Vec<Found>,
    /// The directories that were searched, by their canonical paths.
    pub directories: Vec<PathBuf>,
    /// The directories and lists of ignored files that cannot be read.
    pub unreadable: Vec<(PathBuf, io::Error)>,
    /// The files that are not read.
    pub skipped: Skipped,
}

/// The reason why a directory has not been searched.
pub enum NotWalked {
    /// The directory cannot be read.
    Unreadable(io::Error),
    /// The files that list ignored files exceed their limit.
    IgnoreFilesTooLarge,
}

impl From<io::Error> for NotWalked {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl From<TooLarge> for NotWalked {
    fn from(_: TooLarge) -> Self {
        Self::IgnoreFilesTooLarge
    }
}

/// A file that was found in a directory.
pub struct Found {
    /// The path, as messages show it.
    pub path: PathBuf,
    /// The canonical path; that of a link that leads out is its own.
    pub identity: PathBuf,
    /// The canonical directory in which it was found.
    pub directory: PathBuf,
    /// Whether the canonical path has no links.
    is_resolved: bool,
}

impl Found {
    /// Whether it is a link to a file.
    pub fn is_link(&self) -> bool {
        let own = self.path.file_name().map(|name| self.directory.join(name));
        !self.is_resolved || own.as_ref() != Some(&self.identity)
    }

    /// Opens the file below its root.
    pub fn open(&self, root: &Root) -> io::Result<File> {
        if self.is_resolved {
            root.open_resolved(&self.identity)
        } else {
            root.open(&self.identity)
        }
    }
}

/// Whether a file is read from a directory.
pub fn is_input(path: &Path) -> bool {
    !is_snapshot(path)
        && path
            .extension()
            .is_some_and(|extension| MANIFEST_EXTENSIONS.iter().any(|known| extension == *known))
}

/// Whether the name of a file or directory is hidden.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether a file is the output of a test, which would repeat the objects of its input.
pub fn is_snapshot(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".snap.yaml")
}

/// A directory that was found, or the first one.
struct Directory {
    shown: PathBuf,
    /// The path from the root.
    below: PathBuf,
    depth: usize,
    /// The patterns of the directories above.
    patterns: Patterns,
}

/// What the next step of a search reads.
enum Next {
    File(Found),
    Directory(Directory),
}

impl<'w> Walk<'w> {
    /// A search below a directory of a root, for all files that nothing ignores.
    pub fn of(directory: &'w Path, root: &'w Root, below: &'w Path) -> Self {
        let (ignored, levels, excluded) = (Ignored::Left, None, None);
        let (is_context, left_out) = (false, None);
        Self { directory, root, below, ignored, levels, excluded, is_context, left_out }
    }

    /// The files, sorted; hidden and excluded ones are skipped, and so are output directories of
    /// `build -o`. No configuration outside of the root applies: the result must not depend on the user.
    pub fn files(&self) -> Result<Walked, NotWalked> {
        let mut search = Search { walk: self, lists: Lists::default(), walked: Walked::default() };
        let patterns = search.patterns_above(self.below)?;
        let (shown, below) = (self.directory.to_owned(), self.below.to_owned());
        let first = Directory { shown, below, depth: 0, patterns };
        let mut stack = search.entries(first)?;
        while let Some(next) = stack.pop() {
            match next {
                Next::File(found) => search.walked.files.push(found),
                Next::Directory(directory) => {
                    let (shown, place) =
                        (directory.shown.clone(), self.root.place(&directory.below));
                    match search.entries(directory) {
                        Ok(entries) => stack.extend(entries),
                        Err(NotWalked::Unreadable(error)) => {
                            search.walked.directories.push(place);
                            search.walked.unreadable.push((shown, error));
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        Ok(search.walked)
    }
}

/// A search in progress.
struct Search<'s, 'w> {
    walk: &'s Walk<'w>,
    lists: Lists,
    walked: Walked,
}

impl Search<'_, '_> {
    /// The patterns of the directories between the root and a directory.
    fn patterns_above(&mut self, below: &Path) -> Result<Patterns, NotWalked> {
        let mut patterns = Patterns::default();
        if self.walk.ignored == Ignored::Read {
            return Ok(patterns);
        }
        let above: Vec<_> = below.ancestors().skip(1).collect();
        let root = self.walk.root;
        for directory in above.into_iter().rev() {
            let has = |name: &str| root.has(&directory.join(name));
            patterns = self.patterns(directory, &root.place(directory), has, &patterns)?;
        }
        Ok(patterns)
    }

    /// The patterns in a directory, with those above it. `shown` is its path in messages.
    fn patterns(
        &mut self,
        directory: &Path,
        shown: &Path,
        has: impl Fn(&str) -> bool,
        above: &Patterns,
    ) -> Result<Patterns, TooLarge> {
        let mut unread = Vec::new();
        let patterns = self.lists.patterns(self.walk.root, directory, has, above, &mut unread)?;
        let unreadable = unread.into_iter().map(|(name, error)| (shown.join(name), error));
        self.walked.unreadable.extend(unreadable);
        Ok(patterns)
    }

    /// The entries of a directory that are searched, the last one first.
    fn entries(&mut self, directory: Directory) -> Result<Vec<Next>, NotWalked> {
        let Walk { root, ignored, levels, is_context, .. } = self.walk;
        let Directory { shown, below, depth, mut patterns } = directory;
        let listed = root.list(&below)?;
        let has = |name: &str| listed.iter().any(|entry| entry.name == name);
        let has_file = |name: &str| {
            listed.iter().any(|entry| entry.name == name && entry.kind != Kind::Directory)
        };
        if depth > 0 && has_file(GENERATED_FILES) {
            self.walked.skipped.add(root, &below, &listed, Why::Generated);
            return Ok(Vec::new());
        }
        if depth > 0 && *is_context && has_file(PROJECT_FILE) {
            return Ok(Vec::new());
        }
        let place = root.place(&below);
        if *ignored == Ignored::Left {
            patterns = self.patterns(&below, &shown, has, &patterns)?;
        }
        let mut next = Vec::new();
        if levels.is_none_or(|levels| depth < levels) {
            for Entry { name, kind } in listed.into_iter().rev() {
                let entry = Directory {
                    shown: shown.join(&name),
                    below: below.join(&name),
                    depth: depth + 1,
                    patterns: patterns.clone(),
                };
                next.extend(self.entry(entry, &place, &name, kind));
            }
        }
        self.walked.directories.push(place);
        Ok(next)
    }

    /// An entry of a directory, unless it is skipped.
    fn entry(&mut self, entry: Directory, parent: &Path, name: &OsStr, kind: Kind) -> Option<Next> {
        let Walk { root, excluded, left_out, .. } = self.walk;
        let is_directory = kind == Kind::Directory;
        let place = parent.join(name);
        let is_excluded =
            |excluded: &Override| excluded.matched(&entry.shown, is_directory).is_ignore();
        if excluded.is_some_and(is_excluded) {
            return None;
        }
        let why = match entry.patterns.judge(&place, is_directory) {
            Judgment::Ignored => Some(Why::Ignored),
            Judgment::IgnoredByGit => Some(Why::IgnoredByGit),
            Judgment::Unknown if is_hidden(name) => return None,
            Judgment::Unknown | Judgment::Included => None,
        };
        if let Some(why) = why {
            self.walked.skipped.add_entry(root, &entry.below, kind, why);
            return None;
        }
        let is_left_out = |path: &Path| left_out.is_some_and(|left_out| left_out == path);
        if is_left_out(&place) {
            return None;
        }
        let found = |identity, is_resolved| {
            let directory = parent.to_owned();
            Some(Next::File(Found { path: entry.shown.clone(), identity, directory, is_resolved }))
        };
        match kind {
            Kind::Directory => Some(Next::Directory(entry)),
            Kind::File => found(place, true),
            // A link to a file is followed, because mounted volumes have them; a link to a
            // directory is not, because it could form a cycle. A link to nothing, or to the outside,
            // cannot be read.
            Kind::Link => match root.resolve(&entry.below) {
                Ok(target) if root.kind(&target).is_ok_and(|kind| kind == Kind::File) => {
                    let identity = root.place(&target);
                    if is_left_out(&identity) { None } else { found(identity, true) }
                }
                Ok(_) => None,
                Err(_) => found(place, false),
            },
            Kind::Other => None,
        }
    }
}
