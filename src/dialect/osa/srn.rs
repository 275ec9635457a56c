//! The archive's resource names: `urn:osa:{domain}:{type}:{id}[@version]`.

use std::fmt;

use crate::scalar::is_digits;

/// A resource name, in lowercase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Srn {
    domain: String,
    kind: String,
    id: String,
    version: Option<String>,
}

/// The fault of a resource name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SrnFault {
    /// Not five parts that begin with `urn:osa`.
    Form,
    /// The domain is not a DNS name.
    Domain,
    /// Another type of resource than expected.
    Kind,
    /// The id is not 3 to 64 lowercase letters, digits and dashes.
    Id,
    /// A version of a type without versions.
    VersionForbidden,
    /// Not a semantic version.
    Version,
}

impl Srn {
    /// Parses the name of a deposition, which has no version.
    pub(super) fn deposition(text: &str) -> Result<Self, SrnFault> {
        let srn = Self::of_kind(text, "dep")?;
        if srn.version.is_some() { Err(SrnFault::VersionForbidden) } else { Ok(srn) }
    }

    /// Parses the name of a convention, which has a semantic version.
    pub(super) fn convention(text: &str) -> Result<Self, SrnFault> {
        let srn = Self::of_kind(text, "conv")?;
        let is_sound = srn.version.as_deref().is_some_and(is_semantic_version);
        if is_sound { Ok(srn) } else { Err(SrnFault::Version) }
    }

    fn of_kind(text: &str, expected: &str) -> Result<Self, SrnFault> {
        let lower = text.trim().to_lowercase();
        let rest = lower.strip_prefix("urn:osa:").ok_or(SrnFault::Form)?;
        let parts: Vec<_> = rest.split(':').collect();
        let [domain, kind, last] = parts[..] else { return Err(SrnFault::Form) };
        let (id, version) = split_optional(last, '@');
        if kind != expected {
            return Err(SrnFault::Kind);
        }
        if !is_domain(domain) {
            return Err(SrnFault::Domain);
        }
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !(3..=64).contains(&id.len()) || !id.bytes().all(is_plain) {
            return Err(SrnFault::Id);
        }
        let version = version.map(str::to_owned);
        Ok(Self { domain: domain.into(), kind: kind.into(), id: id.into(), version })
    }

    /// The ID under which the server stores the runs of a deposition.
    pub(super) fn run_id(&self) -> String {
        format!("{}_{}", self.domain, self.id)
    }

    /// The ID with its version, as in the names of the server's Jobs.
    pub(super) fn last_part(&self) -> String {
        match &self.version {
            Some(version) => format!("{}@{version}", self.id),
            None => self.id.clone(),
        }
    }

    /// The name without the parts that all names share, and with dots instead of colons. Two names
    /// can only have the same form if a pre-release has dots.
    pub(super) fn compact(&self) -> String {
        let Self { domain, kind, id, version } = self;
        let version = version.as_ref().map_or_else(String::new, |version| format!(".{version}"));
        format!("{domain}.{kind}.{id}{version}")
    }

    /// Whether no other name has the same compact form.
    pub(super) fn is_compact_form_unique(&self) -> bool {
        self.version.as_ref().is_none_or(|version| version.split('.').count() == 3)
    }
}

impl fmt::Display for Srn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "urn:osa:{}:{}:{}", self.domain, self.kind, self.last_part())
    }
}

/// Whether the domain has labels of letters, digits and inner dashes; the server does not limit
/// their length.
fn is_domain(text: &str) -> bool {
    let is_end = |it: Option<u8>| it.is_some_and(|it| it.is_ascii_alphanumeric());
    text.split('.').all(|label| {
        is_end(label.bytes().next())
            && is_end(label.bytes().last())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

/// The text before the first separator, and the text after it, if there is one.
fn split_optional(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// `1.2.3`, `1.2.3-rc.1`, `1.2.3+build`.
fn is_semantic_version(text: &str) -> bool {
    let (version, build) = split_optional(text, '+');
    let (core, pre) = split_optional(version, '-');
    let is_number = |part: &str| is_digits(part) && (part == "0" || !part.starts_with('0'));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let is_suffix = |suffix: Option<&str>| {
        suffix.is_none_or(|text| !text.is_empty() && text.bytes().all(is_plain))
    };
    core.split('.').count() == 3
        && core.split('.').all(is_number)
        && is_suffix(pre)
        && is_suffix(build)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_names_of_depositions() {
        let srn = Srn::deposition(" URN:OSA:Archive.Example.org:DEP:ABC-123 ").expect("a name");
        assert_eq!(srn.to_string(), "urn:osa:archive.example.org:dep:abc-123");
        assert_eq!(srn.compact(), "archive.example.org.dep.abc-123");
        assert_eq!(srn.run_id(), "archive.example.org_abc-123");
        for (text, fault) in [
            ("localhost:dep:abc123", SrnFault::Form),
            ("urn:osa:localhost:abc123", SrnFault::Form),
            ("urn:osa:localhost:dep:abc:1", SrnFault::Form),
            ("urn:osa:localhost:rec:abc123", SrnFault::Kind),
            ("urn:osa:-a:dep:abc123", SrnFault::Domain),
            ("urn:osa:a..b:dep:abc123", SrnFault::Domain),
            ("urn:osa::dep:abc123", SrnFault::Domain),
            ("urn:osa:localhost:dep:ab", SrnFault::Id),
            ("urn:osa:localhost:dep:a_b", SrnFault::Id),
            ("urn:osa:localhost:dep:abc@1.0.0", SrnFault::VersionForbidden),
        ] {
            assert_eq!(Srn::deposition(text), Err(fault), "{text}");
        }
        assert!(Srn::deposition(&format!("urn:osa:a:dep:{}", "a".repeat(64))).is_ok());
        assert!(Srn::deposition(&format!("urn:osa:a:dep:{}", "a".repeat(65))).is_err());
    }

    #[test]
    fn reads_the_names_of_conventions() {
        let srn = Srn::convention("urn:osa:localhost:conv:conv1@1.0.0").expect("a name");
        assert_eq!(srn.compact(), "localhost.conv.conv1.1.0.0");
        assert_eq!(srn.last_part(), "conv1@1.0.0");
        assert!(srn.is_compact_form_unique());
        for version in ["1.0.0-rc1", "0.0.0", "1.0.0+b.1", "1.0.0-a.b"] {
            let text = format!("urn:osa:localhost:conv:conv1@{version}");
            let srn = Srn::convention(&text).expect(version);
            assert_eq!(srn.is_compact_form_unique(), version.matches('.').count() == 2);
        }
        for version in ["1.0", "01.0.0", "1.0.0-", "1", "1.0.0+", "1..0", ""] {
            let text = format!("urn:osa:localhost:conv:conv1@{version}");
            assert_eq!(Srn::convention(&text), Err(SrnFault::Version), "{version}");
        }
        assert_eq!(Srn::convention("urn:osa:localhost:conv:conv1"), Err(SrnFault::Version));
    }
}
