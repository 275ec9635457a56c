//! `SandboxClaim`: a request for one Sandbox of a warm pool.

use super::blueprint::VOLUME_CLAIM_TEMPLATES;
use super::condition::CONDITIONS;
use super::{EXTENSIONS_GROUP, V1ALPHA1, V1BETA1};
use crate::crd::description::{
    ApiVersions, Column, Default, Kind, Limits, Moved, Record, Value, record,
};

/// The kind.
pub(super) static SANDBOX_CLAIM: Kind = with_status(&STATUS);
/// The kind in line 0.5.
pub(super) static SANDBOX_CLAIM_0_5: Kind = with_status(&STATUS_0_5);

const fn with_status(status: &'static Record) -> Kind {
    Kind { status: Some(status), ..WITHOUT_STATUS }
}

const WITHOUT_STATUS: Kind = Kind {
    group: EXTENSIONS_GROUP,
    name: "SandboxClaim",
    plural: "sandboxclaims",
    singular: "sandboxclaim",
    short_name: "sandboxclaim",
    spec: &SPEC,
    status: None,
    columns: &[
        Column::READY,
        Column { name: "Sandbox", kind: "string", json_path: ".status.sandbox.name" },
        Column::REASON,
        Column::AGE,
    ],
    columns_in: ApiVersions::Only(V1BETA1),
    scales_in: ApiVersions::None,
    moved: &[
        Moved {
            path: "spec.sandboxTemplateRef",
            versions: ApiVersions::Only(V1BETA1),
            instead: NAME_A_POOL,
            replaced_by: Some("warmPoolRef"),
        },
        Moved {
            path: "spec.templateRef",
            versions: ApiVersions::Only(V1BETA1),
            instead: NAME_A_POOL,
            replaced_by: Some("warmPoolRef"),
        },
        Moved {
            path: "spec.warmpool",
            versions: ApiVersions::Only(V1BETA1),
            instead: "write `warmPoolRef: {name: <pool>}`; for the former values `none` and \
                      `default`, name a SandboxWarmPool of the template; `replicas: 0` keeps no \
                      idle Sandboxes",
            replaced_by: Some("warmPoolRef"),
        },
        Moved {
            path: "spec.warmPool",
            versions: ApiVersions::Only(V1BETA1),
            instead: "write `warmPoolRef: {name: <pool>}` with the name of the SandboxWarmPool",
            replaced_by: Some("warmPoolRef"),
        },
        Moved {
            path: "spec.warmpoolRef",
            versions: ApiVersions::Only(V1BETA1),
            instead: "write `warmPoolRef`, with a capital `P`",
            replaced_by: Some("warmPoolRef"),
        },
    ],
    told_by_rules: &["spec.env[].valueFrom", "spec.lifecycle.shutdownTime"],
};

/// The repair of a claim that names a template, as claims did before `v1beta1`.
const NAME_A_POOL: &str = "write `warmPoolRef: {name: <pool>}` with the name of a SandboxWarmPool of \
                           this template; a pool with `replicas: 0` starts Sandboxes on demand";

record! {
    /// The requested Sandbox.
    SPEC {
        /// Labels and annotations of the Pod in addition to the template's. The controller rejects
        /// keys outside of the domains that its administrator allows.
        additionalPodMetadata: Value::Record(&ADDITIONAL_POD_METADATA);
        /// Environment variables, if the template allows them. A claim with any does not use an
        /// idle Sandbox but starts a new one.
        env: Value::AtomicList(&Value::Record(&ENVIRONMENT_VARIABLE));
        /// Expiration of the claim. By default it never expires.
        lifecycle: Value::Record(&LIFECYCLE);
        /// The template of the Sandbox.
        sandboxTemplateRef: Value::Record(&TEMPLATE_REFERENCE),
            required = true,
            versions = ApiVersions::Only(V1ALPHA1);
        /// Volumes in addition to the template's, if the template allows them. A claim with any
        /// does not use an idle Sandbox but starts a new one.
        volumeClaimTemplates: VOLUME_CLAIM_TEMPLATES,
            versions = ApiVersions::Only(V1BETA1);
        /// The pool whose Sandbox is used, or else whose template a new one is created from.
        warmPoolRef: Value::Record(&WARM_POOL_REFERENCE),
            required = true,
            versions = ApiVersions::Only(V1BETA1);
        /// The name of a pool, `default` for any pool of the template, `none` for no pool.
        warmpool: Value::Text,
            default = Some(Default::Text("default")),
            versions = ApiVersions::Only(V1ALPHA1);
    }
}

record! {
    /// Labels and annotations of the Pod.
    ADDITIONAL_POD_METADATA {
        /// Not below `kubernetes.io`, `k8s.io` or `agents.x-k8s.io`.
        annotations: Value::TextMap;
        /// Below `sandbox.users.io`, unless the controller is configured otherwise.
        labels: Value::TextMap;
    }
}

record! {
    /// An environment variable.
    ENVIRONMENT_VARIABLE {
        /// The container or init container. Defaults to the first container.
        containerName: Value::Text;
        /// The name.
        name: Value::Text, required = true;
        /// The value, always a literal.
        value: Value::Text, required = true;
    }
}

record! {
    /// Expiration: at `shutdownTime` or after the time to live, whichever is first.
    LIFECYCLE {
        /// Action at expiration. `Retain` only keeps the claim; its Sandbox and volumes are
        /// deleted.
        shutdownPolicy: Value::Choice(&["Delete", "DeleteForeground", "Retain"]),
            default = Some(Default::Text("Retain"));
        /// Time of expiration.
        shutdownTime: Value::Time;
        /// Seconds after the Pod has finished, which a Pod that always restarts never does.
        ttlSecondsAfterFinished: Value::Int32(Limits::NOT_NEGATIVE);
    }
}

record! {
    /// A SandboxTemplate in the same namespace.
    TEMPLATE_REFERENCE {
        /// Its name.
        name: Value::Text, required = true;
    }
}

record! {
    /// A SandboxWarmPool in the same namespace.
    WARM_POOL_REFERENCE {
        /// Its name. Whether it exists or is empty is not validated when the claim is applied.
        name: Value::Text, required = true;
    }
}

record! {
    /// State that the controller reports.
    STATUS {
        /// `Ready`, `Finished`.
        conditions: CONDITIONS;
        /// The Sandbox of the claim.
        sandbox: Value::Record(&SANDBOX_STATUS);
    }
}

record! {
    /// State that the controller of line 0.5 reports.
    STATUS_0_5 {
        /// `Ready`, `Finished`.
        conditions: CONDITIONS;
        /// The Sandbox of the claim.
        sandbox: Value::Record(&SANDBOX_STATUS_0_5);
    }
}

record! {
    /// The Sandbox of a claim.
    SANDBOX_STATUS {
        /// Its name.
        name: Value::Text;
        /// The addresses of its Pod.
        podIPs: Value::List(&Value::Text);
        /// The name of its Service in DNS.
        serviceFQDN: Value::Text;
    }
}

record! {
    /// The Sandbox of a claim, in line 0.5.
    SANDBOX_STATUS_0_5 {
        /// Its name.
        name: Value::Text;
        /// The addresses of its Pod.
        podIPs: Value::List(&Value::Text);
    }
}
