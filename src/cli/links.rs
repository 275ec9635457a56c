//! The links of a revision, followed in its tree and not in a file system.

use std::collections::{BTreeMap, BTreeSet};

use super::git::Mode;

/// The maximum number of links that lead to each other.
const LEVELS: usize = 8;

/// The files, links and directories of a tree, by their paths.
pub(super) struct Links<'t> {
    files: BTreeSet<&'t [u8]>,
    directories: BTreeSet<&'t [u8]>,
    targets: &'t BTreeMap<&'t [u8], Vec<u8>>,
}

impl<'t> Links<'t> {
    pub(super) fn of(
        entries: impl Iterator<Item = (&'t [u8], Mode)>,
        targets: &'t BTreeMap<&'t [u8], Vec<u8>>,
    ) -> Self {
        let (mut files, mut directories) = (BTreeSet::new(), BTreeSet::new());
        for (path, mode) in entries {
            if mode == Mode::File {
                files.insert(path);
            }
            let mut folder = path;
            while let Some(around) = folder_of(folder) {
                if !directories.insert(around) {
                    break;
                }
                folder = around;
            }
        }
        Self { files, directories, targets }
    }

    /// The regular file that a link leads to, if it is in the tree. A path through a directory that is itself a link
    /// leads nowhere.
    pub(super) fn resolve(&self, link: &[u8]) -> Option<&'t [u8]> {
        let mut path = link.to_vec();
        for _ in 0..LEVELS {
            let target = self.targets.get(path.as_slice())?;
            path = self.join(folder_or_top(&path), target)?;
            if let Some(file) = self.files.get(path.as_slice()) {
                return Some(file);
            }
        }
        None
    }

    /// A relative path in a directory; `None` if a part of it is not a directory of the tree.
    fn join(&self, folder: &[u8], relative: &[u8]) -> Option<Vec<u8>> {
        let mut path = folder.to_vec();
        let mut parts = relative.split(|it| *it == b'/').peekable();
        if relative.starts_with(b"/") {
            return None;
        }
        while let Some(part) = parts.next() {
            match part {
                b"" | b"." => {}
                // The directory above that of the top is outside.
                b".." if path.is_empty() => return None,
                b".." => path = folder_or_top(&path).to_vec(),
                _ => {
                    if !path.is_empty() {
                        path.push(b'/');
                    }
                    path.extend_from_slice(part);
                    if parts.peek().is_some() && !self.directories.contains(path.as_slice()) {
                        return None;
                    }
                }
            }
        }
        Some(path)
    }
}

/// The directory of a path; empty at the top.
fn folder_or_top(path: &[u8]) -> &[u8] {
    folder_of(path).unwrap_or_default()
}

/// The directory of a path; `None` at the top.
fn folder_of(path: &[u8]) -> Option<&[u8]> {
    path.iter().rposition(|byte| *byte == b'/').and_then(|at| path.get(..at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_files_of_the_tree_alone() {
        let targets: [(&str, &str); 12] = [
            ("a/same.yaml", "x.yaml"),
            ("a/up.yaml", "../b/./y.txt"),
            ("a/chain.yaml", "up.yaml"),
            ("a/absolute.yaml", "/etc/passwd"),
            ("a/out.yaml", "../../etc/passwd"),
            ("a/folder.yaml", "../b"),
            ("a/through.yaml", "link/../../../etc/passwd"),
            ("a/through-file.yaml", "x.yaml/../x.yaml"),
            ("a/nowhere.yaml", "z.yaml"),
            ("a/self.yaml", "self.yaml"),
            ("a/empty.yaml", ""),
            ("top.yaml", "a/x.yaml"),
        ];
        let expected = [
            Some("a/x.yaml"),
            Some("b/y.txt"),
            Some("b/y.txt"),
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            Some("a/x.yaml"),
        ];
        let map =
            targets.iter().map(|(path, target)| (path.as_bytes(), target.as_bytes().to_vec()));
        let map: BTreeMap<_, _> = map.collect();
        let files = ["a/x.yaml", "b/y.txt"].map(|path| (path.as_bytes(), Mode::File));
        let others = targets.iter().map(|(path, _)| (path.as_bytes(), Mode::Link));
        let further = [("a/link".as_bytes(), Mode::Link)];
        let links = Links::of(files.into_iter().chain(others).chain(further), &map);
        for ((path, _), file) in targets.iter().zip(expected) {
            assert_eq!(links.resolve(path.as_bytes()), file.map(str::as_bytes), "{path}");
        }
    }
}
