//! A directory that input cannot leave.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use crate::cli::projects::is_root;

/// The directory that belongs to git. It can contain credentials, and is never input.
const GIT: &str = ".git";

/// A directory with a handle, below which paths are resolved: neither `..` nor a link leads out of it.
#[derive(Debug)]
pub(in crate::cli) struct Root {
    /// Its canonical path.
    path: PathBuf,
    extent: Extent,
    handle: Dir,
}

/// What the directory of a root is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Repository,
    Project,
    Directory,
}

impl Root {
    /// Opens the root for what a directory contains or names: its git repository, or else its project,
    /// or else the directory itself.
    pub(in crate::cli) fn around(directory: &Path) -> io::Result<Self> {
        let directory = fs::canonicalize(directory)?;
        // The root of the file system would be no limit.
        let above = || directory.ancestors().filter(|it| it.parent().is_some());
        let of_repository = above().find(|it| it.join(GIT).exists());
        let of_project = || above().find(|it| is_root(it));
        let (path, extent) = match of_repository {
            Some(path) => (path, Extent::Repository),
            None => match of_project() {
                Some(path) => (path, Extent::Project),
                None => (directory.as_path(), Extent::Directory),
            },
        };
        let handle = Dir::open_ambient_dir(path, ambient_authority())?;
        Ok(Self { path: path.to_owned(), extent, handle })
    }

    /// The path of a file or directory from this root, without links. It must exist. A relative path starts at
    /// the root.
    pub(in crate::cli) fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let below = path.strip_prefix(&self.path).unwrap_or(path);
        let resolved = match self.handle.canonicalize(below) {
            // The target of a link can be an absolute path that is below the root.
            Err(error) if is_escape(&error) && cfg!(unix) => {
                let target = fs::canonicalize(self.path.join(below))?;
                target.strip_prefix(&self.path).map_err(|_| self.outside())?.to_owned()
            }
            Err(error) if is_escape(&error) => return Err(self.outside()),
            other => other?,
        };
        let is_git = |it: Component<'_>| it.as_os_str().eq_ignore_ascii_case(GIT);
        if resolved.components().any(is_git) {
            return Err(io::Error::other("it belongs to git"));
        }
        Ok(resolved)
    }

    /// Opens a regular file to read it, by its path or one from this root. Nothing else is opened: a pipe would
    /// wait, and a device has no end.
    pub(in crate::cli) fn open(&self, path: &Path) -> io::Result<File> {
        self.open_resolved(&self.resolve(path)?)
    }

    /// Like `open`, with a path that contains no links, so that it need not be resolved again.
    pub(in crate::cli) fn open_resolved(&self, path: &Path) -> io::Result<File> {
        let below = path.strip_prefix(&self.path).unwrap_or(path);
        let mut options = OpenOptions::new();
        options.read(true);
        without_waiting(&mut options);
        let opened = self.handle.open_with(below, &options);
        let file =
            opened.map_err(|it| if is_escape(&it) { self.outside() } else { it })?.into_std();
        match file.metadata()? {
            it if it.is_file() => Ok(file),
            it if it.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            _ => Err(io::Error::other("it is not a regular file")),
        }
    }

    fn outside(&self) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, Outside(self.extent))
    }
}

/// The error of a path that leads out of a root.
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

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read as _;
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
        assert_eq!(root.path, path);
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
