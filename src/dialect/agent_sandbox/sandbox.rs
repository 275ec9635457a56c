//! `Sandbox`: a bare Sandbox, outside of any pool.

use super::blueprint::{self, BlueprintPart};
use super::template::TemplateSpec;
use super::volume_claim::VolumeClaim;
use crate::decode::{Choice, Flag, Listed, Text, choice, definition};
use crate::diag::Reported;
use crate::lower::{Definition, Lowering};
use crate::workload::PodFields;

choice! {
    /// Whether a sandbox has a Pod.
    pub(crate) enum OperatingMode {
        /// It has.
        Running = "Running",
        /// It has none; Service and volumes stay.
        Suspended = "Suspended",
    }
}

choice! {
    /// What happens to a sandbox at its end.
    pub(crate) enum ShutdownPolicy {
        /// The Sandbox and its volumes stay, Pod and Service go.
        Retain = "Retain",
        /// It is deleted with its volumes.
        Delete = "Delete",
    }
}

definition! {
    /// A sandbox that is made at once, without a pool or a claim.
    pub(crate) struct SandboxSpec in "Sandbox.spec" {
        flatten pod: PodFields,
        /// Name of the Template, in the same namespace, whose Pod, volume claims and Service hold
        /// where this sandbox says nothing. Its `network` and `claims` concern claims alone.
        "extends" optional extends: Text,
        /// Volumes that are claimed for the sandbox.
        "volumeClaims" optional volume_claims: Listed<VolumeClaim>,
        /// Whether the sandbox gets a headless Service of its own name.
        "service" optional service: Flag,
        /// `Running` (the default) or `Suspended`.
        "operatingMode" optional operating_mode: Choice<OperatingMode>,
        /// The moment of the end, RFC 3339: `2030-01-31T18:00:00Z`. Without it, never.
        "shutdownTime" optional shutdown_time: Text,
        /// What happens then: `Retain` (the default) or `Delete`.
        "shutdownPolicy" optional shutdown_policy: Choice<ShutdownPolicy>,
    }
}

/// A Sandbox.
pub(super) fn lower(
    definition: Definition<SandboxSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, spec) = definition.open();
    let SandboxSpec {
        pod,
        extends,
        volume_claims,
        service,
        operating_mode,
        shutdown_time,
        shutdown_policy,
    } = spec;
    let ancestors = lowering.instances.ancestors::<TemplateSpec>(
        frame.namespace(),
        extends.as_ref(),
        lowering.sink,
    )?;
    let mut parts: Vec<_> = ancestors
        .into_iter()
        .map(|it| BlueprintPart {
            pod: it.pod,
            volume_claims: it.volume_claims,
            service: it.service,
        })
        .collect();
    parts.push(BlueprintPart { pod, volume_claims, service });

    let mut sandbox = frame.map();
    blueprint::build(parts, &frame, lowering).set_into(&mut sandbox);
    sandbox.set_some("operatingMode", operating_mode.map(Choice::into_node));
    sandbox.set_some("shutdownTime", shutdown_time.map(Text::into_node));
    sandbox.set_some("shutdownPolicy", shutdown_policy.map(Choice::into_node));
    lowering.emit(&frame, "agents.x-k8s.io/v1beta1", "Sandbox", sandbox);
    Ok(())
}
