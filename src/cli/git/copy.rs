//! A directory for git, with the references of a repository and nothing else of it.
//!
//! Only regular files are copied, so a link leads nowhere and a pipe is not waited for.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::repository::Repository;

/// Directories with references, and with what they were before.
const OF_REFERENCES: [&str; 3] = ["refs", "reftable", "logs"];

/// Files with references, and the commits whose parents a shallow clone does not have.
const FILES: [&str; 2] = ["packed-refs", "shallow"];

/// The maximum length of the configuration, in bytes.
const LONGEST_CONFIGURATION: u64 = 1 << 20;

/// The maximum size of all references of a repository, in bytes.
const REFERENCE_BYTES: u64 = 512 << 20;

/// The maximum number of files and directories with references.
const MOST_FILES: usize = 500_000;

/// The maximum number of directories in each other.
const LEVELS: usize = 100;

/// The copy.
pub(super) struct Copied {
    /// The directory for git, which is that of a working tree.
    pub(super) directory: PathBuf,
    /// The directory with the configuration.
    common: PathBuf,
    /// The configuration of the repository, which is not copied.
    pub(super) configuration: Vec<u8>,
}

impl Copied {
    /// Copies the references of a repository into a new directory in `home`.
    pub(super) fn of(repository: &Repository, home: &Path) -> io::Result<Self> {
        check_objects(&repository.common.join("objects"))?;
        let common = home.join("git");
        let mut budget = Budget { files: MOST_FILES, bytes: REFERENCE_BYTES };
        budget.copy(&repository.common, &common)?;
        let mut directory = common.clone();
        if repository.own != repository.common {
            directory = common.join("worktrees").join("own");
            budget.copy(&repository.own, &directory)?;
            fs::write(directory.join("commondir"), "../..\n")?;
        }
        let configuration = regular(&repository.common.join("config"), LONGEST_CONFIGURATION)?;
        let copied = Self { directory, common, configuration };
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
        fs::write(self.common.join("config"), text)
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

/// What may still be copied.
struct Budget {
    files: usize,
    bytes: u64,
}

impl Budget {
    /// Copies the references in a directory of git.
    fn copy(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        for name in ["refs", "objects"] {
            fs::create_dir_all(to.join(name))?;
        }
        // git does not work in a directory without it.
        fs::write(to.join("HEAD"), "ref: refs/heads/.invalid\n")?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let file = entry.file_name();
            let (kind, name) = (entry.file_type()?, file.to_string_lossy());
            if kind.is_file() && (name.ends_with("HEAD") || FILES.contains(&&*name)) {
                self.file(&entry.path(), &to.join(&file))?;
            } else if kind.is_dir() && OF_REFERENCES.contains(&&*name) {
                self.directory(&entry.path(), &to.join(&file), LEVELS)?;
            }
        }
        Ok(())
    }

    fn directory(&mut self, from: &Path, to: &Path, levels: usize) -> io::Result<()> {
        let levels = levels.checked_sub(1).ok_or_else(|| too_much(from))?;
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            self.files = self.files.checked_sub(1).ok_or_else(|| too_much(from))?;
            let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
            if kind.is_file() {
                self.file(&entry.path(), &target)?;
            } else if kind.is_dir() {
                self.directory(&entry.path(), &target, levels)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let content = regular(from, self.bytes)?;
        self.bytes -= u64::try_from(content.len()).unwrap_or(self.bytes);
        fs::write(to, content)
    }
}

/// The content of a regular file of limited size.
fn regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() || metadata.len() > most {
        return Err(too_much(path));
    }
    let mut content = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut content)?;
    Ok(content)
}

/// Checks that the objects of a repository are in it. Otherwise its references could show those of another one.
fn check_objects(objects: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(objects)?.is_dir() {
        return Err(outside(objects));
    }
    for entry in fs::read_dir(objects)? {
        let directory = entry?.path();
        if !fs::symlink_metadata(&directory)?.is_dir() {
            check_kind(&directory)?;
            continue;
        }
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            if !entry.file_type()?.is_file() {
                check_kind(&entry.path())?;
            }
        }
    }
    let alternates = objects.join("info").join("alternates");
    if alternates.exists() { check_alternates(objects, &alternates) } else { Ok(()) }
}

/// Rejects a link, a pipe and a device.
fn check_kind(path: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_file() || kind.is_dir() { Ok(()) } else { Err(outside(path)) }
}

/// Checks that the environment names the directories from which a repository borrows objects.
fn check_alternates(objects: &Path, file: &Path) -> io::Result<()> {
    let variable = env::var_os("GIT_ALTERNATE_OBJECT_DIRECTORIES").unwrap_or_default();
    let trusted: Vec<_> =
        env::split_paths(&variable).filter_map(|it| it.canonicalize().ok()).collect();
    let text = regular(file, LONGEST_CONFIGURATION)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter(|it| !it.is_empty() && !it.starts_with('#'));
    let mut directories = lines.map(|it| objects.join(it).canonicalize());
    if directories.all(|it| it.is_ok_and(|it| trusted.contains(&it))) {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "`{}` names objects of another repository; `git repack -a -d` copies them, and \
         `GIT_ALTERNATE_OBJECT_DIRECTORIES` allows directories",
        file.display()
    )))
}

fn outside(path: &Path) -> io::Error {
    io::Error::other(format!("`{}` is neither a file nor a directory", path.display()))
}

fn too_much(path: &Path) -> io::Error {
    io::Error::other(format!("`{}` is not a file, or too large", path.display()))
}
