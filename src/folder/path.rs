//! Paths as the user wrote them, joined and resolved without access to the file system.

use std::path::Path;

/// The folder of a file; empty for a file without one.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a file is in the directory of another one, or below it.
pub(crate) fn is_within(file: &str, other: &str) -> bool {
    let (folder, around) = (folder_of(file), folder_of(other));
    let below = folder.strip_prefix(around);
    around.is_empty() || below.is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

/// Names of directories of examples or tests.
const OF_EXAMPLES: &[&str] = &[
    "demo", "demos", "docs", "example", "examples", "sample", "samples", "test", "testdata",
    "tests",
];

/// Whether a file is in such a directory.
pub(crate) fn is_example(file: &str) -> bool {
    folder_of(file).split('/').any(|it| OF_EXAMPLES.contains(&it))
}

/// The last component.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Joins `relative` to `folder`, with `.` and `..` resolved.
pub(super) fn join(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let root = if folder.starts_with('/') { "/" } else { "" };
    for part in folder.split('/').chain(relative.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

/// The path of `relative` in the directory of a file, with `.` and `..` resolved.
pub(crate) fn beside(file: &str, relative: &str) -> String {
    join(folder_of(file), relative)
}

/// The path of a file, with `.` and `..` resolved.
pub(crate) fn resolved(file: &str) -> String {
    beside(file, file_name(file))
}

/// Whether `path` is in `folder` or below it. Everything is below the empty folder.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Folders without those below another one, so that one search finds the folder around a file.
#[derive(Debug, Default)]
pub(super) struct Outermost(Vec<String>);

impl Outermost {
    pub(super) fn of<'f>(folders: impl Iterator<Item = &'f str>) -> Self {
        let mut sorted: Vec<_> = folders.collect();
        // By component, so that a folder is followed by everything below it.
        sorted.sort_unstable_by_key(|it| Path::new(*it));
        let mut outermost: Vec<String> = Vec::new();
        for folder in sorted {
            let is_inner = outermost.last().is_some_and(|it| folder == it || is_below(folder, it));
            if !is_inner {
                outermost.push(folder.to_owned());
            }
        }
        Self(outermost)
    }

    /// The folder that a file is below.
    pub(super) fn around(&self, file: &str) -> Option<&str> {
        let after = self.0.partition_point(|it| Path::new(it) < Path::new(file));
        let folder = self.0.get(after.checked_sub(1)?)?;
        is_below(file, folder).then_some(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved() {
        for (folder, relative, joined) in [
            ("a/b", "c.yaml", "a/b/c.yaml"),
            ("a/b", "./c.yaml", "a/b/c.yaml"),
            ("a/b", "../c.yaml", "a/c.yaml"),
            ("", "../c.yaml", "../c.yaml"),
            ("../a", "../../c.yaml", "../../c.yaml"),
            ("/a", "../c.yaml", "/c.yaml"),
        ] {
            assert_eq!(join(folder, relative), joined, "{folder} {relative}");
        }
    }

    #[test]
    fn files_below_the_directory_of_another_one_are_within_it() {
        for (file, other, is_it) in [
            ("a.yaml", "b.yaml", true),
            ("a/a.yaml", "b.yaml", true),
            ("a/b/c.yaml", "a/b.yaml", true),
            ("ab/c.yaml", "a/b.yaml", false),
            ("a.yaml", "a/b.yaml", false),
            ("b/a.yaml", "a/b.yaml", false),
        ] {
            assert_eq!(is_within(file, other), is_it, "{file} {other}");
        }
    }

    #[test]
    fn the_outermost_folder_around_a_file_is_found() {
        let folders = ["a/c", "a-b", "a", "d/e", "a/c", "d/e/f"];
        let outermost = Outermost::of(folders.into_iter());
        for (file, folder) in [
            ("a/x", Some("a")),
            ("a/c/x", Some("a")),
            ("a-b/x", Some("a-b")),
            ("a-c/x", None),
            ("a", None),
            ("d/x", None),
            ("d/e/f/g/x", Some("d/e")),
            ("x", None),
        ] {
            assert_eq!(outermost.around(file), folder, "{file}");
        }
        assert_eq!(Outermost::of(["b", ""].into_iter()).around("a/x"), Some(""));
        assert_eq!(Outermost::default().around("a/x"), None);
    }

    #[test]
    fn a_folder_ends_at_a_slash() {
        assert!(is_below("a/b", "a") && is_below("a/b", ""));
        assert!(!is_below("ab/c", "a"));
    }
}
