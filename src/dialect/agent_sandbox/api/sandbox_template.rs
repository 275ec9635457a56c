//! `SandboxTemplate`: what the Sandboxes of a warm pool, or of a claim, are made from.

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
    /// What each Sandbox from this template shall be, and what a claim may change of it.
    SPEC {
        /// Whether a claim may set environment variables: not at all, only names that the
        /// container does not have, or any.
        envVarsInjectionPolicy: Value::Choice(&["Allowed", "Overrides", "Disallowed"]),
            default = Some(Default::Text("Disallowed"));
        /// Traffic of the Pods, in place of the built-in policy. A direction that is absent is
        /// closed; nothing of the built-in policy stays.
        networkPolicy: Value::Record(&NETWORK_POLICY);
        /// `Unmanaged`: no NetworkPolicy is made, and `networkPolicy` is ignored.
        networkPolicyManagement: Value::Choice(&["Managed", "Unmanaged"]),
            default = Some(Default::Text("Managed"));
        /// The Pod.
        podTemplate: POD_TEMPLATE, required = true;
        /// Whether each Sandbox has a headless Service of its name.
        service: Value::Bool;
        /// Storage, one claim per entry and Sandbox.
        volumeClaimTemplates: VOLUME_CLAIM_TEMPLATES;
        /// Whether a claim may bring storage: not at all, only under new names, or any.
        volumeClaimTemplatesPolicy: Value::Choice(&["Disallowed", "Allowed", "Overrides"]),
            default = Some(Default::Text("Disallowed")),
            versions = ApiVersions::Only(V1BETA1);
    }
}

record! {
    /// The rules of a NetworkPolicy. Which Pods it selects, and both policy types, are given.
    NETWORK_POLICY {
        /// Where Pods may connect to.
        egress: Value::List(
            &Value::Builtin("io.k8s.api.networking.v1.NetworkPolicyEgressRule"),
        );
        /// Who may connect to Pods.
        ingress: Value::List(
            &Value::Builtin("io.k8s.api.networking.v1.NetworkPolicyIngressRule"),
        );
    }
}
