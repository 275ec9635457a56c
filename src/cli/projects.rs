//! The Project of a run, as the command line selects it.

use std::path::{Path, PathBuf};

use sandboxc::{Choice, PROJECT_FILE, Roots};

use super::arguments::Options;
use super::failure::Failure;
use sandboxc_files::{Kind, current_directory, is_project_root, kind_of_named};

/// Reads `--project` and `--no-project`.
pub(crate) fn choice_of(options: &Options) -> Result<Choice, Failure> {
    let Some(path) = &options.project else {
        return Ok(if options.no_project { Choice::None } else { Choice::Nearest });
    };
    let is_directory = kind_of_named(path).is_ok_and(|kind| kind == Kind::Directory);
    let file = if is_directory { path.join(PROJECT_FILE) } else { path.clone() };
    match kind_of_named(&file) {
        Ok(_) => Ok(Choice::File(file)),
        Err(error) => Err(Failure::file("read", &file)(error)),
    }
}

/// The directory that a command without inputs reads.
pub(crate) fn default_directory(choice: &Choice) -> Result<PathBuf, Failure> {
    match choice {
        Choice::Nearest => {
            let current = current_directory();
            nearest_root(&current).map(|root| relative(&root, &current)).ok_or_else(|| {
                Failure::usage(
                    format!("no input, and no `{PROJECT_FILE}` in this directory or above"),
                    "name files or directories, or write `-` for standard input",
                )
            })
        }
        Choice::File(file) => Ok(directory_of(file)),
        Choice::None => Err(Failure::usage(
            "`--no-project` without an input",
            "name files or directories: `sandboxc check --no-project .`",
        )),
    }
}

/// The nearest directory with a `sandboxc.yaml`, at or above a canonical directory.
pub(crate) fn nearest_root(directory: &Path) -> Option<PathBuf> {
    Roots::default().nearest(directory, is_project_root)
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
    use super::*;

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
