//! Fields of kelos' custom resources that definitions express differently.

use crate::lower::Moved;

const AGENT: &str = "write `agent`";
const WORKER: &str = "write its fields directly here, with `agent` instead of `type`";
const WORKSPACE: &str = "write `workspace: <name>` with the name of the Workspace";
const CONFIGS: &str = "write `agentConfigs`, a list of names of AgentConfigs";
const POOL: &str = "write `workerPool: <name>` with the name of the WorkerPool";

/// Fields of a Task.
pub(super) static OF_TASK: &[Moved] = &[
    Moved::new("spec.type", AGENT),
    Moved::new("spec.worker", WORKER),
    Moved::new("spec.workspaceRef", WORKSPACE),
    Moved::new("spec.agentConfigRef", CONFIGS),
    Moved::new("spec.agentConfigRefs", CONFIGS),
    Moved::new("spec.workerPoolRef", POOL),
];

/// Fields of the template of a TaskSpawner.
pub(super) static OF_SPAWNER: &[Moved] = &[
    Moved::new("spec.taskTemplate.type", AGENT),
    Moved::new("spec.taskTemplate.worker", WORKER),
    Moved::new("spec.taskTemplate.workspaceRef", WORKSPACE),
    Moved::new("spec.taskTemplate.agentConfigRef", CONFIGS),
    Moved::new("spec.taskTemplate.agentConfigRefs", CONFIGS),
    Moved::new("spec.taskTemplate.workerPoolRef", POOL),
    Moved::new("spec.taskTemplate.prompt", "write `promptTemplate`"),
];
