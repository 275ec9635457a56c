//! The root directories of projects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::source::PROJECT_FILE;

/// The root directories of projects, by the directories below them, each of which is tested once.
#[derive(Default, Debug)]
pub struct Roots {
    known: BTreeMap<PathBuf, Option<PathBuf>>,
}

impl Roots {
    /// The nearest root at or above a directory.
    pub fn nearest(
        &mut self,
        directory: &Path,
        is_root: impl Fn(&Path) -> bool,
    ) -> Option<PathBuf> {
        let mut passed = Vec::new();
        let mut found = None;
        for ancestor in directory.ancestors() {
            if let Some(known) = self.known.get(ancestor) {
                found.clone_from(known);
                break;
            }
            passed.push(ancestor);
            if is_root(ancestor) {
                found = Some(ancestor.to_owned());
                break;
            }
        }
        for directory in passed {
            self.known.insert(directory.to_owned(), found.clone());
        }
        found
    }

    /// The file of the nearest Project at or above a directory.
    pub(super) fn project_file(
        &mut self,
        directory: &Path,
        is_root: impl Fn(&Path) -> bool,
    ) -> Option<PathBuf> {
        Some(self.nearest(directory, is_root)?.join(PROJECT_FILE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_root_is_found_once_for_all_directories_below() {
        let is_root = |directory: &Path| ["/x", "/x/a/c"].map(Path::new).contains(&directory);
        let mut roots = Roots::default();
        for (directory, expected) in
            [("/x/a/b", "/x"), ("/x/a/c/d/e", "/x/a/c"), ("/x/a/c/d", "/x/a/c"), ("/x/a", "/x")]
        {
            let nearest = roots.nearest(Path::new(directory), is_root);
            assert_eq!(nearest.as_deref(), Some(Path::new(expected)), "{directory}");
        }
        assert_eq!(roots.known.len(), 6);
        assert_eq!(roots.nearest(Path::new("/y"), is_root), None);
    }
}
