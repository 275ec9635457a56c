//! The files that list what a walk skips: `.gitignore` and `.sandboxcignore`.

use std::io::{self, Read as _};
use std::path::Path;
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use sandboxc_syntax::limits::LARGEST_IGNORE_FILES;
use sandboxc_syntax::source::IGNORE_FILE;

use super::root::{GIT, Root};

/// The list of git.
pub const GIT_IGNORE_FILE: &str = ".gitignore";

/// The patterns that apply in a directory: its own, and those of the directories above it.
#[derive(Clone, Default)]
pub(super) struct Patterns(Option<Rc<Level>>);

/// The patterns of a directory that has some, or that is the root of a repository.
struct Level {
    own: Gitignore,
    git: Gitignore,
    is_repository: bool,
    /// Whether it is in a repository: elsewhere, `.gitignore` means nothing.
    is_in_repository: bool,
    above: Patterns,
}

/// What the patterns say about a file or directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judgment {
    /// `.gitignore` excludes it.
    IgnoredByGit,
    /// `.sandboxcignore` excludes it.
    Ignored,
    /// A pattern with `!` includes it, even if it is hidden.
    Included,
    /// No pattern applies to it.
    Unknown,
}

impl Patterns {
    /// What they say about a path.
    pub(super) fn judge(&self, path: &Path, is_directory: bool) -> Judgment {
        let (mut own, mut git) = (Match::None, Match::None);
        let mut has_git = self.0.as_ref().is_some_and(|it| it.is_in_repository);
        let mut next = &self.0;
        while let Some(level) = next {
            own = own.or(level.own.matched(path, is_directory).map(drop));
            if has_git {
                git = git.or(level.git.matched(path, is_directory).map(drop));
            }
            has_git &= !level.is_repository;
            next = &level.above.0;
        }
        match (own, git) {
            (Match::Ignore(()), _) => Judgment::Ignored,
            (Match::None, Match::Ignore(())) => Judgment::IgnoredByGit,
            (Match::None, Match::None) => Judgment::Unknown,
            (Match::Whitelist(()), _) | (Match::None, Match::Whitelist(())) => Judgment::Included,
        }
    }
}

/// Reads lists of patterns. Each pattern takes the memory of a regular expression, so their size is limited.
#[derive(Default)]
pub(super) struct Lists {
    bytes: usize,
}

/// All lists below a directory exceed their limit.
pub(super) struct TooLarge;

/// A list that cannot be read, by its name.
pub(super) type Unread = (&'static str, io::Error);

impl Lists {
    /// The patterns in a directory of a root, with those above it. `has` returns whether it contains a file.
    pub(super) fn patterns(
        &mut self,
        root: &Root,
        directory: &Path,
        has: impl Fn(&str) -> bool,
        above: &Patterns,
        unread: &mut Vec<Unread>,
    ) -> Result<Patterns, TooLarge> {
        let is_repository = has(GIT);
        let names = [IGNORE_FILE, GIT_IGNORE_FILE].map(|name| Some(name).filter(|name| has(name)));
        if !is_repository && names == [None, None] {
            return Ok(above.clone());
        }
        let [mut own, mut git] = [Gitignore::empty(), Gitignore::empty()];
        for (name, list) in names.into_iter().zip([&mut own, &mut git]) {
            let Some(name) = name else { continue };
            match self.read(root, &directory.join(name))? {
                Ok(text) => *list = parse_list(&root.place(directory), &text),
                Err(error) => unread.push((name, error)),
            }
        }
        let is_in_repository =
            is_repository || above.0.as_ref().is_some_and(|it| it.is_in_repository);
        let above = above.clone();
        Ok(Patterns(Some(Rc::new(Level { own, git, is_repository, is_in_repository, above }))))
    }

    fn read(&mut self, root: &Root, path: &Path) -> Result<io::Result<String>, TooLarge> {
        let most = LARGEST_IGNORE_FILES.saturating_sub(self.bytes).saturating_add(1);
        let mut bytes = Vec::new();
        let read = root.open(path).and_then(|file| file.take(most as u64).read_to_end(&mut bytes));
        if let Err(error) = read {
            return Ok(Err(error));
        }
        self.bytes += bytes.len();
        if self.bytes > LARGEST_IGNORE_FILES {
            return Err(TooLarge);
        }
        Ok(Ok(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// The patterns of a list. Malformed ones are skipped, as git does.
fn parse_list(directory: &Path, text: &str) -> Gitignore {
    let mut builder = GitignoreBuilder::new(directory);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
