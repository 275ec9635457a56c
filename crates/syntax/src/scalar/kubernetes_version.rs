//! The Kubernetes versions that can be targeted.

use std::fmt;

/// A minor version of Kubernetes that can be targeted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KubernetesVersion {
    minor: u8,
}

impl KubernetesVersion {
    const OLDEST_MINOR: u8 = 33;
    const NEWEST_MINOR: u8 = 37;

    /// The oldest version that can be targeted.
    pub const OLDEST: Self = Self { minor: Self::OLDEST_MINOR };
    /// The newest version that can be targeted, and the default.
    pub const NEWEST: Self = Self { minor: Self::NEWEST_MINOR };

    /// The first version that enforces `k8s-short-name` and `k8s-long-name`.
    pub const V1_34: Self = Self { minor: 34 };
    /// The version whose types agent-sandbox 0.5 embeds, and the first whose validator compares the bounds
    /// of an integer with its format.
    pub const V1_36: Self = Self { minor: 36 };
    /// The version whose types agent-sandbox 1.0 embeds.
    pub const V1_37: Self = Self { minor: 37 };

    /// Parses `1.36`; also `v1.36` and `1.36.3`, whose patch version is ignored.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts = text.split('.');
        let (major, minor) = (parts.next()?, parts.next()?);
        let minor: u8 = minor.parse().ok()?;
        Self::all().find(|version| major == "1" && version.minor == minor)
    }

    /// All versions, oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::OLDEST_MINOR..=Self::NEWEST_MINOR).map(|minor| Self { minor })
    }

    /// The minor version: 36 for 1.36.
    #[must_use]
    pub const fn minor(self) -> u8 {
        self.minor
    }

    const fn bit(self) -> u8 {
        1 << (self.minor - Self::OLDEST_MINOR)
    }
}

impl fmt::Display for KubernetesVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.minor)
    }
}

/// A set of Kubernetes versions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Versions(u8);

impl Versions {
    /// All versions that can be targeted.
    pub const ALL: Self = Self(0b1_1111);

    /// No version.
    pub const NONE: Self = Self(0);

    /// Creates a set from a bit mask; bit 0 is the oldest version.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Parses comma-separated versions, `1.33,1.37`; `1.33..1.36` means both and all between them.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut set = Self::NONE;
        for part in text.split(',') {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let first = KubernetesVersion::parse(first.trim())?;
            let last = KubernetesVersion::parse(last.trim())?;
            if first > last {
                return None;
            }
            set = KubernetesVersion::all()
                .filter(|version| (first..=last).contains(version))
                .fold(set, |set, version| set.union(version.into()));
        }
        Some(set)
    }

    /// The union of two sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The versions in the set, oldest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = KubernetesVersion> {
        KubernetesVersion::all().filter(move |version| self.contains(*version))
    }

    /// Whether `version` is in the set.
    #[must_use]
    pub const fn contains(self, version: KubernetesVersion) -> bool {
        self.0 & version.bit() != 0
    }

    /// The first version in the set.
    #[must_use]
    pub fn first(self) -> Option<KubernetesVersion> {
        self.iter().next()
    }

    /// The last version in the set.
    #[must_use]
    pub fn last(self) -> Option<KubernetesVersion> {
        self.iter().next_back()
    }
}

impl From<KubernetesVersion> for Versions {
    fn from(version: KubernetesVersion) -> Self {
        Self(version.bit())
    }
}

impl fmt::Display for Versions {
    /// `1.33, 1.34, 1.37`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, version) in self.iter().enumerate() {
            write!(f, "{}{version}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_spellings() {
        for text in ["1.36", "v1.36", "1.36.3"] {
            assert_eq!(KubernetesVersion::parse(text).map(KubernetesVersion::minor), Some(36));
        }
        for text in ["1", "1.32", "2.36", "latest", "1.38", ""] {
            assert_eq!(KubernetesVersion::parse(text), None, "{text}");
        }
    }

    #[test]
    fn lists_and_ranges_are_sets() {
        let shown = |text| Versions::parse(text).map(|set| set.to_string());
        assert_eq!(shown("1.33").as_deref(), Some("1.33"));
        assert_eq!(shown("1.37, v1.33").as_deref(), Some("1.33, 1.37"));
        assert_eq!(shown("1.34..1.36").as_deref(), Some("1.34, 1.35, 1.36"));
        assert_eq!(shown("1.33,1.36..1.37").as_deref(), Some("1.33, 1.36, 1.37"));
        for text in ["", "1.33,", "1.37..1.33", "1.33..", "1.32..1.34", "1.33-1.35", "..", ","] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn a_set_knows_its_ends() {
        let from_35 = Versions::from_bits(0b1_1100);
        assert_eq!(from_35.first().map(KubernetesVersion::minor), Some(35));
        assert_eq!(from_35.last(), Some(KubernetesVersion::NEWEST));
        assert!(!from_35.contains(KubernetesVersion::OLDEST));
    }
}
