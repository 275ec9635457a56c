//! `.sandboxc-files`: which files of an output directory were generated, and with what content.
//!
//! A file may be listed with two contents while it is being replaced, so that a run that was cut
//! short leaves nothing that the next one does not recognise.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sandboxc::content_hash;

/// The name of the manifest in an output directory.
pub(crate) const FILE_NAME: &str = ".sandboxc-files";

const HEADER: &str = "\
# Made by sandboxc: the generated files of this directory and the hashes of their contents.
# It is how a later build knows which files it may replace and remove; keep it beside them.
";

/// The generated files with the hashes of the contents they were given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Manifest {
    files: BTreeMap<String, BTreeSet<u64>>,
}

impl Manifest {
    /// Reads a manifest; the number of the line that is wrong otherwise.
    pub(crate) fn parse(text: &str) -> Result<Self, usize> {
        let mut manifest = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            if line.starts_with('#') {
                continue;
            }
            let (hash, name) = line.split_once(' ').ok_or(number)?;
            let hash = u64::from_str_radix(hash, 16).map_err(|_| number)?;
            if !is_file_name(name) {
                return Err(number);
            }
            manifest.files.entry(name.to_owned()).or_default().insert(hash);
        }
        Ok(manifest)
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = HEADER.to_owned();
        for (name, hashes) in &self.files {
            for hash in hashes {
                let _ = writeln!(text, "{hash:016x} {name}");
            }
        }
        text
    }

    pub(crate) fn add(&mut self, name: &str, content: &[u8]) {
        self.files.entry(name.to_owned()).or_default().insert(content_hash(content));
    }

    /// All that this and another manifest list.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let mut both = self.clone();
        for (name, hashes) in &other.files {
            both.files.entry(name.clone()).or_default().extend(hashes);
        }
        both
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(crate) fn lists(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Whether the file was given this content.
    pub(crate) fn made(&self, name: &str, content: &[u8]) -> bool {
        self.files.get(name).is_some_and(|hashes| hashes.contains(&content_hash(content)))
    }
}

/// Whether a name can be one of ours: a visible file of the directory itself, never a path.
fn is_file_name(name: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._%~-".contains(c);
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let mut manifest = Manifest::default();
        manifest.add("60_pod_a.yaml", b"x");
        manifest.add("60_pod_a.yaml", b"y");
        manifest.add("15_secret_b.yaml", b"");
        assert_eq!(Manifest::parse(&manifest.to_text()), Ok(manifest.clone()));
        assert!(manifest.made("60_pod_a.yaml", b"y") && !manifest.made("60_pod_a.yaml", b"z"));
    }

    #[test]
    fn a_name_that_leaves_the_directory_is_refused() {
        for name in ["../a.yaml", "a/b.yaml", ".hidden", "", "/etc/passwd"] {
            let text = format!("# made\n0000000000000000 {name}\n");
            assert_eq!(Manifest::parse(&text), Err(2), "{name}");
        }
        assert_eq!(Manifest::parse("nonsense\n"), Err(1));
    }
}
