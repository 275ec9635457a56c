//! The objects that the resources of kelos refer to.

use super::GROUP;
use crate::kube::{EACH, KindFacts, NamedObject, NamedObjects};

const TASK: &str = "Task";
const WORKSPACE: &str = "Workspace";
const AGENT_CONFIG: &str = "AgentConfig";
const WORKER_POOL: &str = "WorkerPool";
const SECRET: &str = "Secret";
const CONFIG_MAP: &str = "ConfigMap";

/// The path of the Task description in a TaskSpawner.
const OF_TEMPLATE: &[&[&str]] = &[&["spec", "taskTemplate"], &["spec", "taskTemplate", "worker"]];

/// The kinds that refer to other objects.
pub(super) static FACTS: &[KindFacts] = &[
    KindFacts {
        references: &[
            NamedObjects { owners: &[&["spec"], &["spec", "worker"]], fields: OF_WORKER },
            NamedObjects { owners: &[&["spec"], &["spec", "worker"]], fields: ACCOUNT },
            NamedObjects { owners: &[&["spec"]], fields: OF_TASK },
        ],
        ..KindFacts::new(GROUP, TASK)
    },
    KindFacts {
        references: &[
            NamedObjects { owners: OF_TEMPLATE, fields: OF_WORKER },
            NamedObjects { owners: OF_TEMPLATE, fields: ACCOUNT },
            NamedObjects { owners: &[&["spec", "taskTemplate"]], fields: OF_TASK },
            NamedObjects {
                owners: &[&["spec"]],
                fields: &[of_core(
                    &["credentials", EACH, "secretRef", "name"],
                    SECRET,
                    CREDENTIALS,
                )],
            },
        ],
        ..KindFacts::new(GROUP, "TaskSpawner")
    },
    KindFacts {
        references: &[NamedObjects { owners: &[&["spec", "worker"]], fields: OF_WORKER }],
        ..KindFacts::new(GROUP, WORKER_POOL)
    },
    KindFacts {
        references: &[
            NamedObjects { owners: &[&["spec", "worker"]], fields: OF_WORKER },
            NamedObjects { owners: &[&["spec", "worker"]], fields: ACCOUNT },
        ],
        ..KindFacts::new(GROUP, "Session")
    },
    KindFacts {
        references: &[NamedObjects {
            owners: &[&["spec"]],
            fields: &[of_core(&["secretRef", "name"], SECRET, "token")],
        }],
        ..KindFacts::new(GROUP, WORKSPACE)
    },
    KindFacts {
        references: &[NamedObjects {
            owners: &[&["spec"]],
            fields: &[
                of_core(&["skills", EACH, "secretRef", "name"], SECRET, "skills"),
                of_core(&["mcpServers", EACH, "headersFrom", "secretRef", "name"], SECRET, MCP),
                of_core(&["mcpServers", EACH, "envFrom", "secretRef", "name"], SECRET, MCP),
                of_core(
                    &["mcpServers", EACH, "env", EACH, "valueFrom", "secretKeyRef", "name"],
                    SECRET,
                    MCP,
                ),
                of_core(
                    &["mcpServers", EACH, "env", EACH, "valueFrom", "configMapKeyRef", "name"],
                    CONFIG_MAP,
                    MCP,
                ),
            ],
        }],
        ..KindFacts::new(GROUP, AGENT_CONFIG)
    },
];

/// The labels of references to Secrets that are read by the kubelet and not by the controller.
pub(super) const CREDENTIALS: &str = "credentials";
const ENVIRONMENT: &str = "env";
const VOLUME: &str = "volume";
const MCP: &str = "MCP server";
/// The labels of references that are only in the Pod.
pub(super) const OF_POD: [&str; 4] = [CREDENTIALS, ENVIRONMENT, VOLUME, "uses"];

const fn of_core(
    path: &'static [&'static str],
    kind: &'static str,
    label: &'static str,
) -> NamedObject {
    NamedObject { path, group: "", kind, label }
}

const fn of_kelos(
    path: &'static [&'static str],
    kind: &'static str,
    label: &'static str,
) -> NamedObject {
    NamedObject { path, group: GROUP, kind, label }
}

/// The fields of all kinds that run an agent.
const OF_WORKER: &[NamedObject] = &[
    of_kelos(&["workspaceRef", "name"], WORKSPACE, "workspace"),
    of_kelos(&["agentConfigRef", "name"], AGENT_CONFIG, "configuration"),
    of_kelos(&["agentConfigRefs", EACH, "name"], AGENT_CONFIG, "configuration"),
    of_core(&["credentials", "secretRef", "name"], SECRET, CREDENTIALS),
    of_core(&["podOverrides", "imagePullSecrets", EACH, "name"], SECRET, "pulls with"),
    of_core(&["podOverrides", "volumes", EACH, "secret", "secretName"], SECRET, VOLUME),
    of_core(&["podOverrides", "volumes", EACH, "configMap", "name"], CONFIG_MAP, VOLUME),
    of_core(
        &["podOverrides", "volumes", EACH, "persistentVolumeClaim", "claimName"],
        "PersistentVolumeClaim",
        VOLUME,
    ),
    of_core(
        &["podOverrides", "env", EACH, "valueFrom", "secretKeyRef", "name"],
        SECRET,
        ENVIRONMENT,
    ),
    of_core(
        &["podOverrides", "env", EACH, "valueFrom", "configMapKeyRef", "name"],
        CONFIG_MAP,
        ENVIRONMENT,
    ),
];

/// The ServiceAccount of the Pod, which a `WorkerPool` ignores.
const ACCOUNT: &[NamedObject] =
    &[of_core(&["podOverrides", "serviceAccountName"], "ServiceAccount", "uses")];

/// The fields of a Task, and of the template of one.
const OF_TASK: &[NamedObject] = &[
    of_kelos(&["workerPoolRef", "name"], WORKER_POOL, "runs in"),
    of_kelos(&["dependsOn", EACH], TASK, "after"),
];
