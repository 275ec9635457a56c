//! The configuration of the controllers in the target cluster, as far as the rules depend on it.

use super::api::ControllerLine;
use super::domains::Domains;
use super::names::DEFAULT_LABEL_DOMAIN;
use crate::decode::{Choice, Listed, Text, choice, definition};
use crate::lower::Setup;

choice! {
    /// What definitions are compiled to.
    pub(crate) enum Target {
        /// Custom resources, for the controllers of agent-sandbox.
        Resources = "resources",
        /// The objects that the controllers would create, for a cluster without them.
        Pods = "pods",
    }
}

definition! {
    /// Settings of agent-sandbox.
    pub(crate) struct AgentSandboxSettings in "Project.spec.agentSandbox" {
        /// Domains of the labels that claims may set, as in `agent-sandbox-config` of the cluster.
        /// Defaults to `[sandbox.users.io]`.
        "allowedLabelDomains" optional allowed_label_domains: Listed<Text>,
        /// Release line of the agent-sandbox controllers in the cluster: `"0.5"` or `"1.0"`.
        /// Defaults to `"1.0"`. `--agent-sandbox` takes precedence.
        "release" optional release: Choice<ControllerLine>,
        /// What definitions are compiled to: `resources` (the default), the custom resources of
        /// agent-sandbox, or `pods`, the objects that its controllers would create, for clusters
        /// without them.
        "target" optional target: Choice<Target>,
    }
}

/// The configuration of the controllers in the target cluster.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Domains of the labels that claims can set on Pods, in lowercase; subdomains are included.
    pub(crate) allowed_label_domains: Domains,
    /// The installed release line.
    pub(crate) line: ControllerLine,
    /// Whether the output is for a cluster without the controllers.
    pub(crate) is_plain: bool,
}

impl Settings {
    /// The settings of a run.
    pub(crate) fn of(setup: &Setup) -> Self {
        let own = setup.settings::<AgentSandboxSettings>();
        let listed = own.and_then(|settings| settings.allowed_label_domains.as_ref());
        let release = own.and_then(|settings| settings.release.as_ref());
        Self {
            allowed_label_domains: listed.map_or_else(
                || [DEFAULT_LABEL_DOMAIN.to_owned()].into_iter().collect(),
                |list| list.items.iter().map(|domain| domain.as_str().to_owned()).collect(),
            ),
            is_plain: setup.is_plain(),
            line: release.map_or(ControllerLine::DEFAULT, |it| it.value),
        }
    }
}
