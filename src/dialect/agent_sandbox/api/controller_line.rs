//! Releases of the controllers.

use crate::decode::ChoiceValues;
use crate::schema::{EnumValue, Versions};

/// A release line of agent-sandbox, which determines the API versions that exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum ControllerLine {
    /// 0.5.x: `v1beta1` is stored, `v1alpha1` is deprecated and converted by a webhook.
    ///
    /// Definitions of this line can be applied to a cluster that still has stored `v1alpha1`
    /// objects, which rejects those of 1.0.
    V0_5,
    /// 1.0 and later, the default: only `v1beta1`. `docs/agent-sandbox-lines.md` has the
    /// differences.
    V1_0,
}

impl ControllerLine {
    /// The default line.
    pub(crate) const DEFAULT: Self = Self::V1_0;
    /// All lines, oldest first.
    pub(crate) const ALL: [Self; 2] = [Self::V0_5, Self::V1_0];

    /// `0.5` or `1.0`.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::V0_5 => "0.5",
            Self::V1_0 => "1.0",
        }
    }
}

impl Default for ControllerLine {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ChoiceValues for ControllerLine {
    const VALUES: &'static [EnumValue<'static>] = &[
        EnumValue { value: Self::V0_5.as_str(), versions: Versions::ALL },
        EnumValue { value: Self::V1_0.as_str(), versions: Versions::ALL },
    ];

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|line| line.as_str() == text)
    }

    fn as_str(self) -> &'static str {
        self.as_str()
    }
}
