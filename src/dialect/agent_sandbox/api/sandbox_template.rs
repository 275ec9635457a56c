//! `SandboxTemplate`: the template for the Sandboxes of a warm pool or a claim.

use super::blueprint::{POD_NAME, POD_NAMESPACE, POD_TEMPLATE, VOLUME_CLAIM_TEMPLATES};
use super::{EXTENSIONS_GROUP, V1BETA1};
use crate::crd::description::{ApiVersions, Default, Kind, Moved, Value, record};

/// The kind.
pub(super) static SANDBOX_TEMPLATE: Kind = Kind {
    group: EXTENSIONS_GROUP,
    name: "SandboxTemplate",
    plural: "sandboxtemplates",
    singular: "sandboxtemplate",
    short_name: "sandboxtemplate",
    spec: &SPEC,
    status: None,
    columns: &[],
    columns_in: ApiVersions::None,
    scales_in: ApiVersions::None,
    moved: &[
        Moved {
            path: "spec.networkPolicy.podSelector",
            versions: ApiVersions::All,
            instead: "leave `podSelector` out: the policy selects the Pods of this template",
            replaced_by: None,
        },
        Moved {
            path: "spec.networkPolicy.policyTypes",
            versions: ApiVersions::All,
            instead: "leave `policyTypes` out: the policy always governs both directions, \
                      and closes the one for which it has no rule",
            replaced_by: None,
        },
        POD_NAME,
        POD_NAMESPACE,
    ],
    told_by_rules: &[],
};

record! {
    /// Desired state of each Sandbox of this template, and the changes that a claim can make.
    SPEC {
        /// Policy for environment variables of a claim: none, only names that the container does
        /// not have, or any.
        envVarsInjectionPolicy: Value::Choice(&["Allowed", "Overrides", "Disallowed"]),
            default = Some(Default::Text("Disallowed"));
        /// Allowed traffic of the Pods, instead of the built-in policy. A direction without rules
        /// is denied; no rule of the built-in policy remains.
        networkPolicy: Value::Record(&NETWORK_POLICY);
        /// `Unmanaged`: no NetworkPolicy is created, and `networkPolicy` is ignored.
        networkPolicyManagement: Value::Choice(&["Managed", "Unmanaged"]),
            default = Some(Default::Text("Managed"));
        /// The Pod.
        podTemplate: POD_TEMPLATE, required = true;
        /// Whether each Sandbox has a headless Service with its name.
        service: Value::Bool;
        /// Volumes, one claim per entry and Sandbox.
        volumeClaimTemplates: VOLUME_CLAIM_TEMPLATES;
        /// Policy for volume claims of a claim: none, only under new names, or any.
        volumeClaimTemplatesPolicy: Value::Choice(&["Disallowed", "Allowed", "Overrides"]),
            default = Some(Default::Text("Disallowed")),
            versions = ApiVersions::Only(V1BETA1);
    }
}

record! {
    /// The rules of a NetworkPolicy. The controller sets its Pod selector and both policy types.
    NETWORK_POLICY {
        /// Allowed connections from the Pods.
        egress: Value::List(
            &Value::Builtin("io.k8s.api.networking.v1.NetworkPolicyEgressRule"),
        );
        /// Allowed connections to the Pods.
        ingress: Value::List(
            &Value::Builtin("io.k8s.api.networking.v1.NetworkPolicyIngressRule"),
        );
    }
}
