//! Where a path leads, without a way out of the directory that the input cannot leave.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use cap_std::fs::Dir;

use crate::cli::failure::Failure;
use crate::cli::projects::{directory_of, relative};
use sandboxc_files::{Root, strip_directory, without_dots, working_directory};

/// The directory that belongs to git, or the file that leads to it.
const GIT: &str = ".git";

/// A file or directory, which may not exist yet.
#[derive(Clone, Debug)]
pub(super) struct Destination {
    pub(super) folder: Folder,
    /// The directories below the folder that do not exist yet.
    pub(super) missing: PathBuf,
    /// The name; `None` for the root itself.
    pub(super) name: Option<OsString>,
    /// The path as the user wrote it.
    pub(super) shown: PathBuf,
}

/// A directory that exists.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    root: Rc<Root>,
    /// The path from the root, without links.
    below: PathBuf,
}

/// What a path comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Origin<'o> {
    /// The command line: a link at the end is followed if it stays inside.
    CommandLine,
    /// A directory in which the file was found: a link at the end is not followed.
    Directory,
    /// A file of the input, in this directory. Neither is a link at the end followed, nor does the path leave
    /// the root of that directory.
    Input(&'o Path),
}

/// Finds places.
pub(in crate::cli) struct Places {
    /// The working directory, without links.
    current: PathBuf,
    /// The directories of the inputs that the command line names, without links.
    inputs: Vec<PathBuf>,
}

impl Places {
    /// For a run with these inputs.
    pub(in crate::cli) fn of(inputs: &[PathBuf]) -> Self {
        let current = working_directory();
        let directories = inputs.iter().filter_map(|input| fs::canonicalize(input).ok());
        let inputs = directories.filter(|it| it.is_dir()).collect();
        Self { current, inputs }
    }

    /// Whether no input contains a path, so that the command line alone leads to it.
    pub(super) fn is_elsewhere(&self, path: &Path) -> bool {
        let parent = fs::canonicalize(directory_of(path));
        parent.and_then(|it| self.limit_at(&it)).is_ok_and(|it| it.is_none())
    }

    /// The place of a file, and its name there.
    pub(super) fn find_file(
        &self,
        path: &Path,
        origin: Origin<'_>,
    ) -> Result<(Destination, OsString), Failure> {
        let place = self.find(path, origin)?;
        match place.name.clone() {
            Some(name) => Ok((place, name)),
            None => Err(Failure::file("write", path)(io::ErrorKind::IsADirectory.into())),
        }
    }

    /// The place of a directory that the command line names.
    pub(super) fn find_directory(&self, path: &Path) -> Result<Destination, Failure> {
        self.find(path, Origin::CommandLine)
    }

    fn find(&self, path: &Path, origin: Origin<'_>) -> Result<Destination, Failure> {
        let failed = |error| Failure::file("write", path)(error);
        let found = match origin {
            Origin::CommandLine | Origin::Directory => self.root_of(path),
            Origin::Input(directory) => self.below_input(path, directory),
        };
        let (root, below) = found.map_err(failed)?;
        let name = below.file_name();
        let parent = below.parent().filter(|_| name.is_some()).unwrap_or(&below);
        let Reached { directory, missing } = self.walk(&root, parent, path)?;
        let mut place = Destination {
            folder: Folder { root, below: directory },
            missing,
            name: name.map(OsStr::to_owned),
            shown: path.to_owned(),
        };
        if name.is_some_and(|it| it.eq_ignore_ascii_case(GIT)) {
            return Err(failed(io::Error::other("it belongs to git")));
        }
        if name.is_none() && place.missing.as_os_str().is_empty() {
            // `.` and `..` lead to a directory that has a name.
            place.name = place.folder.below.file_name().map(OsStr::to_owned);
            place.folder.below.pop();
        }
        let Some(link) = place.link().map_err(failed)? else { return Ok(place) };
        let root = &place.folder.root;
        if origin != Origin::CommandLine {
            let why = "only a link that the command line names is followed";
            return Err(self.refused(path, &link, root, why));
        }
        let target = self.follow(root, &link, path)?;
        target.parent().unwrap_or(Path::new("")).clone_into(&mut place.folder.below);
        place.name = target.file_name().map(OsStr::to_owned);
        Ok(place)
    }

    /// The root of a directory, and the path below it that a file in the directory names. Without links, it
    /// starts in the working directory.
    fn below_input(&self, path: &Path, directory: &Path) -> io::Result<(Rc<Root>, PathBuf)> {
        let real = fs::canonicalize(directory)?;
        let limit = self.limit_at(&real)?;
        let root = limit.map_or_else(|| Root::at(&real), Ok)?;
        let absolute = match path.strip_prefix(directory) {
            Ok(rest) => real.join(rest),
            Err(_) => without_dots(&self.current.join(path)),
        };
        let below = absolute.strip_prefix(root.path()).map(Path::to_owned);
        let below = below.map_err(|_| root.outside())?;
        Ok((Rc::new(root), below))
    }

    /// The directory that a path cannot leave, and the path below it. Links above it are followed: no
    /// input contains them.
    fn root_of(&self, path: &Path) -> io::Result<(Rc<Root>, PathBuf)> {
        let mut parts = strip_directory(path, &self.current).components().peekable();
        let mut reached = self.current.clone();
        let mut limit = self.limit_at(&reached)?;
        while let Some(part) = parts.peek() {
            match part {
                Component::Prefix(_) | Component::RootDir => reached.push(part),
                Component::CurDir => {}
                Component::ParentDir => {
                    reached.pop();
                }
                Component::Normal(name) => {
                    let next = reached.join(name);
                    if limit.is_some() && next.is_symlink() {
                        break;
                    }
                    match fs::canonicalize(&next) {
                        Ok(directory) if directory.is_dir() => reached = directory,
                        // The name of a file, to which the command line alone leads.
                        Ok(file) if limit.is_none() => {
                            let parent = file.parent().unwrap_or(&reached);
                            let name = file.file_name().unwrap_or_default();
                            return Ok((Rc::new(Root::at(parent)?), name.into()));
                        }
                        _ => break,
                    }
                }
            }
            parts.next();
            limit = self.limit_at(&reached)?;
        }
        let rest: PathBuf = parts.collect();
        let Some(root) = limit else { return Self::unlimited(&reached, rest) };
        let below = strip_directory(&reached, root.path()).join(rest);
        Ok((Rc::new(root), below))
    }

    /// The root of a path that no input contains: the parent directory, so that a directory can be exchanged.
    fn unlimited(reached: &Path, rest: PathBuf) -> io::Result<(Rc<Root>, PathBuf)> {
        match (reached.parent(), reached.file_name()) {
            (Some(parent), Some(name)) if rest.as_os_str().is_empty() => {
                Ok((Rc::new(Root::at(parent)?), name.into()))
            }
            _ => Ok((Rc::new(Root::at(reached)?), rest)),
        }
    }

    /// The root that contains a directory without links: its repository, its project, the working directory or
    /// an input.
    fn limit_at(&self, directory: &Path) -> io::Result<Option<Root>> {
        if let Some(root) = Root::enclosing(directory)? {
            return Ok(Some(root));
        }
        // The root of the file system would be no limit.
        let is_limit = |it: &&PathBuf| it.parent().is_some() && directory.starts_with(it);
        let all = self.inputs.iter().chain([&self.current]);
        let innermost = all.filter(is_limit).max_by_key(|directory| directory.components().count());
        innermost.map(|it| Root::at(it)).transpose()
    }

    /// Follows a path from a root as far as there are directories.
    fn walk(&self, root: &Rc<Root>, below: &Path, path: &Path) -> Result<Reached, Failure> {
        let failed = |error| Failure::file("write", path)(error);
        let (mut directory, mut missing) = (PathBuf::new(), PathBuf::new());
        for part in below.components() {
            let name = match part {
                Component::Normal(name) => name,
                Component::CurDir => continue,
                _ if missing.as_os_str().is_empty() && directory.pop() => continue,
                _ => {
                    return Err(failed(root.outside()));
                }
            };
            if name.eq_ignore_ascii_case(GIT) {
                return Err(failed(io::Error::other("it belongs to git")));
            }
            if !missing.as_os_str().is_empty() {
                missing.push(name);
                continue;
            }
            let next = directory.join(name);
            match root.handle().symlink_metadata(&next) {
                Ok(found) if found.is_dir() => directory = next,
                Ok(found) if found.is_symlink() => {
                    directory = self.follow(root, &next, path)?;
                    let target = root.handle().symlink_metadata(&directory).map_err(failed)?;
                    if !target.is_dir() {
                        return Err(failed(io::ErrorKind::NotADirectory.into()));
                    }
                }
                Ok(_) => return Err(failed(io::ErrorKind::NotADirectory.into())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(name),
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(Reached { directory, missing })
    }

    /// The target of a link below a root, without links.
    fn follow(&self, root: &Root, link: &Path, path: &Path) -> Result<PathBuf, Failure> {
        root.resolve(link).map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "it does not exist".to_owned(),
                _ => error.to_string(),
            };
            self.refused(path, link, root, &why)
        })
    }

    /// The failure for a link that is not followed.
    fn refused(&self, path: &Path, link: &Path, root: &Root, why: &str) -> Failure {
        let target = root.handle().read_link_contents(link).unwrap_or_default();
        let link = relative(&root.path().join(link), &self.current);
        let [path, link, target] = [path, &link, &target].map(|path| path.display().to_string());
        Failure::usage(
            format!("cannot write `{path}`: `{link}` is a link to `{target}`: {why}"),
            "remove the link, or name the file or directory that is to be written; nothing was written",
        )
    }
}

/// The part of a path that exists, without links, and the rest of it.
struct Reached {
    directory: PathBuf,
    missing: PathBuf,
}

impl Destination {
    /// Its path from the root, if it is a link.
    fn link(&self) -> io::Result<Option<PathBuf>> {
        let Some(name) = self.name.as_ref().filter(|_| self.missing.as_os_str().is_empty()) else {
            return Ok(None);
        };
        let at = self.folder.below.join(name);
        match self.folder.root.handle().symlink_metadata(&at) {
            Ok(found) => Ok(found.is_symlink().then_some(at)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The path without links.
    pub(super) fn path(&self) -> PathBuf {
        let folder = self.path_of_directory();
        self.name.as_ref().map_or_else(|| folder.clone(), |it| folder.join(it))
    }

    /// The path of the directory that contains it, without links.
    pub(super) fn path_of_directory(&self) -> PathBuf {
        self.folder.path().join(&self.missing)
    }

    /// Opens it as a directory.
    pub(super) fn open(&self) -> io::Result<Dir> {
        if !self.missing.as_os_str().is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let parent = self.folder.open()?;
        let Some(name) = &self.name else { return Ok(parent) };
        // A link that has replaced it is not followed.
        if !parent.symlink_metadata(name)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        parent.open_dir(name)
    }

    /// Opens the directory that contains it, and creates that if necessary.
    pub(super) fn enter(&self) -> io::Result<Dir> {
        let mut directory = self.folder.open()?;
        for part in self.missing.components() {
            match directory.create_dir(part) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => directory = directory.open_dir(part)?,
            }
        }
        Ok(directory)
    }
}

impl Folder {
    /// Opens it beneath its root, so that no link that has replaced it leads out.
    pub(super) fn open(&self) -> io::Result<Dir> {
        if self.below.as_os_str().is_empty() {
            return self.root.handle().try_clone();
        }
        self.root.handle().open_dir(&self.below)
    }

    /// The path without links.
    pub(super) fn path(&self) -> PathBuf {
        self.root.path().join(&self.below)
    }
}
