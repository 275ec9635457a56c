//! Finds the Project of each input: the nearest `sandboxc.yaml` at or above its directory.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use sandboxc::PROJECT_FILE;

use super::arguments::Options;
use super::failure::Failure;
use sandboxc_files::{Kind, is_project_root, kind_of_named};

/// The Project that the command line selects.
pub(crate) enum Choice {
    /// The nearest one of each input.
    Nearest,
    /// That of a file, for all inputs.
    File(PathBuf),
    /// None.
    None,
}

impl Choice {
    /// Reads `--project` and `--no-project`.
    pub(crate) fn of(options: &Options) -> Result<Self, Failure> {
        let Some(path) = &options.project else {
            return Ok(if options.no_project { Self::None } else { Self::Nearest });
        };
        let is_directory = kind_of_named(path).is_ok_and(|it| it == Kind::Directory);
        let file = if is_directory { path.join(PROJECT_FILE) } else { path.clone() };
        match kind_of_named(&file) {
            Ok(_) => Ok(Self::File(file)),
            Err(error) => Err(Failure::file("read", &file)(error)),
        }
    }

    /// The directory that a command without inputs reads.
    pub(crate) fn directory(&self) -> Result<PathBuf, Failure> {
        match self {
            Self::Nearest => {
                let current = env::current_dir().unwrap_or_default();
                let root = Roots::default().of(&current);
                root.map(|it| relative(&it, &current)).ok_or_else(|| {
                    Failure::usage(
                        format!("no input, and no `{PROJECT_FILE}` in this directory or above"),
                        "name files or directories, or write `-` for standard input",
                    )
                })
            }
            Self::File(file) => Ok(directory_of(file)),
            Self::None => Err(Failure::usage(
                "`--no-project` without an input",
                "name files or directories: `sandboxc check --no-project .`",
            )),
        }
    }
}

/// The root directories of projects, by the directories below them. All are canonical.
#[derive(Default)]
pub(crate) struct Roots {
    known: BTreeMap<PathBuf, Option<PathBuf>>,
}

impl Roots {
    /// The nearest directory with a `sandboxc.yaml`, at or above a directory.
    pub(crate) fn of(&mut self, directory: &Path) -> Option<PathBuf> {
        let mut passed = Vec::new();
        let mut found = None;
        for ancestor in directory.ancestors() {
            if let Some(known) = self.known.get(ancestor) {
                found.clone_from(known);
                break;
            }
            passed.push(ancestor);
            if is_project_root(ancestor) {
                found = Some(ancestor.to_owned());
                break;
            }
        }
        for directory in passed {
            self.known.insert(directory.to_owned(), found.clone());
        }
        found
    }
}

/// The directory of a file, as the user would write it.
pub(crate) fn directory_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// `path` as the user would write it in the directory `current`: relative if it is an ancestor or
/// below, else absolute.
pub(crate) fn relative(path: &Path, current: &Path) -> PathBuf {
    let mut up = PathBuf::new();
    for ancestor in current.ancestors() {
        if let Ok(rest) = path.strip_prefix(ancestor) {
            let relative = up.join(rest);
            return if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative };
        }
        up.push("..");
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_root_is_found_once_for_all_directories_below() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        for (directory, has_project) in
            [("a/b", false), ("a/c", true), ("a/c/d/e", false), ("", true)]
        {
            let directory = root.join(directory);
            fs::create_dir_all(&directory).unwrap();
            if has_project {
                fs::write(directory.join(PROJECT_FILE), "").unwrap();
            }
        }
        let mut roots = Roots::default();
        for (directory, expected) in [("a/b", ""), ("a/c/d/e", "a/c"), ("a/c/d", "a/c"), ("a", "")]
        {
            assert_eq!(roots.of(&root.join(directory)), Some(root.join(expected)), "{directory}");
        }
        assert_eq!(roots.known.len(), 6);
    }

    #[test]
    fn a_path_is_shown_as_it_would_be_written() {
        for (path, current, expected) in [
            ("/a/b", "/a/b", "."),
            ("/a/b/c", "/a/b", "c"),
            ("/a", "/a/b/c", "../.."),
            ("/a/x", "/a/b", "../x"),
            ("/x", "/a/b", "../../x"),
        ] {
            assert_eq!(relative(Path::new(path), Path::new(current)), Path::new(expected));
        }
    }
}
