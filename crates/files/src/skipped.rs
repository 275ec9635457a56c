//! The files that a walk skips: a gate must not be turned off in silence.

use std::fmt;
use std::path::{Path, PathBuf};

use sandboxc_syntax::source::IGNORE_FILE;

use super::ignored::GIT_IGNORE_FILE;
use super::root::{Entry, Kind, Root};
use super::walk::{is_hidden, is_input};

/// The number of entries of skipped directories that are counted: an ignored directory can contain the
/// dependencies of a program.
const MOST: usize = 20_000;

/// Why a file or directory is skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    Ignored,
    IgnoredByGit,
    Generated,
}

/// The numbers of files that would be read if they were not skipped.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Skipped {
    ignored: usize,
    ignored_by_git: usize,
    generated: usize,
    /// The number of entries that were read.
    seen: usize,
}

impl Skipped {
    /// Whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.total() == 0
    }

    const fn total(&self) -> usize {
        self.ignored + self.ignored_by_git + self.generated
    }

    /// Adds those of another directory.
    pub fn extend(&mut self, other: &Self) {
        self.ignored += other.ignored;
        self.ignored_by_git += other.ignored_by_git;
        self.generated += other.generated;
        self.seen = self.seen.saturating_add(other.seen);
    }

    /// Adds a file, or the files below a directory.
    pub(super) fn add_entry(&mut self, root: &Root, path: &Path, kind: Kind, why: Why) {
        if path.file_name().is_some_and(is_hidden) {
            return;
        }
        if kind == Kind::Directory {
            self.add_all(root, vec![path.to_owned()], why);
        } else if kind != Kind::Other && is_input(path) {
            *self.count(why) += 1;
        }
    }

    /// Adds the files of a directory with these entries, and those below it.
    pub(super) fn add(&mut self, root: &Root, path: &Path, entries: &[Entry], why: Why) {
        let mut directories = Vec::new();
        self.add_listed(path, entries, why, &mut directories);
        self.add_all(root, directories, why);
    }

    fn add_all(&mut self, root: &Root, mut directories: Vec<PathBuf>, why: Why) {
        while let Some(path) = directories.pop() {
            if self.is_incomplete() {
                return;
            }
            // What cannot be read would be an error if it was not skipped.
            if let Ok(entries) = root.list(&path) {
                self.add_listed(&path, &entries, why, &mut directories);
            }
        }
    }

    fn add_listed(
        &mut self,
        path: &Path,
        entries: &[Entry],
        why: Why,
        directories: &mut Vec<PathBuf>,
    ) {
        self.seen += entries.len();
        let visible = entries.iter().filter(|entry| !is_hidden(&entry.name));
        for Entry { name, kind } in visible {
            match kind {
                Kind::Directory => directories.push(path.join(name)),
                Kind::Other => {}
                Kind::File | Kind::Link => *self.count(why) += usize::from(is_input(name.as_ref())),
            }
        }
    }

    /// Whether there can be more of them.
    fn is_incomplete(&self) -> bool {
        self.seen > MOST
    }

    fn count(&mut self, why: Why) -> &mut usize {
        match why {
            Why::Ignored => &mut self.ignored,
            Why::IgnoredByGit => &mut self.ignored_by_git,
            Why::Generated => &mut self.generated,
        }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ignored, ignored_by_git, generated, .. } = self;
        let all = self.total();
        let least = if self.is_incomplete() { "at least " } else { "" };
        let plural = if all == 1 { "" } else { "s" };
        write!(f, "{least}{all} file{plural} skipped: ")?;
        let parts = [
            (*ignored, format!("ignored by {IGNORE_FILE}")),
            (*ignored_by_git, format!("ignored by {GIT_IGNORE_FILE}")),
            (*generated, "generated".to_owned()),
        ];
        let counted = parts.into_iter().filter(|(count, _)| *count > 0);
        let texts: Vec<_> = counted.map(|(count, why)| format!("{count} {why}")).collect();
        f.write_str(&texts.join(", "))
    }
}
