//! `Sandbox`: a Sandbox outside of any pool.

use super::blueprint::Blueprint;
use super::inherited;
use super::volume_claim::VolumeClaim;
use crate::decode::{Choice, Flag, Listed, Text, choice, definition};
use crate::diag::Reported;
use crate::lower::{Instance, Lowering};
use crate::workload::PodFields;

choice! {
    /// Whether a sandbox has a Pod.
    pub(crate) enum OperatingMode {
        /// The sandbox has a Pod.
        Running = "Running",
        /// The sandbox has no Pod; its Service and volumes are kept.
        Suspended = "Suspended",
    }
}

choice! {
    /// The action when a sandbox expires.
    pub(crate) enum ShutdownPolicy {
        /// Keeps the Sandbox and its volumes, and deletes Pod and Service.
        Retain = "Retain",
        /// Deletes the Sandbox with its volumes.
        Delete = "Delete",
    }
}

definition! {
    /// A sandbox without a pool or a claim. The main container is named `main`, unless `container`
    /// names it.
    pub(crate) struct SandboxSpec in "Sandbox.spec" {
        flatten pod: PodFields,
        /// Name of the main container. Defaults to `main`.
        "container" optional container: Text,
        /// Name of the Template, in the same namespace, that this sandbox inherits its Pod, volume
        /// claims and Service from. `network` and `claims` of the Template only apply to claims.
        "extends" optional extends: Text,
        /// PersistentVolumeClaims that are created for the sandbox.
        "volumeClaims" optional volume_claims: Listed<VolumeClaim>,
        /// Whether the controller creates a headless Service with the name of the sandbox.
        "service" optional service: Flag,
        /// Operating mode of the sandbox: `Running` or `Suspended`. Defaults to `Running`.
        "operatingMode" optional operating_mode: Choice<OperatingMode>,
        /// Time at which the sandbox expires, in RFC 3339: `2030-01-31T18:00:00Z`. By default a
        /// sandbox never expires.
        "shutdownTime" optional shutdown_time: Text,
        /// Action when the sandbox expires: `Retain` or `Delete`. Defaults to `Retain`.
        "shutdownPolicy" optional shutdown_policy: Choice<ShutdownPolicy>,
    }
}

/// Lowers a sandbox to a Sandbox.
pub(super) fn lower(instance: Instance, lowering: &mut Lowering<'_, '_>) -> Result<(), Reported> {
    let (definition, pods) = inherited::read::<SandboxSpec>(instance, lowering)?;
    let (frame, spec) = definition.open();
    let SandboxSpec {
        pod: _,
        container,
        extends: _,
        volume_claims,
        service,
        operating_mode,
        shutdown_time,
        shutdown_policy,
    } = spec;

    let mut sandbox = frame.map();
    let blueprint = Blueprint { pods, container, volume_claims, service };
    blueprint.lower_into(&mut sandbox, &frame, lowering);
    sandbox.set_some("operatingMode", operating_mode.map(Choice::into_node));
    sandbox.set_some("shutdownTime", shutdown_time.map(Text::into_node));
    sandbox.set_some("shutdownPolicy", shutdown_policy.map(Choice::into_node));
    lowering.emit(&frame, "agents.x-k8s.io/v1beta1", "Sandbox", sandbox);
    Ok(())
}
