//! `SandboxWarmPool`: idle Sandboxes, started before they are claimed.

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
    /// Desired state of the pool.
    SPEC {
        /// Number of idle Sandboxes. With 0 the pool only connects claims to the template.
        replicas: Value::Int32(Limits::NOT_NEGATIVE),
            default = Some(Default::Int(1)),
            versions = ApiVersions::Only(V1BETA1);
        /// Number of idle Sandboxes.
        replicas: Value::Int32(Limits::NOT_NEGATIVE),
            required = true,
            versions = ApiVersions::Only(V1ALPHA1);
        /// The template of the Sandboxes.
        sandboxTemplateRef: Value::Record(&TEMPLATE_REFERENCE), required = true;
        /// Strategy for replacing idle Sandboxes when the template changes.
        updateStrategy: Value::Record(&UPDATE_STRATEGY);
    }
}

record! {
    /// A SandboxTemplate in the same namespace.
    TEMPLATE_REFERENCE {
        /// Its name. Whether it exists or is empty is not validated when the pool is applied.
        name: Value::Text, required = true;
    }
}

record! {
    /// Strategy for replacing idle Sandboxes when the template changes.
    UPDATE_STRATEGY {
        /// `Recreate` replaces all at once, `OnReplenish` replaces those that claims take.
        type: Value::Choice(&["Recreate", "OnReplenish"]),
            default = Some(Default::Text("OnReplenish"));
    }
}

record! {
    /// State that the controller reports.
    STATUS {
        /// The `metadata.generation` that the status is based on.
        observedGeneration: Value::Int64(Limits::NOT_NEGATIVE),
            versions = ApiVersions::Only(V1BETA1);
        /// Number of ready idle Sandboxes.
        readyReplicas: Value::Int32(Limits::NONE);
        /// Number of idle Sandboxes.
        replicas: Value::Int32(Limits::NONE);
        /// Their label selector, for the scale subresource.
        selector: Value::Text;
    }
}
