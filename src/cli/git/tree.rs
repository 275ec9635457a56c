//! What git says about a tree and its files.

use std::io;

/// An entry of a tree.
pub(in crate::cli) struct Entry {
    pub(in crate::cli) mode: Mode,
    /// The name of its object.
    pub(super) object: String,
    /// The size of a file or of the target of a link; `None` if the repository does not have it.
    pub(in crate::cli) size: Option<usize>,
    /// Its path from the top, in which anything but a zero byte can occur.
    pub(in crate::cli) path: Vec<u8>,
}

impl Entry {
    /// The number of bytes of its content, as far as the repository has it.
    pub(in crate::cli) fn bytes(&self) -> usize {
        self.size.unwrap_or(0)
    }
}

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Mode {
    File,
    Link,
    Submodule,
}

/// The entries that `ls-tree -r -z -l` lists; `None` if they are malformed.
pub(super) fn entries(listed: &[u8]) -> Option<Vec<Entry>> {
    let lines = listed.split(|it| *it == 0).filter(|it| !it.is_empty());
    lines.map(entry).collect()
}

/// `100644 blob OBJECT     SIZE<tab>PATH`.
fn entry(line: &[u8]) -> Option<Entry> {
    let tab = line.iter().position(|it| *it == b'\t')?;
    let (start, path) = line.split_at_checked(tab)?;
    let words = std::str::from_utf8(start).ok()?;
    let mut words = words.split_ascii_whitespace();
    let (mode, _, object, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let mode = match mode {
        "120000" => Mode::Link,
        "160000" => Mode::Submodule,
        _ => Mode::File,
    };
    let path = path.get(1..)?.to_vec();
    Some(Entry { mode, object: object.to_owned(), size: size.parse().ok(), path })
}

/// The contents that `cat-file --batch` prints: for each a line `OBJECT blob SIZE`, and the content with a line feed.
pub(super) fn contents(printed: &[u8], entries: &[&Entry]) -> io::Result<Vec<Vec<u8>>> {
    let mut rest = printed;
    let mut contents = Vec::with_capacity(entries.len());
    for entry in entries {
        let content = next_content(&mut rest).ok_or_else(|| {
            let path = String::from_utf8_lossy(&entry.path);
            io::Error::other(format!(
                "it does not have the content of `{path}`; `git fetch --refetch --no-filter` completes a partial clone"
            ))
        })?;
        contents.push(content);
    }
    Ok(contents)
}

fn next_content(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let end = memchr::memchr(b'\n', rest)?;
    let (header, after) = rest.split_at_checked(end)?;
    let header = std::str::from_utf8(header).ok()?;
    let (_, size) = header.split_once(" blob ")?;
    let (content, after) = after.get(1..)?.split_at_checked(size.parse().ok()?)?;
    *rest = after.strip_prefix(b"\n")?;
    Some(content.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_git_are_read() {
        let listed =
            b"100755 blob ab12       3\ta b.yaml\x00120000 blob cd       5\tl\tink.yaml\x00\
            160000 commit ef       -\tsub\x00100644 blob 01     BAD\tx.yaml\0";
        let entries = entries(listed).unwrap();
        let read: Vec<_> =
            entries.iter().map(|entry| (entry.mode, entry.size, entry.path.as_slice())).collect();
        assert_eq!(
            read,
            [
                (Mode::File, Some(3), b"a b.yaml".as_slice()),
                (Mode::Link, Some(5), b"l\tink.yaml"),
                (Mode::Submodule, None, b"sub"),
                (Mode::File, None, b"x.yaml"),
            ]
        );
        let printed = b"ab12 blob 3\na\nb\ncd blob 5\n01234\n";
        let both: Vec<_> = entries.iter().take(2).collect();
        assert_eq!(contents(printed, &both).unwrap(), [b"a\nb".to_vec(), b"01234".to_vec()]);
        let error = contents(b"ab12 missing\n", &both).unwrap_err().to_string();
        assert!(error.starts_with("it does not have the content of `a b.yaml`"), "{error}");
        assert!(super::entries(b"100644 blob\0").is_none());
    }
}
