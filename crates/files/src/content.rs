//! The contents of files, within the limit of their size.

use std::fs::File;
use std::io::{self, Read, StdinLock};

use sandboxc_syntax::limits::LARGEST_FILE;

/// The number of files of a directory that are read before the first of them is added.
pub const BATCH: usize = 4_096;

/// The size below which a file is read then, in bytes. A larger one is read when it is added: not all of
/// a batch may be within the limit of all files.
const SMALL: usize = 64 << 10;

/// The content of a small file; `None` for a larger one.
pub fn small(source: impl Read) -> io::Result<Option<Vec<u8>>> {
    // A buffer that grows from nothing takes nine reads for a file of 2 KB.
    let mut bytes = Vec::with_capacity(SMALL);
    source.take(SMALL as u64).read_to_end(&mut bytes)?;
    bytes.shrink_to_fit();
    Ok(Some(bytes).filter(|bytes| bytes.len() < SMALL))
}

/// Reads a file up to its size limit and one byte more.
pub fn all_of(file: File) -> io::Result<Vec<u8>> {
    let size = file.metadata().map_or(0, |it| it.len());
    read_bounded(file, size)
}

/// Reads standard input up to the size limit of a file and one byte more.
pub fn standard_input() -> io::Result<Vec<u8>> {
    let input = io::stdin().lock();
    let size = size_of(&input);
    read_bounded(input, size)
}

/// The size of the file that standard input is redirected from, in bytes; 0 if it is a pipe.
#[cfg(unix)]
fn size_of(input: &StdinLock<'_>) -> u64 {
    rustix::fs::fstat(input).ok().and_then(|state| u64::try_from(state.st_size).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn size_of(_: &StdinLock<'_>) -> u64 {
    0
}

/// Reads up to the size limit of a file and one byte more, because the size may be unbounded. `expected` is the
/// size in bytes as far as it is known: a buffer that grows is copied repeatedly.
fn read_bounded(source: impl Read, expected: u64) -> io::Result<Vec<u8>> {
    let expected = usize::try_from(expected).map_or(LARGEST_FILE, |size| size.min(LARGEST_FILE));
    // One byte more, so that the end is found without more room.
    let mut bytes = Vec::with_capacity(expected + 1);
    source.take(LARGEST_FILE as u64 + 1).read_to_end(&mut bytes)?;
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
            let content = small(File::open(&path).unwrap()).unwrap();
            assert_eq!(content.map(|it| it.len()), is_small.then_some(size));
        }
    }

    /// A source that counts how often it is read.
    struct Counted<'s>(&'s [u8], &'s mut usize);

    impl Read for Counted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            *self.1 += 1;
            self.0.read(buffer)
        }
    }

    #[test]
    fn a_small_file_is_read_at_once() {
        let (text, mut reads) = (vec![b'x'; 2_000], 0);
        let content = small(Counted(&text, &mut reads)).unwrap().unwrap();
        assert_eq!((content.len(), content.capacity()), (2_000, 2_000));
        assert_eq!(reads, 2, "one for the content, one for its end");
    }
}
