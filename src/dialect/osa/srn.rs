//! The archive's resource names: `urn:osa:{domain}:{type}:{id}[@version]`.

use std::fmt;

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
        let text = text.trim().to_lowercase();
        let rest = text.strip_prefix("urn:osa:").ok_or(SrnFault::Form)?;
        let mut parts = rest.split(':');
        let (Some(domain), Some(kind), Some(id), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(SrnFault::Form);
        };
        let (id, version) = id.split_once('@').map_or((id, None), |(id, it)| (id, Some(it)));
        if kind != expected {
            return Err(SrnFault::Kind);
        }
        if !is_domain(domain) {
            return Err(SrnFault::Domain);
        }
        let is_plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
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
        self.version.as_ref().map_or_else(|| self.id.clone(), |it| format!("{}@{it}", self.id))
    }

    /// The name without the parts that all names share, and with dots instead of colons. Two names
    /// can only have the same form if a pre-release has dots.
    pub(super) fn compact(&self) -> String {
        let Self { domain, kind, id, version } = self;
        let version = version.as_ref().map_or_else(String::new, |it| format!(".{it}"));
        format!("{domain}.{kind}.{id}{version}")
    }

    /// Whether no other name has the same compact form.
    pub(super) fn is_compact_form_unique(&self) -> bool {
        self.version.as_ref().is_none_or(|it| it.split('.').count() == 3)
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
            && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
    })
}

/// `1.2.3`, `1.2.3-rc.1`, `1.2.3+build`.
fn is_semantic_version(text: &str) -> bool {
    let (text, build) = text.split_once('+').map_or((text, None), |(it, build)| (it, Some(build)));
    let (core, pre) = text.split_once('-').map_or((text, None), |(it, pre)| (it, Some(pre)));
    let is_number = |it: &str| {
        !it.is_empty()
            && it.bytes().all(|it| it.is_ascii_digit())
            && (it == "0" || !it.starts_with('0'))
    };
    let is_suffix = |it: Option<&str>| {
        it.is_none_or(|it| {
            !it.is_empty()
                && it.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'.'))
        })
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
