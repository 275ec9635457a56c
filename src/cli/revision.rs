//! The files of a revision of the working tree, in a temporary directory.
//!
//! Anyone who can propose a commit chooses the names in it. Only regular files and links to them are written, below
//! the directory; a name that could lead elsewhere is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sandboxc::{GENERATED_FILES, IGNORE_FILE, LARGEST_FILE, LARGEST_REVISION, MANIFEST_EXTENSIONS};

use super::failure::Failure;
use super::git::{Entry, Git, Mode};
use super::links::Links;
use super::output;
use super::writing::Scratch;
use sandboxc::markup::visible_line;

/// The files that a run can read: manifests, and lists of ignored and of generated files.
const NAMES: [&str; 4] = [".gitignore", ".ignore", IGNORE_FILE, GENERATED_FILES];

/// The directory of the files in the temporary one.
const FILES: &str = "files";

/// The size of the files that are read at once, in bytes.
const BATCH: usize = 32 << 20;

/// The maximum length of the target of a link, in bytes.
const LONGEST_LINK: usize = 4096;

/// The files of a revision that are written.
#[derive(Clone, Copy)]
pub(crate) enum Content {
    /// Those that a run can read.
    Manifests,
    /// All of them, for programs that render charts and kustomizations.
    All,
}

impl Content {
    /// Whether a revision that has this path contains it for a run: a directory, or a file that can be read.
    pub(crate) fn can_have(self, path: &Path) -> bool {
        path.extension().is_none() || self.has(path.as_os_str().as_encoded_bytes())
    }

    /// Whether a file is written.
    fn has(self, path: &[u8]) -> bool {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let is_manifest = || {
            MANIFEST_EXTENSIONS.iter().any(|extension| {
                name.strip_suffix(extension.as_bytes()).is_some_and(|before| before.ends_with(b"."))
            })
        };
        matches!(self, Self::All)
            || NAMES.iter().any(|known| known.as_bytes() == name)
            || is_manifest()
    }

    /// What the files are called.
    const fn describe(self) -> &'static str {
        match self {
            Self::Manifests => "YAML and JSON files",
            Self::All => "files",
        }
    }
}

/// A revision in a temporary directory, which is removed with this value.
pub(crate) struct Revision {
    folder: Scratch,
    /// The current directory, relative to the root of the working tree.
    prefix: PathBuf,
}

impl Revision {
    /// Writes the files of a revision, such as `HEAD~1`. Neither the working tree nor its index
    /// changes.
    pub(crate) fn check_out(revision: &str, content: Content) -> Result<Self, Failure> {
        let git = Git::open()?;
        let tree = git.tree_of(revision)?.ok_or_else(|| {
            Failure::usage(
                format!("`{revision}` is not a revision of this repository"),
                "name a commit, a branch or a tag: `--git HEAD~1`, `--git origin/main`",
            )
        })?;
        let folder = Scratch::new()?;
        // Files below a directory with `.git` are read with the `.gitignore` of their directories.
        folder.add_directory(&Path::new(FILES).join(".git")).map_err(entering)?;
        let files = Files { folder: &folder, git: &git, content };
        files.write(revision, &git.entries(&tree)?)?;
        Ok(Self { folder, prefix: git.prefix().to_owned() })
    }

    /// Runs `read` in the directory of the revision that corresponds to the current one.
    pub(crate) fn within<T>(
        &self,
        read: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let current = env::current_dir().map_err(entering)?;
        let directory = Path::new(FILES).join(&self.prefix);
        // The revision may not have it yet.
        self.folder.add_directory(&directory).map_err(entering)?;
        env::set_current_dir(self.folder.path().join(directory)).map_err(entering)?;
        let result = read();
        env::set_current_dir(current).map_err(entering)?;
        result
    }
}

/// The files of a revision, and the directory in which they are written.
struct Files<'g> {
    git: &'g Git,
    folder: &'g Scratch,
    content: Content,
}

impl Files<'_> {
    fn write(&self, revision: &str, entries: &[Entry]) -> Result<(), Failure> {
        let (links, mut files): (Vec<_>, Vec<_>) = entries
            .iter()
            .filter(|entry| entry.mode != Mode::Submodule && self.content.has(&entry.path))
            .partition(|it| it.mode == Mode::Link);
        let targets = self.targets(&links)?;
        let known =
            Links::of(entries.iter().map(|entry| (entry.path.as_slice(), entry.mode)), &targets);
        let mut written = Vec::new();
        for link in &links {
            let Some(file) = known.resolve(&link.path) else {
                let path = String::from_utf8_lossy(&link.path);
                let path = visible_line(&path);
                output::complain(&format!(
                    "note: `{path}` is left out: in `{}` it is a link to no file of the revision\n",
                    visible_line(revision)
                ));
                continue;
            };
            written.push((link.path.as_slice(), file));
        }
        // A link can lead to a file that is not read by its own name.
        let linked: BTreeSet<_> = written.iter().map(|(_, file)| *file).collect();
        let is_only_linked = |entry: &&Entry| {
            entry.mode == Mode::File
                && !self.content.has(&entry.path)
                && linked.contains(entry.path.as_slice())
        };
        files.extend(entries.iter().filter(is_only_linked));
        self.write_files(&files)?;
        for (link, file) in written {
            self.link(link, file)?;
        }
        Ok(())
    }

    /// The targets of links by their paths. A long one leads to no file.
    fn targets<'e>(&self, links: &[&'e Entry]) -> Result<BTreeMap<&'e [u8], Vec<u8>>, Failure> {
        let is_short = |it: &&&Entry| it.size.is_some_and(|size| size <= LONGEST_LINK);
        let links: Vec<&Entry> = links.iter().filter(is_short).copied().collect();
        let mut targets = BTreeMap::new();
        for batch in links.chunks(BATCH / LONGEST_LINK) {
            let contents = self.git.contents(batch)?;
            targets.extend(batch.iter().map(|entry| entry.path.as_slice()).zip(contents));
        }
        Ok(targets)
    }

    /// Writes regular files, in batches.
    fn write_files(&self, files: &[&Entry]) -> Result<(), Failure> {
        let size = |entry: &Entry| entry.bytes().min(LARGEST_FILE + 1);
        let total: usize = files.iter().map(|it| size(it)).sum();
        if total > LARGEST_REVISION {
            return Err(Failure::input(
                format!(
                    "the {} of the revision exceed {LARGEST_REVISION} bytes",
                    self.content.describe()
                ),
                "compare directories: `sandboxc diff OLD NEW`",
            ));
        }
        let is_large = |it: &&Entry| it.size.is_some_and(|size| size > LARGEST_FILE);
        let (large, small): (Vec<&Entry>, Vec<&Entry>) = files.iter().copied().partition(is_large);
        for entry in large {
            // A run reports it by its size, and never reads the content.
            let created = self.folder.add_blank(&place(&entry.path)?, size(entry) as u64);
            created.map_err(|it| failed(&entry.path, it))?;
        }
        let mut rest = &small[..];
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = |entry: &&&Entry| {
                bytes += size(entry) + 1;
                bytes <= BATCH
            };
            let (batch, after) = rest.split_at(rest.iter().take_while(fits).count().max(1));
            for (entry, content) in batch.iter().zip(self.git.contents(batch)?) {
                let mut file = self.create(&entry.path)?;
                file.write_all(&content).map_err(|it| failed(&entry.path, it))?;
            }
            rest = after;
        }
        Ok(())
    }

    /// Creates a file, and the directories that it is in.
    fn create(&self, path: &[u8]) -> Result<File, Failure> {
        self.folder.add_file(&place(path)?).map_err(|source| failed(path, source))
    }

    /// Creates a link to a regular file that was written.
    fn link(&self, path: &[u8], file: &[u8]) -> Result<(), Failure> {
        let (link, file) = (place(path)?, place(file)?);
        self.folder.add_link(&link, &file).map_err(|source| failed(path, source))
    }
}

/// The path of a file in the temporary directory.
fn place(path: &[u8]) -> Result<PathBuf, Failure> {
    let name = name_of(path).ok_or_else(|| {
        Failure::input(
            format!(
                "the revision has a file with the invalid name `{}`",
                String::from_utf8_lossy(path)
            ),
            "remove it from the history: git itself would not check it out",
        )
    })?;
    Ok(Path::new(FILES).join(name))
}

fn entering(source: io::Error) -> Failure {
    Failure::Stream { action: "change the directory", source }
}

fn failed(path: &[u8], source: io::Error) -> Failure {
    let path = PathBuf::from(String::from_utf8_lossy(path).into_owned());
    Failure::File { action: "write a copy of", path, source }
}

/// The path of a tree as one of the file system, if each part is the plain name of a file.
fn name_of(path: &[u8]) -> Option<PathBuf> {
    let is_plain = |part: &[u8]| {
        !matches!(part, b"" | b"." | b"..")
            && !part.eq_ignore_ascii_case(b".git")
            && (cfg!(unix) || !part.iter().any(|it| br#"\:*?"<>|"#.contains(it)))
    };
    path.split(|it| *it == b'/').all(is_plain).then(|| native(path)).flatten()
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere, not all bytes are a path")]
fn native(path: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(std::ffi::OsStr::from_bytes(path).into())
}

#[cfg(not(unix))]
fn native(path: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(path).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_invalid() {
        for path in
            ["../a.yaml", "a/../../b.yaml", "/a.yaml", "a//b.yaml", "./a.yaml", ".GIT/a.yaml"]
        {
            assert_eq!(name_of(path.as_bytes()), None, "{path}");
        }
        assert_eq!(name_of(b"a/b c.yaml"), Some(PathBuf::from("a/b c.yaml")));
    }
}
