//! The definitions and objects that definitions of kelos name.

use crate::kube::{EACH, SECRET};
use crate::lower::DefinitionReference;

/// The fields. Those of a workspace or an agent configuration can be in the definition that uses it.
pub(super) static REFERENCES: &[DefinitionReference] = &[
    DefinitionReference::to_definition("Task", &["spec", "workspace"], "Workspace"),
    DefinitionReference::to_definition("Task", &["spec", "agentConfigs", EACH], "AgentConfig"),
    DefinitionReference::to_definition("Task", &["spec", "dependsOn", EACH], "Task"),
    DefinitionReference::to_definition("Task", &["spec", "workerPool"], "WorkerPool"),
    DefinitionReference::to_definition("TaskSpawner", &["taskTemplate", "workspace"], "Workspace"),
    DefinitionReference::to_definition(
        "TaskSpawner",
        &["taskTemplate", "agentConfigs", EACH],
        "AgentConfig",
    ),
    DefinitionReference::to_definition("TaskSpawner", &["taskTemplate", "dependsOn", EACH], "Task"),
    DefinitionReference::to_definition(
        "TaskSpawner",
        &["taskTemplate", "workerPool"],
        "WorkerPool",
    ),
    DefinitionReference::to_object("", &["secretRef", "name"], SECRET),
];
