//! How the controllers of the target cluster are set up, as far as the rules depend on it.

use super::api::ControllerLine;
use super::names::DEFAULT_LABEL_DOMAIN;
use crate::decode::{Choice, Listed, Text, definition};
use crate::lower::Setup;

definition! {
    /// What is particular to agent-sandbox.
    pub(crate) struct AgentSandboxSettings in "Project.spec.agentSandbox" {
        /// Domains of labels that claims may set: what the cluster's `agent-sandbox-config` says.
        /// `[sandbox.users.io]` where nothing is said.
        "allowedLabelDomains" optional allowed_label_domains: Listed<Text>,
        /// The line of agent-sandbox releases whose controllers run in the cluster: `"0.5"` (the
        /// default) or `"1.0"`. `--agent-sandbox` wins.
        "release" optional release: Choice<ControllerLine>,
    }
}

/// How the controllers of the target cluster are set up.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Domains of the labels that claims may put on Pods, lower case; sub-domains are included.
    pub(crate) allowed_label_domains: Vec<String>,
    /// The installed release line.
    pub(crate) line: ControllerLine,
}

impl Settings {
    /// Those of a run.
    pub(crate) fn of(setup: &Setup) -> Self {
        let own = setup.settings::<AgentSandboxSettings>();
        let domains = own.and_then(|it| it.allowed_label_domains.as_ref());
        let domains = domains.map(|it| it.items.iter().map(|it| it.as_str().to_owned()).collect());
        Self {
            allowed_label_domains: domains.unwrap_or_else(|| vec![DEFAULT_LABEL_DOMAIN.to_owned()]),
            line: own.and_then(|it| it.release.as_ref()).map(|it| it.value).unwrap_or_default(),
        }
    }
}
