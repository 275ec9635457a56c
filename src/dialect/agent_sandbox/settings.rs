//! How the controllers of the target cluster are set up, as far as the rules depend on it.

use super::api::ControllerLine;
use super::names::DEFAULT_LABEL_DOMAIN;

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
