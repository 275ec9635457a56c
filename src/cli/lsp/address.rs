//! Addresses of documents: `file:` URIs and the paths that they name.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The path that a URI names; `None` if it is not that of a file.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let (host, path) = rest.split_at(rest.find('/')?);
    if !matches!(host, "" | "localhost") {
        return None;
    }
    let decoded = String::from_utf8(decoded(path.as_bytes())).ok()?;
    // `/c:/a` names `c:/a`.
    let is_drive = cfg!(windows) && decoded.get(2..3) == Some(":");
    Some(PathBuf::from(if is_drive { decoded.get(1..)? } else { &decoded }))
}

/// The URI of a file.
pub(super) fn uri_of(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', if cfg!(windows) { "/" } else { "\\" });
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            // Writing to a string cannot fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

/// The bytes of a path with its escapes replaced. A `%` without two digits is itself.
fn decoded(path: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(byte) = byte.filter(|_| *first == b'%') {
            bytes.push(byte);
            rest = tail.get(2..).unwrap_or(&[]);
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_and_its_uri_name_each_other() {
        for (path, uri) in [
            ("/srv/a.yaml", "file:///srv/a.yaml"),
            ("/a b/é%.yaml", "file:///a%20b/%C3%A9%25.yaml"),
        ] {
            assert_eq!(uri_of(Path::new(path)), uri);
            assert_eq!(path_of(uri), Some(PathBuf::from(path)));
        }
        assert_eq!(path_of("file:///a%3Ab%zz"), Some(PathBuf::from("/a:b%zz")));
        assert_eq!(path_of("file:///a%+f%f"), Some(PathBuf::from("/a%+f%f")));
        assert_eq!(path_of("untitled:Untitled-1"), None);
        assert_eq!(path_of("file://server/a.yaml"), None);
    }
}
