//! `Sandbox`: one Pod with a stable name, its storage and its Service.

use super::blueprint::{POD_NAME, POD_NAMESPACE, POD_TEMPLATE, VOLUME_CLAIM_TEMPLATES};
use super::condition::CONDITIONS;
use super::{CORE_GROUP, V1ALPHA1, V1BETA1};
use crate::crd::description::{
    ApiVersions, Column, Default, Kind, Limits, Moved, Rule, Value, record,
};

/// The kind.
pub(super) static SANDBOX: Kind = Kind {
    group: CORE_GROUP,
    name: "Sandbox",
    plural: "sandboxes",
    singular: "sandbox",
    short_name: "sandbox",
    spec: &SPEC,
    status: Some(&STATUS),
    columns: &[Column::READY, Column::REASON, Column::AGE],
    columns_in: ApiVersions::Only(V1BETA1),
    scales_in: ApiVersions::Only(V1ALPHA1),
    moved: &[
        Moved {
            path: "spec.replicas",
            versions: ApiVersions::Only(V1BETA1),
            instead: "write `operatingMode: Suspended` in place of `replicas: 0`, \
                      and `operatingMode: Running` or nothing in place of `replicas: 1`",
            replaced_by: None,
        },
        POD_NAME,
        POD_NAMESPACE,
    ],
    told_by_rules: &["spec.shutdownTime"],
};

/// The list cannot be changed, added or removed after the Sandbox is created. The rule compares
/// with the previous object, so it does not apply on creation.
const VOLUME_CLAIM_TEMPLATES_ARE_IMMUTABLE: Rule = Rule {
    expression: concat!(
        "has(self.volumeClaimTemplates) == has(oldSelf.volumeClaimTemplates)",
        " && (!has(self.volumeClaimTemplates)",
        " || self.volumeClaimTemplates == oldSelf.volumeClaimTemplates)",
    ),
    message: "volumeClaimTemplates is immutable",
    versions: ApiVersions::Only(V1BETA1),
};

record! {
    /// Desired state of the Sandbox.
    SPEC[VOLUME_CLAIM_TEMPLATES_ARE_IMMUTABLE] {
        /// Operating mode. `Suspended` deletes the Pod and keeps volumes and Service.
        operatingMode: Value::Choice(&["Running", "Suspended"]),
            default = Some(Default::Text("Running")),
            versions = ApiVersions::Only(V1BETA1);
        /// The Pod. Changes of its spec only apply to a new Pod.
        podTemplate: POD_TEMPLATE, required = true;
        /// 1 means running, 0 suspended.
        replicas: Value::Int32(Limits { minimum: Some(0), maximum: Some(1) }),
            default = Some(Default::Int(1)),
            versions = ApiVersions::Only(V1ALPHA1);
        /// Whether the controller creates a headless Service with the same name. If absent, it
        /// creates none and keeps an existing one.
        service: Value::Bool;
        /// Action at `shutdownTime`. `Delete` also deletes the volumes.
        shutdownPolicy: Value::Choice(&["Delete", "Retain"]),
            default = Some(Default::Text("Retain"));
        /// Time at which Pod and Service are deleted; immediately if it is in the past.
        shutdownTime: Value::Time;
        /// Volumes, one claim per entry. Immutable after creation.
        volumeClaimTemplates: VOLUME_CLAIM_TEMPLATES;
    }
}

record! {
    /// State that the controller reports.
    STATUS {
        /// `Ready`, `Suspended`, `PodScheduled`, `Finished`.
        conditions: CONDITIONS;
        /// The node of the Pod.
        nodeName: Value::Text, versions = ApiVersions::Only(V1BETA1);
        /// The addresses of the Pod.
        podIPs: Value::List(&Value::Text);
        /// 1 if the Pod exists.
        replicas: Value::Int32(Limits::NOT_NEGATIVE),
            versions = ApiVersions::Only(V1ALPHA1);
        /// The label selector of the Pod, for the scale subresource.
        selector: Value::Text;
        /// The name of the Service.
        service: Value::Text;
        /// The name of the Service in DNS.
        serviceFQDN: Value::Text;
    }
}
