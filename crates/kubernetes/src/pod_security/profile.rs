//! The profiles, by the names of the Pod Security Standards.

use std::fmt;

/// A level of the Pod Security Standards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Non-root, no privilege escalation, all capabilities dropped, seccomp on.
    Restricted,
    /// No known privilege escalation.
    Baseline,
    /// Checks nothing.
    Privileged,
}

impl Profile {
    /// All profiles, strictest first.
    pub const ALL: [Self; 3] = [Self::Restricted, Self::Baseline, Self::Privileged];

    /// The name in the labels of a Namespace.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Restricted => "restricted",
            Self::Baseline => "baseline",
            Self::Privileged => "privileged",
        }
    }

    /// Parses the name in the labels of a Namespace.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.as_str() == text)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
