//! The paths that the command line names. They are trusted, but the links of a repository are part of its
//! content: a directory that is named, and that a change has replaced by a link, does not lead out.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::fs::Metadata;

use super::content;
use super::root::{Kind, Root, limit_around, outside};

/// Opens a file that the command line names. It can be a pipe.
pub fn open_named(path: &Path) -> io::Result<File> {
    check_links(path)?;
    File::open(path)
}

/// The content of a file that the command line names.
pub fn read_named(path: &Path) -> io::Result<Vec<u8>> {
    content::all_of(open_named(path)?)
}

/// The content of a file that a file in a directory names.
pub fn read_below(directory: &Path, path: &Path) -> io::Result<Vec<u8>> {
    let place = working_directory().join(path);
    content::all_of(Root::around(directory)?.open(&place)?)
}

/// What a path of the command line leads to.
pub fn kind_of_named(path: &Path) -> io::Result<Kind> {
    check_links(path)?;
    Ok(Kind::of(Metadata::from_just_metadata(fs::metadata(path)?).file_type()))
}

/// What a path leads to if its last part is not followed.
pub fn kind_of_entry(path: &Path) -> io::Result<Kind> {
    Ok(Kind::of(Metadata::from_just_metadata(fs::symlink_metadata(path)?).file_type()))
}

/// Whether a path of the command line is a link that is part of a repository or project.
pub fn is_link_of_input(path: &Path) -> bool {
    let is_link = fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
    let is_limited = |path: &Path| limit_around(&canonical(path)).is_some();
    is_link && working_directory().join(path).parent().is_some_and(is_limited)
}

/// Where a link leads to.
pub fn target_of_link(path: &Path) -> Option<PathBuf> {
    fs::read_link(path).ok()
}

/// The canonical path of a file or directory.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// The canonical path. A path that cannot be resolved, such as a pipe, has no second name.
pub fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The working directory, which `diff REVISION` changes, as the system names it. It is empty if it was removed:
/// paths below it stay relative.
pub fn current_directory() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

/// The canonical working directory.
pub fn working_directory() -> PathBuf {
    canonical(&current_directory())
}

/// The path below a directory. A path that is elsewhere stays as it is.
pub fn strip_directory(path: &Path, directory: impl AsRef<Path>) -> &Path {
    path.strip_prefix(directory).unwrap_or(path)
}

/// The path without `.` and `..`, as if it had no links.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            _ => plain.push(part),
        }
    }
    plain
}

/// Rejects a path on which a link leads out of the repository, or else the project, that contains the link.
fn check_links(path: &Path) -> io::Result<()> {
    let whole = working_directory().join(path);
    if fs::canonicalize(&whole).is_ok_and(|resolved| resolved == whole) {
        // No part of it is a link.
        return Ok(());
    }
    let mut reached = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(reached.pop()),
            Component::Normal(name) => {
                let next = reached.join(name);
                if !fs::symlink_metadata(&next)?.is_symlink() {
                    reached = next;
                    continue;
                }
                let target = fs::canonicalize(&next)?;
                if let Some((limit, extent)) = limit_around(&reached)
                    && !target.starts_with(limit)
                {
                    return Err(outside(extent));
                }
                reached = target;
            }
            Component::Prefix(_) | Component::RootDir => reached.push(part),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_no_dots() {
        for (path, plain) in
            [("/a/./b/../c.yaml", "/a/c.yaml"), ("/../a", "/a"), ("/a/b", "/a/b"), ("/a/..", "/")]
        {
            assert_eq!(without_dots(Path::new(path)), Path::new(plain));
        }
    }
}
