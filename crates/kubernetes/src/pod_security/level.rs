//! A level of the Pod Security Standards in one of its versions, which Pods are checked against.

use super::Profile;
use crate::schema::KubernetesVersion;

/// A level of the Pod Security Standards, as defined by the target version or an older one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PodSecurityLevel {
    profile: Profile,
    version: StandardVersion,
}

/// A version of the Pod Security Standards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandardVersion {
    /// The latest version that the API server has.
    Latest,
    /// The version of this minor version of Kubernetes.
    Minor(u32),
}

impl StandardVersion {
    /// Parses `latest` and `v1.30`, in the only spelling that namespace labels allow.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "latest" {
            return Some(Self::Latest);
        }
        let minor = text.strip_prefix("v1.")?;
        let is_plain = minor == "0" || !minor.starts_with('0');
        if !is_plain || !minor.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // Go parses it as an `int`. A minor version that does not exist yet means the latest.
        let minor: i64 = minor.parse().ok()?;
        Some(Self::Minor(u32::try_from(minor).unwrap_or(u32::MAX)))
    }
}

impl PodSecurityLevel {
    /// Parses `restricted`, `baseline` or `privileged`, optionally with `@` and the version of the
    /// standard: `restricted@v1.30`, `baseline@latest`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (profile, version) = match text.split_once('@') {
            None => (text, StandardVersion::Latest),
            Some((profile, version)) => (profile, StandardVersion::parse(version)?),
        };
        Some(Self::new(Profile::parse(profile)?, version))
    }

    /// The names of the levels, strictest first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Profile::ALL.into_iter().map(Profile::as_str)
    }

    /// The level of a profile in a version of the standard.
    pub const fn new(profile: Profile, version: StandardVersion) -> Self {
        Self { profile, version }
    }

    /// The level, without its version.
    pub const fn profile(self) -> Profile {
        self.profile
    }

    /// The requested minor version of the standard, unless it is the latest.
    pub(super) const fn pinned(self) -> Option<u32> {
        match self.version {
            StandardVersion::Latest => None,
            StandardVersion::Minor(minor) => Some(minor),
        }
    }

    /// The minor version of the standard that an API server of the target version enforces: at most
    /// its own.
    pub fn minor(self, target: KubernetesVersion) -> u32 {
        let newest = u32::from(target.minor());
        self.pinned().map_or(newest, |minor| minor.min(newest))
    }
}

impl From<Profile> for PodSecurityLevel {
    fn from(profile: Profile) -> Self {
        Self::new(profile, StandardVersion::Latest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_written_as_in_namespace_labels() {
        for (text, version) in [
            ("latest", StandardVersion::Latest),
            ("v1.0", StandardVersion::Minor(0)),
            ("v1.30", StandardVersion::Minor(30)),
            ("v1.9223372036854775807", StandardVersion::Minor(u32::MAX)),
        ] {
            assert_eq!(StandardVersion::parse(text), Some(version), "{text}");
        }
        for text in
            ["", "Latest", "1.30", "v1", "v1.", "v1.030", "v1.+1", "v2.0", "v1.9223372036854775808"]
        {
            assert_eq!(StandardVersion::parse(text), None, "{text}");
        }
    }

    #[test]
    fn no_version_is_newer_than_the_server() {
        let minor = |text| {
            let level = PodSecurityLevel::parse(text);
            level.map(|it| it.minor(KubernetesVersion::OLDEST))
        };
        assert_eq!(minor("restricted"), Some(33));
        assert_eq!(minor("restricted@latest"), Some(33));
        assert_eq!(minor("baseline@v1.22"), Some(22));
        assert_eq!(minor("baseline@v1.99"), Some(33));
        for text in ["strict", "restricted@", "restricted@1.30", "@latest", "baseline@v1.1@v1.2"] {
            assert_eq!(minor(text), None, "{text}");
        }
    }
}
