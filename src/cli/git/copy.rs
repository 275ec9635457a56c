//! A directory for git, with the references of a repository and nothing else of it.
//!
//! Only regular files are copied, so a link leads nowhere and a pipe is not waited for.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use super::repository::Repository;
use crate::cli::writing::Scratch;
use sandboxc_files::{Entry, Kind, Root, resolved};

/// The copy of the directory that all working trees share.
const COMMON: &str = "git";

/// Directories with references, and with what they were before.
const OF_REFERENCES: [&str; 3] = ["refs", "reftable", "logs"];

/// Files with references, and the commits whose parents a shallow clone does not have.
const FILES: [&str; 2] = ["packed-refs", "shallow"];

/// The file that names repositories from which objects are borrowed.
const ALTERNATES: &str = "objects/info/alternates";

/// The maximum length of the configuration, in bytes.
const LONGEST_CONFIGURATION: u64 = 1 << 20;

/// The maximum size of all references of a repository, in bytes.
const REFERENCE_BYTES: u64 = 512 << 20;

/// The maximum number of files and directories with references.
const MOST_FILES: usize = 500_000;

/// The maximum number of directories in each other.
const LEVELS: usize = 100;

/// The copy.
pub(super) struct Copied<'h> {
    home: &'h Scratch,
    /// The directory for git, which is that of a working tree.
    pub(super) directory: PathBuf,
    /// The configuration of the repository, which is not copied.
    pub(super) configuration: Vec<u8>,
}

impl<'h> Copied<'h> {
    /// Copies the references of a repository into a new directory in `home`.
    pub(super) fn of(repository: &Repository, home: &'h Scratch) -> io::Result<Self> {
        let common = Root::at(&repository.common)?;
        check_objects(&common)?;
        let mut copy = Copy { home, files: MOST_FILES, bytes: REFERENCE_BYTES };
        copy.references(&common, Path::new(COMMON))?;
        let mut directory = PathBuf::from(COMMON);
        if repository.own != repository.common {
            directory.push("worktrees/own");
            copy.references(&Root::at(&repository.own)?, &directory)?;
            home.write(&directory.join("commondir"), b"../..\n")?;
        }
        let configuration = common.read_short(Path::new("config"), LONGEST_CONFIGURATION)?;
        let copied = Self { home, directory: home.path().join(directory), configuration };
        copied.configure(&[])?;
        Ok(copied)
    }

    /// Writes the configuration, with extensions from `extension`.
    pub(super) fn configure(&self, extensions: &[(String, String)]) -> io::Result<()> {
        let mut text =
            "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n".to_owned();
        for (name, value) in extensions {
            text.extend(["\t", name, " = ", value, "\n"]);
        }
        self.home.write(&Path::new(COMMON).join("config"), text.as_bytes())
    }
}

/// The name of a setting without its section, if it says how objects or references are stored.
pub(super) fn extension<'n>(name: &'n str, value: &str) -> Option<&'n str> {
    let known = [
        ("extensions.objectformat", &["sha1", "sha256"]),
        ("extensions.refstorage", &["files", "reftable"]),
    ];
    let is_known = known.iter().any(|(key, values)| *key == name && values.contains(&value));
    is_known.then(|| name.strip_prefix("extensions.")).flatten()
}

/// The copying of references.
struct Copy<'h> {
    home: &'h Scratch,
    /// The number of files and directories that may still be copied.
    files: usize,
    /// The number of bytes that may still be copied.
    bytes: u64,
}

impl Copy<'_> {
    /// Copies the references in a directory of git.
    fn references(&mut self, from: &Root, to: &Path) -> io::Result<()> {
        for name in ["refs", "objects"] {
            self.home.add_directory(&to.join(name))?;
        }
        // git does not work in a directory without it.
        self.home.write(&to.join("HEAD"), b"ref: refs/heads/.invalid\n")?;
        for Entry { name, kind } in from.list(Path::new(""))? {
            let (below, name) = (Path::new(&name), name.to_string_lossy());
            if kind == Kind::File && (name.ends_with("HEAD") || FILES.contains(&&*name)) {
                self.file(from, below, to)?;
            } else if kind == Kind::Directory && OF_REFERENCES.contains(&&*name) {
                self.directory(from, below, to, LEVELS)?;
            }
        }
        Ok(())
    }

    fn directory(&mut self, from: &Root, below: &Path, to: &Path, levels: usize) -> io::Result<()> {
        let too_many = || io::Error::other(format!("`{}` has too many files", below.display()));
        let levels = levels.checked_sub(1).ok_or_else(too_many)?;
        self.home.add_directory(&to.join(below))?;
        for Entry { name, kind } in from.list(below)? {
            self.files = self.files.checked_sub(1).ok_or_else(too_many)?;
            match kind {
                Kind::File => self.file(from, &below.join(name), to)?,
                Kind::Directory => self.directory(from, &below.join(name), to, levels)?,
                Kind::Link | Kind::Other => {}
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &Root, below: &Path, to: &Path) -> io::Result<()> {
        let content = from.read_short(below, self.bytes)?;
        self.bytes = self.bytes.saturating_sub(content.len() as u64);
        self.home.write(&to.join(below), &content)
    }
}

/// Checks that the objects of a repository are in it. Otherwise its references could show those of another one.
fn check_objects(common: &Root) -> io::Result<()> {
    let objects = Path::new("objects");
    if common.kind(objects)? != Kind::Directory {
        return Err(outside(common, objects));
    }
    for Entry { name, kind } in common.list(objects)? {
        let directory = objects.join(name);
        check_kind(common, &directory, kind)?;
        if kind == Kind::Directory {
            for Entry { name, kind } in common.list(&directory)? {
                check_kind(common, &directory.join(name), kind)?;
            }
        }
    }
    if common.has(Path::new(ALTERNATES)) { check_alternates(common) } else { Ok(()) }
}

/// Rejects a link, a pipe and a device.
fn check_kind(root: &Root, path: &Path, kind: Kind) -> io::Result<()> {
    match kind {
        Kind::File | Kind::Directory => Ok(()),
        Kind::Link | Kind::Other => Err(outside(root, path)),
    }
}

/// Checks that the environment names the directories from which a repository borrows objects.
fn check_alternates(common: &Root) -> io::Result<()> {
    let variable = env::var_os("GIT_ALTERNATE_OBJECT_DIRECTORIES");
    let named = variable.iter().flat_map(env::split_paths);
    let trusted: Vec<_> = named.flat_map(|path| resolved(&path)).collect();
    let text = common.read_short(Path::new(ALTERNATES), LONGEST_CONFIGURATION)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let objects = common.place(Path::new("objects"));
    let mut directories = lines.map(|line| resolved(&objects.join(line)));
    if directories.all(|found| found.is_ok_and(|directory| trusted.contains(&directory))) {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "`{}` names objects of another repository; `git repack -a -d` copies them, and \
         `GIT_ALTERNATE_OBJECT_DIRECTORIES` allows directories",
        common.place(Path::new(ALTERNATES)).display()
    )))
}

fn outside(root: &Root, path: &Path) -> io::Error {
    let text = format!("`{}` is neither a file nor a directory", root.place(path).display());
    io::Error::other(text)
}
