//! The manifests in a packaged chart, or in another gzipped tar archive.

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use flate2::read::MultiGzDecoder;
use sandboxc::LARGEST_ARCHIVE;

use sandboxc_files::is_input;

/// The number of archives that can be inside each other. A chart contains those of its dependencies.
const LEVELS: usize = 4;

/// The maximum number of entries, which take time even if they are empty.
const MOST_ENTRIES: usize = 100_000;

/// Whether a file is an archive, by its name.
pub(super) fn is_archive(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    name.is_some_and(|name| [".tgz", ".tar.gz"].iter().any(|end| name.ends_with(end)))
}

/// A manifest, and its path in the archive.
pub(super) struct Manifest {
    pub(super) path: PathBuf,
    pub(super) content: Vec<u8>,
}

/// The files of an archive that would be read from a directory, sorted by path.
pub(super) fn manifests(source: impl Read) -> io::Result<Vec<Manifest>> {
    let mut unpacking = Unpacking { bytes: LARGEST_ARCHIVE, entries: MOST_ENTRIES, found: vec![] };
    unpacking.archive(source, Path::new(""), LEVELS)?;
    let mut found = unpacking.found;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// What may still be unpacked, and what was found. A small archive can unpack to any size.
struct Unpacking {
    bytes: usize,
    entries: usize,
    found: Vec<Manifest>,
}

impl Unpacking {
    /// Reads an archive, which is at a path in another one.
    fn archive(&mut self, source: impl Read, at: &Path, levels: usize) -> io::Result<()> {
        // The headers, and files that are not read, count as well.
        let mut unpacked = MultiGzDecoder::new(source).take((self.bytes as u64).saturating_add(1));
        let read = self.read(&mut unpacked, at, levels);
        // At the limit the archive seems to be truncated.
        if unpacked.limit() == 0 { Err(too_large()) } else { read }
    }

    fn read(&mut self, unpacked: impl Read, at: &Path, levels: usize) -> io::Result<()> {
        for entry in tar::Archive::new(unpacked).entries()? {
            let mut entry = entry?;
            self.entries = self.entries.checked_sub(1).ok_or_else(too_large)?;
            let path = at.join(inner(&entry.path()?));
            // Links lead to files that are entries themselves.
            if !entry.header().entry_type().is_file() || is_hidden(&path) {
                continue;
            }
            if is_input(&path) {
                let content = self.content(&mut entry)?;
                self.found.push(Manifest { path, content });
            } else if is_archive(&path) && levels > 1 {
                let content = self.content(&mut entry)?;
                self.archive(content.as_slice(), &path, levels - 1)?;
            }
        }
        Ok(())
    }

    /// Reads a file. It can be longer than its bytes in the archive, if it has holes.
    fn content(&mut self, entry: &mut impl Read) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        entry.take((self.bytes as u64).saturating_add(1)).read_to_end(&mut content)?;
        self.bytes = self.bytes.checked_sub(content.len()).ok_or_else(too_large)?;
        Ok(content)
    }
}

/// The path of an entry, without parts that lead out of the archive.
fn inner(path: &Path) -> PathBuf {
    path.components().filter(|it| matches!(it, Component::Normal(_))).collect()
}

/// Whether a path has a part that would not be searched in a directory. The metadata that macOS adds has
/// such names.
fn is_hidden(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
}

fn too_large() -> io::Error {
    let text = format!(
        "it has more than {LARGEST_ARCHIVE} bytes unpacked, or more than {MOST_ENTRIES} files"
    );
    io::Error::other(text)
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            // The checked form rejects `..`.
            header.as_gnu_mut().unwrap().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            archive.append(&header, *content).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<(String, usize)>> {
        let found = manifests(bytes)?.into_iter();
        Ok(found
            .map(|manifest| (manifest.path.to_string_lossy().into_owned(), manifest.content.len()))
            .collect())
    }

    #[test]
    fn manifests_are_found_in_archives_of_archives() {
        let dependency = packed(&[("b/crds/b.yaml", b"b: 1"), ("b/README.md", b"text")]);
        let chart = packed(&[
            ("a/templates/x.yml", b"x"),
            ("a/crds/a.json", b"{}"),
            ("a/crds/._a.json", b"metadata of macOS"),
            ("../../out.yaml", b"out"),
            ("a/charts/b.tgz", &dependency),
        ]);
        let expected = [
            ("a/charts/b.tgz/b/crds/b.yaml", 4),
            ("a/crds/a.json", 2),
            ("a/templates/x.yml", 1),
            ("out.yaml", 3),
        ];
        assert_eq!(unpacked(&chart).unwrap(), expected.map(|(path, size)| (path.to_owned(), size)));
    }

    #[test]
    fn what_unpacks_to_too_much_is_an_error() {
        let zeros = vec![0; LARGEST_ARCHIVE / 2 + 1];
        let inner = packed(&[("a.yaml", &zeros)]);
        assert!(inner.len() < 1 << 20);
        for files in [
            vec![("a.yaml", &zeros[..]), ("b.yaml", &zeros)],
            vec![("a.txt", &zeros), ("b.txt", &zeros)],
            vec![("a.tgz", &inner), ("b.tgz", &inner)],
        ] {
            let error = unpacked(&packed(&files)).unwrap_err().to_string();
            assert!(error.starts_with("it has more than 104857600 bytes unpacked"), "{error}");
        }
        let mut nested = packed(&[("a.yaml", b"a")]);
        for _ in 0..LEVELS {
            nested = packed(&[("a.tgz", &nested)]);
        }
        assert_eq!(unpacked(&nested).unwrap(), []);
    }

    #[test]
    fn a_broken_archive_is_an_error() {
        let whole = packed(&[("a.yaml", &[b'a'; 5000])]);
        for bytes in [b"text".as_slice(), &whole[..whole.len() / 2], b""] {
            assert!(unpacked(bytes).is_err(), "{}", bytes.len());
        }
    }
}
