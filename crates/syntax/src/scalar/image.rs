//! References to container images: `[host[:port]/]repository[:tag][@digest]`.

/// The parts of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageReference<'t> {
    /// Registry and path, without tag and digest.
    pub repository: &'t str,
    /// `v1`.
    pub tag: Option<&'t str>,
    /// `sha256:...`.
    pub digest: Option<&'t str>,
}

/// The fault of an image reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageFault {
    /// The repository has an uppercase letter, after the host.
    UpperCase,
    /// The host or the repository is not valid.
    Repository,
    /// The tag is not 1 to 128 letters, digits, `_`, `.` and `-`.
    Tag,
    /// Not `sha256:` with 64 lowercase hex digits, or `sha512:` with 128.
    Digest,
}

impl<'t> ImageReference<'t> {
    /// Parses a reference as container runtimes do.
    pub fn parse(text: &'t str) -> Result<Self, ImageFault> {
        let (name, digest) =
            text.split_once('@').map_or((text, None), |(name, digest)| (name, Some(digest)));
        // A colon before the last slash belongs to the port of the host.
        let tag_at = name.rfind(':').filter(|at| name.rfind('/').is_none_or(|slash| slash < *at));
        let (repository, tag) = match tag_at.and_then(|at| name.split_at_checked(at)) {
            Some((repository, tag)) => (repository, tag.strip_prefix(':')),
            None => (name, None),
        };
        check_repository(repository)?;
        if tag.is_some_and(|tag| !is_tag(tag)) {
            return Err(ImageFault::Tag);
        }
        digest.map_or(Ok(()), check_digest)?;
        Ok(Self { repository, tag, digest })
    }
}

/// Checks a digest of a registered algorithm, as registries print it.
pub fn check_digest(text: &str) -> Result<(), ImageFault> {
    let length = |algorithm| match algorithm {
        "sha256" => Some(64),
        "sha512" => Some(128),
        _ => None,
    };
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let is_sound = text.split_once(':').is_some_and(|(algorithm, hex)| {
        length(algorithm) == Some(hex.len()) && hex.bytes().all(is_hex)
    });
    if is_sound { Ok(()) } else { Err(ImageFault::Digest) }
}

fn check_repository(text: &str) -> Result<(), ImageFault> {
    let is_host = |part: &str| part.contains(['.', ':']) || part == "localhost";
    let path = match text.split_once('/') {
        Some((first, rest)) if is_host(first) => {
            if !is_host_and_port(first) {
                return Err(ImageFault::Repository);
            }
            rest
        }
        _ => text,
    };
    if path.bytes().any(|it| it.is_ascii_uppercase()) {
        return Err(ImageFault::UpperCase);
    }
    if path.split('/').all(is_path_component) { Ok(()) } else { Err(ImageFault::Repository) }
}

fn is_host_and_port(text: &str) -> bool {
    let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit());
    host.split('.').all(is_label) && port.is_none_or(is_port)
}

/// Lowercase letters and digits, with `.`, `_`, `__` or dashes between them.
fn is_path_component(text: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    let is_separator = |separator: &str| {
        matches!(separator, "" | "." | "_" | "__") || separator.bytes().all(|byte| byte == b'-')
    };
    text.starts_with(is_plain) && text.ends_with(is_plain) && text.split(is_plain).all(is_separator)
}

fn is_tag(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let is_start = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=128).contains(&text.len())
        && text.bytes().next().is_some_and(is_start)
        && text.bytes().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    #[test]
    fn splits_a_reference() {
        let whole = format!("registry.example.org:5000/acme/check:v1@{DIGEST}");
        for (text, repository, tag, digest) in [
            ("python", "python", None, None),
            ("python:3.13-slim", "python", Some("3.13-slim"), None),
            ("ghcr.io/acme/check", "ghcr.io/acme/check", None, None),
            ("localhost:5000/check", "localhost:5000/check", None, None),
            ("GHCR.io/acme/a__b-c.d", "GHCR.io/acme/a__b-c.d", None, None),
            (&whole, "registry.example.org:5000/acme/check", Some("v1"), Some(DIGEST)),
        ] {
            let reference = ImageReference { repository, tag, digest };
            assert_eq!(ImageReference::parse(text), Ok(reference), "{text}");
        }
    }

    /// As the grammar of the distribution project's `reference` package.
    #[test]
    fn describes_the_fault() {
        for (text, fault) in [
            ("ghcr.io/Acme/check", ImageFault::UpperCase),
            ("Python", ImageFault::UpperCase),
            ("", ImageFault::Repository),
            ("a//b", ImageFault::Repository),
            ("a___b", ImageFault::Repository),
            ("-a", ImageFault::Repository),
            ("a b", ImageFault::Repository),
            ("ghcr.io:x/a", ImageFault::Repository),
            ("ghcr..io/a", ImageFault::Repository),
            ("a:", ImageFault::Tag),
            ("a:-v", ImageFault::Tag),
            ("a@sha256:abc123", ImageFault::Digest),
            ("a@", ImageFault::Digest),
        ] {
            assert_eq!(ImageReference::parse(text), Err(fault), "{text}");
        }
    }

    #[test]
    fn a_digest_has_the_length_of_its_algorithm() {
        assert_eq!(check_digest(DIGEST), Ok(()));
        assert_eq!(check_digest(&format!("sha512:{}", "0".repeat(128))), Ok(()));
        for text in [
            &DIGEST.to_uppercase(),
            "sha256:",
            "md5:00",
            &format!("sha512:{}", "0".repeat(64)),
            DIGEST.trim_end_matches('f'),
        ] {
            assert_eq!(check_digest(text), Err(ImageFault::Digest), "{text}");
        }
    }
}
