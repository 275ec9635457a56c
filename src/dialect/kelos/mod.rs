//! kelos: Task, Workspace, AgentConfig and TaskSpawner, as Jobs or as custom resources of kelos.

mod agent;
mod agent_config;
mod copied;
mod created;
mod custom_resources;
mod effective;
mod environment;
mod facts;
mod git_name;
mod import;
mod import_text;
mod init_containers;
mod job;
mod mcp;
mod migration;
mod moved;
mod names;
mod plan;
mod plugins;
mod references;
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

use crate::decode::{Field, Record};
use crate::diag::{Reported, Sink};
use crate::lower::{
    Definition, Dialect, Frame, Instance, Kind, Lowering, ObjectKey, SettingsBlock, Setup, read_and,
};
use crate::tree::Node;

/// The dialect of kelos.
pub(crate) static DIALECT: Dialect = Dialect {
    name: "kelos",
    kinds: KINDS,
    rules: &[rules::RULES, effective::RULES],
    settings: Some(SettingsBlock::of::<KelosSettings>(SETTINGS_KEY, "Settings of kelos.")),
    copied: |instance, _, weights| copied::copied(instance, weights),
    check_definitions: rules::dependencies::check,
    check_objects: |set, setup, _, sink| {
        rules::objects::check(set, sink);
        rules::targets::check(set, setup, sink);
    },
    creator: created::creator,
    effects: |effects, set, _| effective::run(effects, set),
    summarize: |instances, _| summary::summarize(instances),
    custom_resources: |_| Some(&custom_resources::SYSTEM),
    kind_facts: facts::FACTS,
    references: references::REFERENCES,
    import: Some(import::IMPORT),
    migration: Some(migration::MIGRATION),
    ..Dialect::EMPTY
};

/// The API group of kelos' own resources.
const GROUP: &str = "kelos.dev";
/// Its block of the Project.
const SETTINGS_KEY: &str = "kelos";
const API_VERSION: &str = "kelos.dev/v1alpha2";

/// The kinds of definitions of kelos.
static KINDS: &[Kind] = &[
    Kind {
        name: "Task",
        document: Definition::<task::TaskSpec>::DOCUMENT,
        docs: task::TaskSpec::DOCS,
        is_referenced: true,
        can_fail: true,
        compiles_to: &[("batch", "Job")],
        declares: |instance, setup| objects_of("Task", "Job", instance, setup),
        moved: moved::OF_TASK,
        lower: |instance, lowering| read_and(instance, lowering, task::lower),
    },
    Kind {
        name: "Workspace",
        document: Definition::<workspace::WorkspaceSpec>::DOCUMENT,
        docs: workspace::WorkspaceSpec::DOCS,
        is_referenced: true,
        can_fail: true,
        compiles_to: &[],
        declares: |instance, setup| resource_of("Workspace", instance, setup),
        moved: &[],
        lower: |instance, lowering| {
            read_and(instance, lowering, |definition, lowering| {
                lower_part(definition, rules::workspaces::check, resources::workspace, lowering)
            })
        },
    },
    Kind {
        name: "AgentConfig",
        document: Definition::<agent_config::AgentConfigSpec>::DOCUMENT,
        docs: agent_config::AgentConfigSpec::DOCS,
        is_referenced: true,
        can_fail: true,
        compiles_to: &[],
        declares: |instance, setup| resource_of("AgentConfig", instance, setup),
        moved: &[],
        lower: |instance, lowering| {
            read_and(instance, lowering, |definition, lowering| {
                lower_part(definition, rules::configs::check, resources::agent_config, lowering)
            })
        },
    },
    Kind {
        name: "TaskSpawner",
        document: Definition::<spawner::TaskSpawnerSpec>::DOCUMENT,
        docs: spawner::TaskSpawnerSpec::DOCS,
        is_referenced: false,
        can_fail: true,
        compiles_to: &[("batch", "CronJob")],
        declares: |instance, setup| objects_of("TaskSpawner", "CronJob", instance, setup),
        moved: moved::OF_SPAWNER,
        lower: |instance, lowering| read_and(instance, lowering, spawner::lower),
    },
];

/// The resource that a faulty definition of a part of Tasks would have, for the target `resources`.
fn resource_of(kind: &'static str, instance: &Instance, setup: &Setup) -> Vec<ObjectKey> {
    let is_printed = setup.target() == Some(Target::Resources);
    let resource = || ObjectKey::of(instance, GROUP, kind, instance.name());
    is_printed.then(resource).into_iter().collect()
}

/// The objects that a faulty definition would have: the resource of kelos, or a plain object and the `ConfigMap`
/// with its plugins.
fn objects_of(
    resource: &'static str,
    plain: &'static str,
    instance: &Instance,
    setup: &Setup,
) -> Vec<ObjectKey> {
    let name = instance.name();
    match setup.target() {
        Some(Target::Resources) => vec![ObjectKey::of(instance, GROUP, resource, name)],
        _ => vec![
            ObjectKey::of(instance, "batch", plain, name),
            ObjectKey::of(instance, "", "ConfigMap", names::plugins_of(name)),
        ],
    }
}

/// Lowers a definition that only Tasks use to its custom resource, for the target `resources`.
fn lower_part<S: Record + Field>(
    definition: Definition<S>,
    check: fn(&S, &mut Sink),
    emit: fn(&Frame, Node, S, &mut Lowering<'_, '_>),
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, spec) = definition.open();
    check(&spec, lowering.sink);
    lowering.sink.reported().map_or(Ok(()), Err)?;
    if lowering.setup.target() == Some(Target::Resources) {
        emit(&frame, frame.name(), spec, lowering);
    }
    Ok(())
}
