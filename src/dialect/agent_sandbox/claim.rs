//! `Claim`: a SandboxClaim.

use super::volume_claim::VolumeClaimTemplate;
use crate::decode::{Choice, Integer, Listed, Text, choice, definition};
use crate::lower::{Definition, Frame, Lowering};
use crate::tree::Node;
use crate::workload::PodMetadata;

choice! {
    /// The action when a claim expires.
    pub(crate) enum ClaimShutdownPolicy {
        /// Keeps the claim and deletes its sandbox with its volumes.
        Retain = "Retain",
        /// Deletes the claim too.
        Delete = "Delete",
        /// Deletes the claim after its sandbox and Pod.
        DeleteForeground = "DeleteForeground",
    }
}

definition! {
    /// Expiration of a claim. By default a claim never expires.
    pub(crate) struct ClaimLifecycle in "Claim.spec.lifecycle" {
        /// Time at which the claim expires, in RFC 3339: `2030-01-31T18:00:00Z`.
        "shutdownTime" optional shutdown_time: Text,
        /// Seconds between the end of the Pod and the expiration of the claim.
        "ttlSecondsAfterFinished" optional ttl_seconds_after_finished: Integer,
        /// Action when the claim expires: `Retain`, `Delete` or `DeleteForeground`. Defaults to
        /// `Retain`.
        "shutdownPolicy" optional shutdown_policy: Choice<ClaimShutdownPolicy>,
    }
}

definition! {
    /// An environment variable that a claim adds. A claim with variables always cold-starts.
    pub(crate) struct ClaimVariable in "Claim.spec.env[]" {
        /// Name of the variable.
        "name" required name: Text,
        /// Value of the variable. A claim cannot refer to a Secret.
        "value" required value: Text,
        /// Name of the container that gets the variable. Defaults to the first container.
        "containerName" optional container_name: Text,
    }
}

definition! {
    /// A request for one sandbox of a pool.
    pub(crate) struct ClaimSpec in "Claim.spec" {
        /// Name of the WarmPool of the sandbox, in the same namespace.
        "warmPool" required warm_pool: Text,
        /// Expiration of the claim.
        "lifecycle" optional lifecycle: ClaimLifecycle,
        /// Labels and annotations that are added to the Pod.
        "podMetadata" optional pod_metadata: PodMetadata,
        /// Environment variables that are added to the Pod. The Template must allow them
        /// (`claims.env`).
        "env" optional env: Listed<ClaimVariable>,
        /// PersistentVolumeClaims that are created for the sandbox. The Template must allow them
        /// (`claims.volumeClaims`).
        "volumeClaims" optional volume_claims: Listed<VolumeClaimTemplate>,
    }
}

/// Lowers a claim to a SandboxClaim.
pub(super) fn lower(definition: Definition<ClaimSpec>, lowering: &mut Lowering<'_, '_>) {
    let (frame, spec) = definition.open();
    let ClaimSpec { warm_pool, lifecycle, pod_metadata, env, volume_claims } = spec;

    let variables = env.map(|list| {
        frame.list(list.items.into_iter().map(|variable| lower_variable(variable, &frame)))
    });
    let templates = volume_claims
        .map(|list| frame.list(list.items.into_iter().map(|claim| claim.lower(frame.managed()))));
    let claim = frame.map_with([
        ("warmPoolRef", Some(frame.map_of("name", warm_pool.into_node()))),
        ("lifecycle", lifecycle.map(|lifecycle| lower_lifecycle(lifecycle, &frame))),
        ("additionalPodMetadata", pod_metadata.map(|it| it.lower(frame.managed()))),
        ("env", variables),
        ("volumeClaimTemplates", templates),
    ]);
    lowering.emit(&frame, "extensions.agents.x-k8s.io/v1beta1", "SandboxClaim", claim);
}

fn lower_lifecycle(lifecycle: ClaimLifecycle, frame: &Frame) -> Node {
    let ClaimLifecycle { shutdown_time, ttl_seconds_after_finished, shutdown_policy } = lifecycle;
    frame.map_with([
        ("shutdownTime", shutdown_time.map(Text::into_node)),
        ("ttlSecondsAfterFinished", ttl_seconds_after_finished.map(Integer::into_node)),
        ("shutdownPolicy", shutdown_policy.map(Choice::into_node)),
    ])
}

fn lower_variable(variable: ClaimVariable, frame: &Frame) -> Node {
    let ClaimVariable { name, value, container_name } = variable;
    frame.map_with([
        ("name", Some(name.into_node())),
        ("value", Some(value.into_node())),
        ("containerName", container_name.map(Text::into_node)),
    ])
}
