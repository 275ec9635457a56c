//! Manifests of kelos resources: faults that the controllers only detect after the API server has
//! accepted them.
//!
//! A resource is converted to a definition, as by `import`, and checked by the rules for
//! definitions.

use super::{
    AGENT_VARIABLE_RESERVED, AGENT_VARIABLE_SHADOWED, KELOS_LABEL_SHADOWED, KELOS_RESOURCE_INVALID,
    PLUGIN_NAME_DUPLICATE, configs, spawners, tasks, workspaces,
};
use crate::decode::{Field, Record};
use crate::diag::{Diagnostic, Reported, Rule, Severity, Sink, message, out_of_fuel};
use crate::dialect::kelos::agent_config::AgentConfigSpec;
use crate::dialect::kelos::copied::copied;
use crate::dialect::kelos::settings::Target;
use crate::dialect::kelos::spawner::{self, TaskSpawnerSpec};
use crate::dialect::kelos::task::{self, TaskSpec};
use crate::dialect::kelos::workspace::WorkspaceSpec;
use crate::dialect::kelos::{GROUP, KINDS, import};
use crate::kube::{Object, ObjectSet};
use crate::lower::{Definition, Instance, Instances, Kind, first_too_large};
use crate::merge::GUARDED_FIELD;
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::items;

/// Checks the resources that were not compiled from definitions.
pub(super) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    if defined_objects(set).all(|(_, it)| it.is_compiled()) {
        return;
    }
    // Tasks may refer to compiled resources.
    let instances = match instances(set) {
        Ok(instances) => instances,
        Err(first) => {
            let finding = out_of_fuel(set.fuel(), first, "copy what resources refer to");
            return sink.report(finding.help("make the resources that Tasks refer to smaller"));
        }
    };
    let known = Known::of(sink);
    for (_, object) in defined_objects(set).filter(|(_, object)| !object.is_compiled()) {
        let mut findings = Sink::new();
        check_object(object, &instances, &mut findings);
        let of_schema = names_of_containers(object);
        for mut finding in findings.into_sorted() {
            let is_guard = GUARDS.iter().any(|rule| std::ptr::eq(*rule, finding.rule));
            if is_guard && of_schema.contains(&finding.primary.span) {
                continue;
            }
            // Paths and layers are those of definitions.
            finding.details_mut().path = None;
            if is_guard {
                finding.details_mut().secondary.clear();
            }
            if LEFT_OUT.iter().any(|rule| std::ptr::eq(*rule, finding.rule)) {
                finding.severity = Severity::Warning;
            }
            if !known.has_near(&finding) {
                sink.report(finding);
            }
        }
    }
}

/// The resources that have a definition.
fn defined_objects<'s>(set: &ObjectSet<'s>) -> impl Iterator<Item = (&'static Kind, &'s Object)> {
    KINDS.iter().flat_map(|kind| set.of_kind(GROUP, kind.name).map(move |object| (kind, object)))
}

/// The resources as definitions.
///
/// # Errors
/// If the Jobs of Tasks, which are built from their AgentConfigs to be checked, would be too large.
/// Returns the document of the first such Task.
pub(in crate::dialect::kelos) fn instances(
    set: &ObjectSet<'_>,
) -> Result<Instances<'static>, Span> {
    let read = defined_objects(set).filter_map(|(kind, object)| {
        let root = import::checked_definition(object.root.clone())?;
        Some(Instance { kind, root, document: object.document })
    });
    let mut instances = Instances::new(read.collect());
    instances.declare_data(&[], set.all());
    match first_too_large(&instances, std::iter::empty(), &copied, set.fuel()) {
        Some(first) => Err(first.document.start_point()),
        None => Ok(instances),
    }
}

/// The spans of container names, which a rule of the schema compares with the reserved ones.
fn names_of_containers(object: &Object) -> SortedSet<Span> {
    const OWNERS: [&[&str]; 4] = [
        &["spec"],
        &["spec", "worker"],
        &["spec", "taskTemplate"],
        &["spec", "taskTemplate", "worker"],
    ];
    let overrides = OWNERS.iter().filter_map(|path| object.root.at(path)?.get("podOverrides"));
    let containers = overrides.flat_map(|overrides| {
        ["extraContainers", "extraInitContainers"]
            .into_iter()
            .flat_map(|list| items(overrides, list))
    });
    containers.filter_map(|container| Some(container.get("name")?.span())).collect()
}

/// The rules for values that kelos ignores when it runs the Task.
const LEFT_OUT: [&Rule; 2] = [&AGENT_VARIABLE_RESERVED, &PLUGIN_NAME_DUPLICATE];

/// The rules whose second label is in a layer of a definition.
const GUARDS: [&Rule; 4] =
    [&AGENT_VARIABLE_RESERVED, &AGENT_VARIABLE_SHADOWED, &GUARDED_FIELD, &KELOS_LABEL_SHADOWED];

fn check_object(object: &Object, instances: &Instances<'_>, sink: &mut Sink) {
    match object.gvk.kind.as_str() {
        // An AgentConfig without a `spec` adds nothing.
        "AgentConfig" if object.root.get("spec").is_none() => {}
        kind if object.root.get("spec").is_none() => {
            let message = message!("the {kind} has no `spec`");
            sink.report(
                Diagnostic::new(&KELOS_RESOURCE_INVALID, object.name_span(), message)
                    .at("has no `spec`")
                    .note("the API server accepts it, but the kelos controller cannot use it")
                    .help("add `spec`"),
            );
        }
        "Task" => check_task(object, instances, sink),
        "TaskSpawner" => check_spawner(object, instances, sink),
        "Workspace" => {
            if let Some(workspace) = read::<WorkspaceSpec>(object) {
                workspaces::check(&workspace.spec, sink);
            }
        }
        _ => {
            if let Some(config) = read::<AgentConfigSpec>(object) {
                configs::check(&config.spec, sink);
            }
        }
    }
}

fn check_task(object: &Object, instances: &Instances<'_>, sink: &mut Sink) {
    let Some(definition) = read::<TaskSpec>(object) else { return };
    let (frame, TaskSpec { fields, prompt }) = definition.open();
    tasks::check_content(&fields, &prompt, sink);
    // The schema reports a Task without an agent.
    if fields.agent.is_some() {
        let _: Result<_, Reported> = task::check_builder(&frame, &fields, prompt, instances, sink);
    }
}

fn check_spawner(object: &Object, instances: &Instances<'_>, sink: &mut Sink) {
    let Some(definition) = read::<TaskSpawnerSpec>(object) else { return };
    let (frame, spec) = definition.open();
    let name = &frame.metadata().name;
    if spawners::check_one_source(name, &spec, sink).is_ok() {
        let _: Result<_, Reported> = spawners::check_content(name, &spec, Target::Resources, sink);
    }
    if spec.task_template.fields.agent.is_some() {
        let _: Result<_, Reported> = spawner::check_builder(&frame, &spec, instances, sink);
    }
}

/// The resource as a definition, or `None` if it has schema errors, which are reported separately.
pub(in crate::dialect::kelos) fn read<S: Record + Field>(object: &Object) -> Option<Definition<S>> {
    Definition::read(import::checked_definition(object.root.clone())?, object.document)
}

/// The spans of errors that the schemas and rules of kelos have reported.
struct Known(Vec<Span>);

impl Known {
    fn of(sink: &Sink) -> Self {
        let errors = sink.iter().filter(|finding| finding.severity == Severity::Error);
        let mut places: Vec<_> = errors.map(|finding| finding.primary.span).collect();
        places.sort_unstable();
        Self(places)
    }

    /// Whether an error at the same span, or at a part of it, reports the same fault.
    fn has_near(&self, finding: &Diagnostic) -> bool {
        let place = finding.primary.span;
        let first = self.0.partition_point(|span| span.parts().0 < place.parts().0);
        self.0.get(first).is_some_and(|span| place.contains(*span))
    }
}
