//! The objects that the resources of kelos refer to.

use super::GROUP;
use crate::kube::{
    CONFIG_MAP, EACH, KindFacts, PERSISTENT_VOLUME_CLAIM, Reference, References, SECRET,
    SERVICE_ACCOUNT, Target, Use,
};

const TASK: Target = Target::namespaced(GROUP, "Task");
const WORKSPACE: Target = Target::namespaced(GROUP, "Workspace");
const AGENT_CONFIG: Target = Target::namespaced(GROUP, "AgentConfig");
const WORKER_POOL: Target = Target::namespaced(GROUP, "WorkerPool");

/// The path of the Task description in a TaskSpawner.
const OF_TEMPLATE: &[&[&str]] = &[&["spec", "taskTemplate"], &["spec", "taskTemplate", "worker"]];

/// The kinds that refer to other objects.
pub(super) static FACTS: &[KindFacts] = &[
    KindFacts {
        references: &[
            References { owners: &[&["spec"], &["spec", "worker"]], fields: OF_WORKER },
            References { owners: &[&["spec"], &["spec", "worker"]], fields: ACCOUNT },
            References { owners: &[&["spec"]], fields: OF_TASK },
        ],
        ..KindFacts::new(GROUP, TASK.kind)
    },
    KindFacts {
        references: &[
            References { owners: OF_TEMPLATE, fields: OF_WORKER },
            References { owners: OF_TEMPLATE, fields: ACCOUNT },
            References { owners: &[&["spec", "taskTemplate"]], fields: OF_TASK },
            References {
                owners: &[&["spec"]],
                fields: &[Reference::new(
                    &["credentials", EACH, "secretRef", "name"],
                    SECRET,
                    CREDENTIALS,
                )],
            },
        ],
        ..KindFacts::new(GROUP, "TaskSpawner")
    },
    KindFacts {
        references: &[References { owners: &[&["spec", "worker"]], fields: OF_WORKER }],
        ..KindFacts::new(GROUP, WORKER_POOL.kind)
    },
    KindFacts {
        references: &[
            References { owners: &[&["spec", "worker"]], fields: OF_WORKER },
            References { owners: &[&["spec", "worker"]], fields: ACCOUNT },
        ],
        ..KindFacts::new(GROUP, "Session")
    },
    KindFacts {
        references: &[References {
            owners: &[&["spec"]],
            fields: &[Reference::new(&["secretRef", "name"], SECRET, Use::Other("token"))],
        }],
        ..KindFacts::new(GROUP, WORKSPACE.kind)
    },
    KindFacts {
        references: &[References {
            owners: &[&["spec"]],
            fields: &[
                Reference::new(
                    &["skills", EACH, "secretRef", "name"],
                    SECRET,
                    Use::Other("skills"),
                ),
                Reference::new(
                    &["mcpServers", EACH, "headersFrom", "secretRef", "name"],
                    SECRET,
                    MCP,
                ),
                Reference::new(&["mcpServers", EACH, "envFrom", "secretRef", "name"], SECRET, MCP),
                Reference::new(
                    &["mcpServers", EACH, "env", EACH, "valueFrom", "secretKeyRef", "name"],
                    SECRET,
                    MCP,
                ),
                Reference::new(
                    &["mcpServers", EACH, "env", EACH, "valueFrom", "configMapKeyRef", "name"],
                    CONFIG_MAP,
                    MCP,
                ),
            ],
        }],
        ..KindFacts::new(GROUP, AGENT_CONFIG.kind)
    },
];

/// The use of a Secret that the kubelet reads, and not the controller.
pub(super) const CREDENTIALS: Use = Use::Other("credentials");
const MCP: Use = Use::Other("MCP server");

/// The fields of all kinds that run an agent.
const OF_WORKER: &[Reference] = &[
    Reference::new(&["workspaceRef", "name"], WORKSPACE, Use::Other("workspace")),
    Reference::new(&["agentConfigRef", "name"], AGENT_CONFIG, Use::Other("configuration")),
    Reference::new(&["agentConfigRefs", EACH, "name"], AGENT_CONFIG, Use::Other("configuration")),
    Reference::new(&["credentials", "secretRef", "name"], SECRET, CREDENTIALS),
    Reference::new(&["podOverrides", "imagePullSecrets", EACH, "name"], SECRET, Use::ImagePull),
    Reference::new(&["podOverrides", "volumes", EACH, "secret", "secretName"], SECRET, Use::Volume),
    Reference::new(
        &["podOverrides", "volumes", EACH, "configMap", "name"],
        CONFIG_MAP,
        Use::Volume,
    ),
    Reference::new(
        &["podOverrides", "volumes", EACH, "persistentVolumeClaim", "claimName"],
        PERSISTENT_VOLUME_CLAIM,
        Use::Claim,
    ),
    Reference::new(
        &["podOverrides", "env", EACH, "valueFrom", "secretKeyRef", "name"],
        SECRET,
        Use::Environment,
    ),
    Reference::new(
        &["podOverrides", "env", EACH, "valueFrom", "configMapKeyRef", "name"],
        CONFIG_MAP,
        Use::Environment,
    ),
];

/// The ServiceAccount of the Pod, which a `WorkerPool` ignores.
const ACCOUNT: &[Reference] =
    &[Reference::new(&["podOverrides", "serviceAccountName"], SERVICE_ACCOUNT, Use::Pod)];

/// The fields of a Task, and of the template of one.
const OF_TASK: &[Reference] = &[
    Reference::new(&["workerPoolRef", "name"], WORKER_POOL, Use::Other("runs in")),
    Reference::new(&["dependsOn", EACH], TASK, Use::Other("after")),
];
