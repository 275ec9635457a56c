//! What the objects of agent-sandbox say in a field, and definitions in another way.

use crate::lower::Moved;

const POD: &str = "write its fields in `spec` itself: `image`, `command`, `env` and so on for the \
                   container, and what has no field of its own under `podOverrides`";
const POD_TEMPLATE: Moved = Moved { path: "spec.podTemplate", instead: POD, replaced_by: None };
const CONTAINERS: &str = "write `image`, `command`, `env` and so on in `spec` itself, for the main \
                          container; others stand under `podOverrides` as `containers`";
const CONTAINER: Moved = Moved { path: "spec.container", instead: CONTAINERS, replaced_by: None };
const CONTAINER_LIST: Moved = Moved { path: "spec.containers", ..CONTAINER };
const VOLUME_CLAIMS: Moved = Moved {
    path: "spec.volumeClaimTemplates",
    instead: "write `volumeClaims`, a list of items such as `{name: work, size: 10Gi, mountPath: /work}`",
    replaced_by: None,
};

/// Fields of a SandboxTemplate.
pub(super) static OF_TEMPLATE: &[Moved] = &[
    POD_TEMPLATE,
    CONTAINER,
    CONTAINER_LIST,
    VOLUME_CLAIMS,
    Moved {
        path: "spec.networkPolicy",
        instead: "write its `ingress` and `egress` below `network`",
        replaced_by: None,
    },
    Moved {
        path: "spec.networkPolicyManagement",
        instead: "write it as `management` below `network`",
        replaced_by: None,
    },
    Moved {
        path: "spec.envVarsInjectionPolicy",
        instead: "write it as `env` below `claims`",
        replaced_by: None,
    },
    Moved {
        path: "spec.volumeClaimTemplatesPolicy",
        instead: "write it as `volumeClaims` below `claims`",
        replaced_by: None,
    },
];

/// Fields of a SandboxWarmPool.
pub(super) static OF_WARM_POOL: &[Moved] = &[
    Moved {
        path: "spec.sandboxTemplateRef",
        instead: "write `template: <name>`, the name of the Template alone",
        replaced_by: Some("template"),
    },
    Moved {
        path: "spec.templateRef",
        instead: "write `template: <name>`, the name of the Template alone",
        replaced_by: Some("template"),
    },
    Moved { path: "spec.image", instead: WRITE_IN_TEMPLATE, replaced_by: None },
    Moved { path: "spec.resources", instead: WRITE_IN_TEMPLATE, replaced_by: None },
    Moved { path: "spec.podOverrides", instead: WRITE_IN_TEMPLATE, replaced_by: None },
];

const NAME_A_POOL: &str = "write `warmPool: <name>`: a claim names a WarmPool, and the WarmPool its \
                           Template; one with `replicas: 0` is enough";

const WRITE_IN_TEMPLATE: &str = "write it in the Template, which says what the Pods are; another \
                                 Template can extend that one and differ here";

/// Fields of a SandboxClaim, in its versions.
pub(super) static OF_CLAIM: &[Moved] = &[
    Moved {
        path: "spec.warmPoolRef",
        instead: "write `warmPool: <name>`, the name of the WarmPool alone",
        replaced_by: Some("warmPool"),
    },
    Moved { path: "spec.sandboxTemplateRef", instead: NAME_A_POOL, replaced_by: Some("warmPool") },
    Moved { path: "spec.templateRef", instead: NAME_A_POOL, replaced_by: Some("warmPool") },
    Moved { path: "spec.template", instead: NAME_A_POOL, replaced_by: Some("warmPool") },
    Moved { path: "spec.image", instead: WRITE_IN_TEMPLATE, replaced_by: None },
    Moved { path: "spec.resources", instead: WRITE_IN_TEMPLATE, replaced_by: None },
    Moved { path: "spec.podOverrides", instead: WRITE_IN_TEMPLATE, replaced_by: None },
    Moved {
        path: "spec.additionalPodMetadata",
        instead: "write its `labels` and `annotations` below `podMetadata`",
        replaced_by: None,
    },
    Moved {
        path: "spec.volumeClaimTemplates",
        instead: "write `volumeClaims`, whose items have `name` and the fields of `spec`",
        replaced_by: None,
    },
];

/// Fields of a Sandbox.
pub(super) static OF_SANDBOX: &[Moved] = &[
    POD_TEMPLATE,
    CONTAINER,
    CONTAINER_LIST,
    VOLUME_CLAIMS,
    Moved {
        path: "spec.replicas",
        instead: "write `operatingMode: Suspended` in place of `replicas: 0`, and nothing in place of \
                  `replicas: 1`",
        replaced_by: None,
    },
];
