//! Where the release of each line runs the router.

use crate::dialect::agent_sandbox::api::ControllerLine;
use crate::dialect::agent_sandbox::names::INSTALL_NAMESPACE;

/// The place of the router, and the advice for policies that have to admit it.
pub(super) struct RouterPlace {
    /// The namespaces in which it runs: that of the release, and others in which it is usual.
    pub(super) namespaces: &'static [&'static str],
    /// A note.
    pub(super) location: &'static str,
    /// The help for a peer that has only a `podSelector`.
    pub(super) complete_peer: &'static str,
    /// The help for a policy without such a peer.
    pub(super) add_rule: &'static str,
}

/// Its Pods have the label `app.kubernetes.io/name`, not `app`.
const OF_0_5: RouterPlace = RouterPlace {
    // The default NetworkPolicy of this line already admits the second one only.
    namespaces: &["default", INSTALL_NAMESPACE],
    location: "the router of release 0.5 runs in namespace `default`, without the label `app`",
    complete_peer: "write `namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}` and \
                    `podSelector: {matchLabels: {app.kubernetes.io/name: sandbox-router}}` in the same peer",
    add_rule: "add an ingress rule `from` a peer with `namespaceSelector: {matchLabels: \
               {kubernetes.io/metadata.name: default}}` and `podSelector: {matchLabels: \
               {app.kubernetes.io/name: sandbox-router}}`",
};

const OF_1_0: RouterPlace = RouterPlace {
    namespaces: &[INSTALL_NAMESPACE],
    location: "the router runs in namespace `agent-sandbox-system`",
    complete_peer: "add `namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: \
                    agent-sandbox-system}}` to the same peer",
    add_rule: "add an ingress rule `from` a peer with `namespaceSelector: {matchLabels: \
               {kubernetes.io/metadata.name: agent-sandbox-system}}` and `podSelector: {matchLabels: \
               {app: sandbox-router}}`",
};

impl RouterPlace {
    /// That of a release line.
    pub(super) const fn of_line(line: ControllerLine) -> &'static Self {
        match line {
            ControllerLine::V0_5 => &OF_0_5,
            ControllerLine::V1_0 => &OF_1_0,
        }
    }
}
