//! File paths as Kubernetes validates them in volumes and mounts.

use crate::message::{Draft, Part, Words};

/// The fault of a path. In a message it is the predicate of "the path ".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathFault {
    /// Starts with `/`.
    Absolute,
    /// One of its components is `..`.
    StepBack,
    /// Its first component starts with `..`, which volumes reserve.
    Reserved,
}

impl Part for PathFault {
    fn add_to(&self, draft: &mut Draft) {
        let words = match self {
            Self::Absolute => "starts with `/`",
            Self::StepBack => "contains `..`",
            Self::Reserved => "starts with `..`",
        };
        Words(words).add_to(draft);
    }
}

/// Whether a component of the path is `..`.
pub fn has_backsteps(path: &str) -> bool {
    path.split('/').any(|step| step == "..")
}

/// Checks a relative path without `..`; it can be empty.
pub fn check_descending_path(path: &str) -> Result<(), PathFault> {
    if path.starts_with('/') {
        Err(PathFault::Absolute)
    } else if has_backsteps(path) {
        Err(PathFault::StepBack)
    } else {
        Ok(())
    }
}

/// Checks the path of a file in a volume: a descending path that does not start with `..`; it can
/// be empty.
pub fn check_file_path(path: &str) -> Result<(), PathFault> {
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
