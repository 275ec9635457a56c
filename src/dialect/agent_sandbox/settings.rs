//! How the controllers of the target cluster are set up, as far as the rules depend on it.

use super::names::DEFAULT_LABEL_DOMAIN;

/// A line of agent-sandbox releases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum ControllerLine {
    /// 0.5.x.
    #[default]
    V0_5,
    /// 1.0.x: no `v1alpha1`, and `claim-uid` reaches the Pods.
    V1_0,
}

/// How the controllers of the target cluster are set up.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Domains of the labels that claims may put on Pods, lower case; sub-domains are included.
    pub(crate) allowed_label_domains: Vec<String>,
    /// The installed release line.
    pub(crate) line: ControllerLine,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            allowed_label_domains: vec![DEFAULT_LABEL_DOMAIN.to_owned()],
            line: ControllerLine::default(),
        }
    }
}
