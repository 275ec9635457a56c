//! Releases of the controllers, and the versions of the API that they serve.

use std::fmt;

use crate::decode::ChoiceValues;
use crate::schema::{EnumValue, Versions};

/// A line of agent-sandbox releases. It decides which versions of the API exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ControllerLine {
    /// 0.5.x: `v1beta1` is stored, `v1alpha1` is deprecated and converted by a webhook.
    ///
    /// The default. Objects of `v1beta1`, the only version that is ever compiled to, are the same
    /// in both lines; and definitions of this line can be applied to a cluster that still has
    /// stored `v1alpha1` objects, where those of 1.0 are refused.
    V0_5,
    /// 1.0 and later: `v1beta1` alone, and the label `claim-uid` reaches the Pods.
    V1_0,
}

impl ControllerLine {
    /// The line that is meant where none is named.
    pub const DEFAULT: Self = Self::V0_5;
    /// All lines, oldest first.
    pub const ALL: [Self; 2] = [Self::V0_5, Self::V1_0];

    /// Reads `0.5` or `1.0`; also with a leading `v`, and with a patch number, which is ignored.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        Self::ALL.into_iter().find(|line| {
            let rest = text.strip_prefix(line.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// `0.5` or `1.0`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V0_5 => "0.5",
            Self::V1_0 => "1.0",
        }
    }

    /// The versions of the API, the stored one first.
    pub(crate) const fn versions(self) -> &'static [ApiVersion] {
        match self {
            Self::V0_5 => &[ApiVersion::V1Beta1, ApiVersion::V1Alpha1],
            Self::V1_0 => &[ApiVersion::V1Beta1],
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
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

impl fmt::Display for ControllerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A version of the API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ApiVersion {
    /// Deprecated in 0.5, gone in 1.0.
    V1Alpha1,
    /// The stored version.
    V1Beta1,
}

impl ApiVersion {
    /// As in `apiVersion`, behind the group.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::V1Alpha1 => "v1alpha1",
            Self::V1Beta1 => "v1beta1",
        }
    }

    /// Whether the API server answers each request with a warning.
    pub(crate) const fn is_deprecated(self) -> bool {
        matches!(self, Self::V1Alpha1)
    }
}

/// The webhook that converts between the versions of line 0.5. The controller writes its own
/// certificate authority into the definition when it starts; port 443 is implied.
pub(crate) struct Conversion {
    /// The Service in front of the controller.
    pub(crate) service: &'static str,
    /// Its namespace.
    pub(crate) namespace: &'static str,
    /// The path of the endpoint.
    pub(crate) path: &'static str,
    /// Versions of `ConversionReview` that it understands, best first.
    pub(crate) review_versions: &'static [&'static str],
}

/// The webhook as it is installed.
pub(crate) const CONVERSION: Conversion = Conversion {
    service: "agent-sandbox-webhook-service",
    namespace: "agent-sandbox-system",
    path: "/convert",
    review_versions: &["v1", "v1beta1"],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_spellings() {
        for (text, line) in [
            ("0.5", Some(ControllerLine::V0_5)),
            ("v0.5.6", Some(ControllerLine::V0_5)),
            ("1.0", Some(ControllerLine::V1_0)),
            ("v1.0.11", Some(ControllerLine::V1_0)),
            ("0.55", None),
            ("1", None),
            ("", None),
        ] {
            assert_eq!(ControllerLine::parse(text), line, "{text}");
        }
    }
}
