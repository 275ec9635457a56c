//! The profiles, by the names of the Pod Security Standards.

use std::fmt;

use crate::decode::{ChoiceValues, choice};

choice! {
    /// The Pod Security Standard that the Pods of a definition must satisfy.
    pub(crate) enum Profile {
        /// Non-root, no privilege escalation, all capabilities dropped, seccomp on.
        Restricted = "restricted",
        /// No known privilege escalation.
        Baseline = "baseline",
        /// Sets nothing and checks nothing.
        Privileged = "privileged",
    }
}

impl Profile {
    /// The profile of a definition that sets none.
    pub(crate) const DEFAULT: Self = Self::Restricted;
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values = Self::VALUES.iter().map(|it| it.value);
        f.write_str(values.find(|value| Self::parse(value) == Some(*self)).unwrap_or_default())
    }
}
