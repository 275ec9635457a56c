//! The custom resources that kelos installs. Their schemas refer to embedded Kubernetes types by
//! name: `x-sandboxc-type`.

use super::GROUP;
use crate::crd::Installed;
use crate::crd::description::{DefinitionFile, System, Version};
use crate::schema::KubernetesVersion;

/// kelos 0.52.
pub(super) static SYSTEM: System = System {
    name: "kelos",
    kinds: &[],
    versions: &[
        Version { name: "v1alpha2", is_deprecated: false },
        Version { name: "v1alpha1", is_deprecated: true },
    ],
    removed: None,
    newer: None,
    conversion: None,
    embeds: KubernetesVersion::V1_36,
    files: &[
        file("AgentConfig", include_str!("definitions/agentconfigs.json")),
        file("Session", include_str!("definitions/sessions.json")),
        file("SessionSpawner", include_str!("definitions/sessionspawners.json")),
        file("Task", include_str!("definitions/tasks.json")),
        file("TaskBudget", include_str!("definitions/taskbudgets.json")),
        file("TaskRecord", include_str!("definitions/taskrecords.json")),
        file("TaskSpawner", include_str!("definitions/taskspawners.json")),
        file("WorkerPool", include_str!("definitions/workerpools.json")),
        file("Workspace", include_str!("definitions/workspaces.json")),
    ],
    installed: Installed::new(),
};

const fn file(kind: &'static str, text: &'static str) -> DefinitionFile {
    DefinitionFile { group: GROUP, kind, version: "v1alpha2", text }
}
