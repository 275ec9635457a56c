//! The part of the orchestrator's configuration that affects servers.

use crate::decode::{Anything, Integer, Text, definition};
use crate::lower::Setup;
use crate::tree::Number;

definition! {
    /// Scheduling on a dedicated node pool. Present means enabled.
    pub(crate) struct NodePool in "Project.spec.idegym.nodePool" {
        /// Key of the taint, and of the label, of the nodes in the pool. Defaults to
        /// `jetbrains.com/idegym`.
        "taintKey" optional taint_key: Text,
        /// Weight of the preference for nodes of the pool, 1 to 100. Defaults to 100.
        "preferenceWeight" optional preference_weight: Integer,
    }
}

definition! {
    /// Snapshots of running Pods. Present means enabled.
    pub(crate) struct PodSnapshot in "Project.spec.idegym.podSnapshot" {
        /// ServiceAccount with the permissions for snapshots. Servers that name no ServiceAccount use
        /// it. Defaults to `idegym`.
        "serviceAccountName" optional service_account_name: Text,
    }
}

definition! {
    /// Tracing of servers.
    pub(crate) struct Tracing in "Project.spec.idegym.tracing" {
        /// OTLP endpoint for traces, an `http` or `https` URL.
        "endpoint" optional endpoint: Text,
        /// Timeout for sending traces, in seconds. Defaults to 10.
        "timeoutSeconds" optional timeout_seconds: Anything,
    }
}

definition! {
    /// Configuration of the orchestrator that shapes servers.
    pub(crate) struct IdegymSettings in "Project.spec.idegym" {
        /// Version of idegym, for the label `app.kubernetes.io/version`. Defaults to `latest`.
        "version" optional version: Text,
        /// Scheduling on a dedicated node pool.
        "nodePool" optional node_pool: NodePool,
        /// Snapshots of running Pods.
        "podSnapshot" optional pod_snapshot: PodSnapshot,
        /// Tracing of servers.
        "tracing" optional tracing: Tracing,
    }
}

/// The block of the Project; `None` without one.
pub(super) fn of(setup: &Setup) -> Option<&IdegymSettings> {
    setup.settings()
}

impl Tracing {
    /// The timeout in seconds; `None` if it is not set, or not a number of seconds.
    pub(super) fn timeout(&self) -> Option<f64> {
        let number = match self.timeout_seconds.as_ref()?.node.as_number()? {
            Number::Int(seconds) => f64::from(u32::try_from(seconds).ok()?),
            Number::UInt(_) => return None,
            Number::Float(seconds) => seconds,
        };
        Some(number).filter(|number| *number >= 0.0)
    }
}
