//! `SandboxWarmPool`: Sandboxes that wait, started, for claims.

use super::{EXTENSIONS_GROUP, V1ALPHA1, V1BETA1};
use crate::crd::description::{ApiVersions, Column, Default, Kind, Limits, Moved, Value, record};

/// The kind.
pub(super) static SANDBOX_WARM_POOL: Kind = Kind {
    group: EXTENSIONS_GROUP,
    name: "SandboxWarmPool",
    plural: "sandboxwarmpools",
    singular: "sandboxwarmpool",
    short_name: "swp",
    spec: &SPEC,
    status: Some(&STATUS),
    columns: &[
        Column { name: "Ready", kind: "integer", json_path: ".status.readyReplicas" },
        Column { name: "Desired", kind: "integer", json_path: ".spec.replicas" },
        Column::AGE,
    ],
    columns_in: ApiVersions::All,
    scales_in: ApiVersions::All,
    moved: &[Moved {
        path: "spec.templateRef",
        versions: ApiVersions::All,
        instead: "write `sandboxTemplateRef`",
        replaced_by: Some("sandboxTemplateRef"),
    }],
    told_by_rules: &[],
};

record! {
    /// What the pool shall hold.
    SPEC {
        /// How many Sandboxes wait. With 0 the pool only connects claims to the template.
        replicas: Value::Int32(Limits::NOT_NEGATIVE),
            default = Some(Default::Int(1)),
            versions = ApiVersions::Only(V1BETA1);
        /// How many Sandboxes wait.
        replicas: Value::Int32(Limits::NOT_NEGATIVE),
            required = true,
            versions = ApiVersions::Only(V1ALPHA1);
        /// What they are made from.
        sandboxTemplateRef: Value::Record(&TEMPLATE_REFERENCE), required = true;
        /// What happens to waiting Sandboxes when the template changes.
        updateStrategy: Value::Record(&UPDATE_STRATEGY);
    }
}

record! {
    /// A SandboxTemplate in the same namespace.
    TEMPLATE_REFERENCE {
        /// Its name. Nothing checks when the pool is applied that it exists, or is not empty.
        name: Value::Text, required = true;
    }
}

record! {
    /// What happens to waiting Sandboxes when the template changes.
    UPDATE_STRATEGY {
        /// `Recreate` replaces all at once, `OnReplenish` only those that claims take.
        type: Value::Choice(&["Recreate", "OnReplenish"]),
            default = Some(Default::Text("OnReplenish"));
    }
}

record! {
    /// What the controller found; not to be written by hand.
    STATUS {
        /// The `metadata.generation` that it speaks of.
        observedGeneration: Value::Int64(Limits::NOT_NEGATIVE),
            versions = ApiVersions::Only(V1BETA1);
        /// Waiting Sandboxes that are ready.
        readyReplicas: Value::Int32(Limits::NONE);
        /// Waiting Sandboxes.
        replicas: Value::Int32(Limits::NONE);
        /// Their label selector, for the scale subresource.
        selector: Value::Text;
    }
}
