//! Fields of agent-sandbox objects that definitions express differently.

use crate::lower::Moved;

const POD: &str = "write its fields directly in `spec`: `image`, `command`, `env` and so on for \
    the container, all others under `podOverrides`";
const POD_TEMPLATE: Moved = Moved { path: "spec.podTemplate", instead: POD, replaced_by: None };
const CONTAINERS: &str = "write `image`, `command`, `env` and so on directly in `spec` for the \
    main container; write other containers under `podOverrides.containers`";
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
        instead: "write `management` below `network`",
        replaced_by: None,
    },
    Moved {
        path: "spec.envVarsInjectionPolicy",
        instead: "write `env` below `claims`",
        replaced_by: None,
    },
    Moved {
        path: "spec.volumeClaimTemplatesPolicy",
        instead: "write `volumeClaims` below `claims`",
        replaced_by: None,
    },
];

/// Fields of a SandboxWarmPool.
pub(super) static OF_WARM_POOL: &[Moved] = &[
    Moved {
        path: "spec.sandboxTemplateRef",
        instead: "write `template: <name>` with the name of the Template",
        replaced_by: Some("template"),
    },
    Moved {
        path: "spec.templateRef",
        instead: "write `template: <name>` with the name of the Template",
        replaced_by: Some("template"),
    },
    Moved { path: "spec.image", instead: WRITE_IN_TEMPLATE, replaced_by: None },
    Moved { path: "spec.resources", instead: WRITE_IN_TEMPLATE, replaced_by: None },
    Moved { path: "spec.podOverrides", instead: WRITE_IN_TEMPLATE, replaced_by: None },
];

const NAME_A_POOL: &str = "write `warmPool: <name>`: a claim names a WarmPool, which names its \
    Template; a WarmPool with `replicas: 0` is sufficient";

const WRITE_IN_TEMPLATE: &str = "set the field in the Template of the pool, or in another \
    Template that extends it";

/// Fields of a SandboxClaim, in its versions.
pub(super) static OF_CLAIM: &[Moved] = &[
    Moved {
        path: "spec.warmPoolRef",
        instead: "write `warmPool: <name>` with the name of the WarmPool",
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
        instead: "write `operatingMode: Suspended` instead of `replicas: 0`, and omit `replicas: \
            1`",
        replaced_by: None,
    },
];
