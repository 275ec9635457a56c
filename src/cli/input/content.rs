//! The contents of files, within the limit of their size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sandboxc::LARGEST_FILE;

/// The number of files of a directory that are read before the first of them is added.
pub(super) const BATCH: usize = 4_096;

/// The size below which a file is read then, in bytes. A larger one is read when it is added: not all of
/// a batch may be within the limit of all files.
const SMALL: usize = 64 << 10;

/// The content of a small file; `None` for a larger one.
pub(super) fn small(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(SMALL).unwrap_or(u64::MAX);
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|it| it.len() < SMALL))
}

/// Reads a file up to its size limit and one byte more, because its size may be unbounded.
pub(super) fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(LARGEST_FILE).unwrap_or(u64::MAX);
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn small_files_are_read_before_the_others() {
        let directory = tempfile::tempdir().unwrap();
        for (size, is_small) in [(0, true), (SMALL - 1, true), (SMALL, false), (SMALL + 1, false)] {
            let path = directory.path().join(size.to_string());
            fs::write(&path, "x".repeat(size)).unwrap();
            let content = small(&path).unwrap();
            assert_eq!(content.map(|it| it.len()), is_small.then_some(size));
        }
    }
}
