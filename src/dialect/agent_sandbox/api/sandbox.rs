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

/// The list can not be changed, added or removed once the Sandbox exists. The rule compares with
/// the object as it was, so nothing is checked when it is made.
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
    /// What the Sandbox shall be.
    SPEC[VOLUME_CLAIM_TEMPLATES_ARE_IMMUTABLE] {
        /// Whether the Pod runs. `Suspended` deletes the Pod and keeps storage and Service.
        operatingMode: Value::Choice(&["Running", "Suspended"]),
            default = Some(Default::Text("Running")),
            versions = ApiVersions::Only(V1BETA1);
        /// The Pod. Changes of its spec reach the Pod only when it is made again.
        podTemplate: POD_TEMPLATE, required = true;
        /// 1 is running, 0 is suspended.
        replicas: Value::Int32(Limits { minimum: Some(0), maximum: Some(1) }),
            default = Some(Default::Int(1)),
            versions = ApiVersions::Only(V1ALPHA1);
        /// Whether there is a headless Service of the same name. Absent: none is made, and one
        /// that is there is kept.
        service: Value::Bool;
        /// What happens to the Sandbox at `shutdownTime`. `Delete` takes its storage along.
        shutdownPolicy: Value::Choice(&["Delete", "Retain"]),
            default = Some(Default::Text("Retain"));
        /// When Pod and Service are deleted; a time in the past does so at once.
        shutdownTime: Value::Time;
        /// Storage, one claim per entry. Can not be changed once the Sandbox exists.
        volumeClaimTemplates: VOLUME_CLAIM_TEMPLATES;
    }
}

record! {
    /// What the controller found; not to be written by hand.
    STATUS {
        /// `Ready`, `Suspended`, `PodScheduled`, `Finished`.
        conditions: CONDITIONS;
        /// The node of the Pod.
        nodeName: Value::Text, versions = ApiVersions::Only(V1BETA1);
        /// The addresses of the Pod.
        podIPs: Value::List(&Value::Text);
        /// 1 while there is a Pod.
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
