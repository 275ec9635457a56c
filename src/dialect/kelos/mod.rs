//! kelos: Task, Workspace, AgentConfig and TaskSpawner, as Jobs or as custom resources of kelos.

mod agent;
mod agent_config;
mod custom_resources;
mod environment;
mod git_name;
mod import;
mod init_containers;
mod job;
mod mcp;
mod moved;
mod names;
mod plan;
mod plugins;
mod repository;
mod resources;
mod rules;
mod scripts;
mod settings;
mod spawner;
mod spawner_import;
mod summary;
mod task;
mod template;
mod text;
mod volumes;
mod workspace;

use repository::Repository;
use settings::{KelosSettings, Target};

use crate::decode::Record;
use crate::diag::Reported;
use crate::lower::{
    Definition, Dialect, Instance, Kind, Lowering, ObjectKey, SettingsBlock, Setup, read_and,
    same_name,
};

/// The dialect of kelos.
pub(crate) static DIALECT: Dialect = Dialect {
    name: "kelos",
    kinds: KINDS,
    rules: &[rules::RULES],
    settings: Some(SettingsBlock::of::<KelosSettings>("kelos", "Settings of kelos.")),
    check_definitions: rules::definitions::check,
    check_objects: |set, _, _, sink| rules::objects::check(set, sink),
    summarize: |instances, _| summary::summarize(instances),
    custom_resources: |_| Some(&custom_resources::SYSTEM),
    import: Some(import::IMPORT),
    ..Dialect::EMPTY
};

/// The API group of kelos' own resources.
const GROUP: &str = "kelos.dev";
const API_VERSION: &str = "kelos.dev/v1alpha2";

/// The kinds of definitions of kelos.
static KINDS: &[Kind] = &[
    Kind {
        name: "Task",
        document: Definition::<task::TaskSpec>::DOCUMENT,
        docs: task::TaskSpec::DOCS,
        is_referenced: true,
        compiles_to: &[("batch", "Job")],
        declares: objects_of_task,
        moved: moved::OF_TASK,
        lower: |instance, lowering| read_and(instance, lowering, task::lower),
    },
    Kind {
        name: "Workspace",
        document: Definition::<workspace::WorkspaceSpec>::DOCUMENT,
        docs: workspace::WorkspaceSpec::DOCS,
        is_referenced: true,
        compiles_to: &[],
        declares: same_name,
        moved: &[],
        lower: |instance, lowering| read_and(instance, lowering, lower_workspace),
    },
    Kind {
        name: "AgentConfig",
        document: Definition::<agent_config::AgentConfigSpec>::DOCUMENT,
        docs: agent_config::AgentConfigSpec::DOCS,
        is_referenced: true,
        compiles_to: &[],
        declares: same_name,
        moved: &[],
        lower: |instance, lowering| read_and(instance, lowering, lower_config),
    },
    Kind {
        name: "TaskSpawner",
        document: Definition::<spawner::TaskSpawnerSpec>::DOCUMENT,
        docs: spawner::TaskSpawnerSpec::DOCS,
        is_referenced: false,
        compiles_to: &[("batch", "CronJob")],
        declares: objects_of_spawner,
        moved: moved::OF_SPAWNER,
        lower: |instance, lowering| read_and(instance, lowering, spawner::lower),
    },
];

/// The objects that a faulty Task would have.
fn objects_of_task(instance: &Instance, setup: &Setup) -> Vec<ObjectKey> {
    let name = instance.name();
    match setup.target() {
        Some(Target::Resources) => vec![ObjectKey::of(instance, GROUP, "Task", name)],
        _ => vec![
            ObjectKey::of(instance, "batch", "Job", name),
            ObjectKey::of(instance, "", "ConfigMap", names::plugins_of(name)),
        ],
    }
}

/// The objects that a faulty `TaskSpawner` would have.
fn objects_of_spawner(instance: &Instance, setup: &Setup) -> Vec<ObjectKey> {
    let name = instance.name();
    match setup.target() {
        Some(Target::Resources) => vec![ObjectKey::of(instance, GROUP, "TaskSpawner", name)],
        _ => vec![
            ObjectKey::of(instance, "batch", "CronJob", name),
            ObjectKey::of(instance, "", "ConfigMap", names::plugins_of(name)),
        ],
    }
}

/// Lowers a Workspace to its custom resource; for other targets, only Tasks use it.
fn lower_workspace(
    definition: Definition<workspace::WorkspaceSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, spec) = definition.open();
    rules::workspaces::check(&spec, lowering.sink);
    lowering.sink.reported().map_or(Ok(()), Err)?;
    if lowering.setup.target() == Some(Target::Resources) {
        resources::workspace(&frame, frame.name(), spec, lowering);
    }
    Ok(())
}

/// Lowers an `AgentConfig` in the same way.
fn lower_config(
    definition: Definition<agent_config::AgentConfigSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, spec) = definition.open();
    rules::configs::check(&spec, lowering.sink);
    lowering.sink.reported().map_or(Ok(()), Err)?;
    if lowering.setup.target() == Some(Target::Resources) {
        resources::agent_config(&frame, frame.name(), spec, lowering);
    }
    Ok(())
}
