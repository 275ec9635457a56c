//! Fields of kelos' custom resources that definitions express differently.

use crate::lower::Moved;

const AGENT: &str = "write `agent`";
const WORKER: &str = "write its fields directly here, with `agent` instead of `type`";
const WORKSPACE: &str = "write `workspace: <name>` with the name of the Workspace";
const CONFIGS: &str = "write `agentConfigs`, a list of names of AgentConfigs";
const POOL: &str = "write `workerPool: <name>` with the name of the WorkerPool";

const fn moved(path: &'static str, instead: &'static str) -> Moved {
    Moved { path, instead, replaced_by: None }
}

/// Fields of a Task.
pub(super) static OF_TASK: &[Moved] = &[
    moved("spec.type", AGENT),
    moved("spec.worker", WORKER),
    moved("spec.workspaceRef", WORKSPACE),
    moved("spec.agentConfigRef", CONFIGS),
    moved("spec.agentConfigRefs", CONFIGS),
    moved("spec.workerPoolRef", POOL),
];

/// Fields of the template of a TaskSpawner.
pub(super) static OF_SPAWNER: &[Moved] = &[
    moved("spec.taskTemplate.type", AGENT),
    moved("spec.taskTemplate.worker", WORKER),
    moved("spec.taskTemplate.workspaceRef", WORKSPACE),
    moved("spec.taskTemplate.agentConfigRef", CONFIGS),
    moved("spec.taskTemplate.agentConfigRefs", CONFIGS),
    moved("spec.taskTemplate.workerPoolRef", POOL),
    moved("spec.taskTemplate.prompt", "write `promptTemplate`"),
];
