//! A directory that input cannot leave.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, OpenOptions};

use sandboxc_syntax::source::PROJECT_FILE;

use super::named::strip_directory;

/// The directory that belongs to git. It can contain credentials, and is never input.
pub(super) const GIT: &str = ".git";

/// A directory with a handle, below which paths are resolved: neither `..` nor a link leads out of it.
#[derive(Debug)]
pub struct Root {
    /// Its canonical path.
    path: PathBuf,
    extent: Extent,
    handle: Dir,
}

/// What the directory of a root is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    Repository,
    Project,
    Directory,
}

impl Root {
    /// Opens the root for what a directory contains or names: its git repository, or else its project,
    /// or else the directory itself.
    pub fn around(directory: &Path) -> io::Result<Self> {
        let directory = fs::canonicalize(directory)?;
        let (path, extent) = match limit_around(&directory) {
            Some((path, extent)) => (path.to_owned(), extent),
            None => (directory, Extent::Directory),
        };
        Self::open_directory(path, extent)
    }

    /// Opens a directory as the root of what it contains, whatever is around it.
    pub fn at(directory: &Path) -> io::Result<Self> {
        Self::open_directory(fs::canonicalize(directory)?, Extent::Directory)
    }

    fn open_directory(path: PathBuf, extent: Extent) -> io::Result<Self> {
        let handle = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok(Self { path, extent, handle })
    }

    /// Its canonical path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The canonical path of what has a path from this root without links.
    pub fn place(&self, below: &Path) -> PathBuf {
        if below.as_os_str().is_empty() { self.path.clone() } else { self.path.join(below) }
    }

    /// Opens the git repository or the project that contains a directory without links.
    pub fn enclosing(directory: &Path) -> io::Result<Option<Self>> {
        let root = Self::around(directory)?;
        Ok((root.extent != Extent::Directory).then_some(root))
    }

    /// The handle, below which paths are resolved.
    pub fn handle(&self) -> &Dir {
        &self.handle
    }

    /// The path of a file or directory from this root, without links. It must exist. A relative path starts at
    /// the root.
    pub fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let below = self.below(path);
        let resolved = match self.handle.canonicalize(below) {
            // The target of a link can be an absolute path that is below the root.
            Err(error) if is_escape(&error) && cfg!(unix) => {
                // Whether something exists outside is not said either.
                let target = fs::canonicalize(self.path.join(below)).map_err(|_| self.outside())?;
                target.strip_prefix(&self.path).map_err(|_| self.outside())?.to_owned()
            }
            Err(error) if is_escape(&error) => return Err(self.outside()),
            other => other?,
        };
        let is_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(GIT);
        if resolved.components().any(is_git) {
            return Err(io::Error::other("it belongs to git"));
        }
        // The handle resolves its own directory to `.`.
        Ok(if resolved == Path::new(".") { PathBuf::new() } else { resolved })
    }

    /// Opens a regular file to read it, by its path or one from this root. Nothing else is opened: a pipe would
    /// wait, and a device has no end.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        self.open_resolved(&self.resolve(path)?)
    }

    /// Like `open`, with a path that contains no links, so that it need not be resolved again.
    pub fn open_resolved(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        without_waiting(&mut options);
        let opened = self.handle.open_with(self.below(path), &options);
        let file = opened
            .map_err(|error| if is_escape(&error) { self.outside() } else { error })?
            .into_std();
        match file.metadata()? {
            metadata if metadata.is_file() => Ok(file),
            metadata if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            _ => Err(io::Error::other("it is not a regular file")),
        }
    }

    /// The content of a regular file, which is not a link, of at most `most` bytes.
    pub fn read_short(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let metadata = self.handle.symlink_metadata(self.below(path))?;
        if !metadata.is_file() || metadata.len() > most {
            let text = format!("`{}` is not a file, or too large", self.place(path).display());
            return Err(io::Error::other(text));
        }
        let mut content = Vec::new();
        self.open_resolved(path)?.take(most).read_to_end(&mut content)?;
        Ok(content)
    }

    /// What a path without links leads to.
    pub fn kind(&self, path: &Path) -> io::Result<Kind> {
        Ok(Kind::of(self.handle.symlink_metadata(self.below(path))?.file_type()))
    }

    /// The entries of a directory, sorted by name. Its path contains no links.
    pub fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in self.handle.read_dir(self.below(path))? {
            let entry = entry?;
            let (name, mut kind) = (entry.file_name(), entry.file_type()?);
            if kind == FileType::unknown() {
                // Not every file system lists what its entries are.
                kind = entry.metadata()?.file_type();
            }
            entries.push(Entry { name, kind: Kind::of(kind) });
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Whether something has this path.
    pub fn has(&self, path: &Path) -> bool {
        self.handle.symlink_metadata(self.below(path)).is_ok()
    }

    /// A path as one from this root, which a handle needs.
    fn below<'p>(&self, path: &'p Path) -> &'p Path {
        let below = strip_directory(path, &self.path);
        if below.as_os_str().is_empty() { Path::new(".") } else { below }
    }

    /// The error of a path that leads out.
    pub fn outside(&self) -> io::Error {
        outside(self.extent)
    }
}

/// An entry of a directory.
pub struct Entry {
    /// Its name in the directory.
    pub name: OsString,
    /// What it is; a link is not followed.
    pub kind: Kind,
}

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Other,
}

impl Kind {
    pub(super) fn of(kind: FileType) -> Self {
        match kind {
            _ if kind.is_file() => Self::File,
            _ if kind.is_dir() => Self::Directory,
            _ if kind.is_symlink() => Self::Link,
            _ => Self::Other,
        }
    }
}

/// The repository around a canonical directory, or else its project.
pub(super) fn limit_around(directory: &Path) -> Option<(&Path, Extent)> {
    // The root of the file system would be no limit.
    let above = || directory.ancestors().filter(|directory| directory.parent().is_some());
    let is_repository = |directory: &&Path| fs::symlink_metadata(directory.join(GIT)).is_ok();
    let repository = above().find(is_repository).map(|directory| (directory, Extent::Repository));
    let project = || above().find(|directory| is_project_root(directory));
    repository.or_else(|| project().map(|directory| (directory, Extent::Project)))
}

/// Whether a directory is the root of a project.
pub fn is_project_root(directory: &Path) -> bool {
    directory.join(PROJECT_FILE).is_file()
}

/// The error of a path that leads out of a root.
pub(super) fn outside(extent: Extent) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, Outside(extent))
}

/// The cause of the error of a path that leads out of a root.
#[derive(thiserror::Error, Debug)]
#[error("it leads out of the {}", match .0 {
    Extent::Repository => "repository",
    Extent::Project => "project",
    Extent::Directory => "directory",
})]
struct Outside(Extent);

/// Whether the handle has rejected a path. Errors of the system have a number.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

/// To open a pipe would wait for its writer.
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt as _;
    use rustix::fs::OFlags;

    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
}

#[cfg(not(unix))]
fn without_waiting(_: &mut OpenOptions) {}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A repository `inside`, with a file next to it.
    fn repository() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap().join("inside");
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join(".git/config"), "token").unwrap();
        fs::write(root.join("a/b/file"), "text").unwrap();
        fs::write(root.join("../secret"), "secret").unwrap();
        (folder, root)
    }

    fn read(root: &Root, path: &str) -> Result<String, String> {
        let mut text = String::new();
        let mut file = root.open(Path::new(path)).map_err(|it| it.to_string())?;
        file.read_to_string(&mut text).unwrap();
        Ok(text)
    }

    #[test]
    fn links_inside_are_followed() {
        let (_folder, path) = repository();
        symlink("b/../b/file", path.join("a/relative")).unwrap();
        symlink(path.join("a/b/file"), path.join("a/absolute")).unwrap();
        symlink("b", path.join("a/directory")).unwrap();
        let root = Root::around(&path.join("a")).unwrap();
        assert_eq!(root.path(), path);
        for name in ["a/b/file", "a/relative", "a/absolute", "a/directory/file", "a/../a/b/file"] {
            assert_eq!(read(&root, name).as_deref(), Ok("text"), "{name}");
            assert_eq!(root.resolve(Path::new(name)).unwrap(), Path::new("a/b/file"), "{name}");
        }
        assert_eq!(read(&root, path.join("a/b/file").to_str().unwrap()).as_deref(), Ok("text"));
    }

    #[test]
    fn nothing_leads_out() {
        let (_folder, path) = repository();
        for (name, target) in [
            ("relative", "../secret"),
            ("absolute", "/proc/self/environ"),
            ("device", "/dev/zero"),
            ("above", ".."),
            ("magic", "/proc/self/root"),
        ] {
            symlink(target, path.join(name)).unwrap();
        }
        symlink("../relative", path.join("a/twice")).unwrap();
        let root = Root::around(&path).unwrap();
        for name in [
            "relative",
            "absolute",
            "device",
            "above/secret",
            "magic/etc/passwd",
            "a/twice",
            "../secret",
            "a/../../secret",
            "/etc/passwd",
        ] {
            let error = root.open(Path::new(name)).unwrap_err();
            assert_eq!(error.to_string(), "it leads out of the repository", "{name}");
        }
    }

    #[test]
    fn only_regular_files_are_opened_and_none_of_git() {
        let (_folder, path) = repository();
        rustix::fs::mkfifoat(rustix::fs::CWD, path.join("pipe"), 0o600.into()).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path.join("socket")).unwrap();
        symlink(".git/config", path.join("link")).unwrap();
        let root = Root::around(&path).unwrap();
        for (name, expected) in [
            ("pipe", "it is not a regular file"),
            ("a", "is a directory"),
            ("link", "it belongs to git"),
            (
                ".GIT/config",
                if path.join(".GIT").exists() { "it belongs to git" } else { "No such" },
            ),
            ("a/b/none", "No such file"),
        ] {
            let error = read(&root, name).unwrap_err();
            assert!(error.starts_with(expected), "{name}: {error}");
        }
        assert!(read(&root, "socket").is_err());
    }

    #[test]
    fn without_a_repository_the_project_or_the_directory_is_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(path.join("project/deploy")).unwrap();
        fs::create_dir_all(path.join("other")).unwrap();
        fs::write(path.join("project/sandboxc.yaml"), "").unwrap();
        for (directory, expected, extent) in
            [("project/deploy", "project", Extent::Project), ("other", "other", Extent::Directory)]
        {
            let root = Root::around(&path.join(directory)).unwrap();
            assert_eq!((root.path, root.extent), (path.join(expected), extent));
        }
    }
}
