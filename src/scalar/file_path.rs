//! Paths of files as Kubernetes takes them in volumes and mounts.

use std::fmt;

/// What is wrong with a path. Displays as what follows "the path ".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathFault {
    /// Starts with `/`.
    Absolute,
    /// One of its steps is `..`.
    StepBack,
    /// Its first step starts with `..`, which volumes keep for themselves.
    Reserved,
}

impl fmt::Display for PathFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absolute => "starts with `/`",
            Self::StepBack => "contains `..`",
            Self::Reserved => "starts with `..`",
        })
    }
}

/// Whether a step of the path is `..`.
pub(crate) fn has_backsteps(path: &str) -> bool {
    path.split('/').any(|step| step == "..")
}

/// A path that leads down from where it starts; may be empty.
pub(crate) fn check_descending_path(path: &str) -> Result<(), PathFault> {
    if path.starts_with('/') {
        Err(PathFault::Absolute)
    } else if has_backsteps(path) {
        Err(PathFault::StepBack)
    } else {
        Ok(())
    }
}

/// A descending path that does not start with `..`, as names of the files of a volume; may be empty.
pub(crate) fn check_file_path(path: &str) -> Result<(), PathFault> {
    check_descending_path(path)?;
    if path.starts_with("..") { Err(PathFault::Reserved) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_where_it_starts() {
        for path in ["", "a", "a/b", "a..b", "a/..b", "a/", "."] {
            assert_eq!(check_file_path(path), Ok(()), "{path}");
        }
        assert_eq!(check_file_path("/a"), Err(PathFault::Absolute));
        assert_eq!(check_file_path("a/../b"), Err(PathFault::StepBack));
        assert_eq!(check_file_path(".."), Err(PathFault::StepBack));
        assert_eq!(check_file_path("..a"), Err(PathFault::Reserved));
        assert_eq!(check_descending_path("..a"), Ok(()));
    }
}
