//! The Open Science Archive: the Jobs of its hooks and sources, and the namespace that they run in.

mod hook;
mod identity;
mod import;
mod job;
mod memory;
mod moved;
mod pod;
mod rules;
mod runner;
mod since;
mod source;
mod srn;
mod sub_path;

use crate::decode::Record;
use crate::kube::{PERSISTENT_VOLUME_CLAIM, SERVICE_ACCOUNT};
use crate::lower::{
    Definition, DefinitionReference, Dialect, Instance, Kind, ObjectKey, Setup, Weights, read_and,
};

/// The dialect of the Open Science Archive.
pub(crate) static DIALECT: Dialect = Dialect {
    name: "osa",
    kinds: KINDS,
    rules: rules::RULES,
    import: Some(import::IMPORT),
    check_objects: |set, _, _, sink| rules::check(set, sink),
    copied: copied_runner,
    references: &[
        DefinitionReference::to_definition("Hook", &["spec", "runner"], "Runner"),
        DefinitionReference::to_definition("Source", &["spec", "runner"], "Runner"),
        DefinitionReference::to_object(
            "Runner",
            &["spec", "dataVolumeClaim"],
            PERSISTENT_VOLUME_CLAIM,
        ),
        DefinitionReference::to_object(
            "Runner",
            &["spec", "controllerServiceAccount", "name"],
            SERVICE_ACCOUNT,
        ),
    ],
    ..Dialect::EMPTY
};

/// The kinds of definitions of the Open Science Archive.
static KINDS: &[Kind] = &[
    Kind {
        name: "Runner",
        document: Definition::<runner::RunnerSpec>::DOCUMENT,
        docs: runner::RunnerSpec::DOCS,
        is_referenced: true,
        can_fail: true,
        compiles_to: &[],
        declares: no_object,
        moved: moved::OF_RUNNER,
        lower: |instance, lowering| read_and(instance, lowering, runner::lower),
    },
    Kind {
        name: "Hook",
        document: Definition::<hook::HookSpec>::DOCUMENT,
        docs: hook::HookSpec::DOCS,
        is_referenced: false,
        can_fail: true,
        compiles_to: &[],
        declares: no_object,
        moved: moved::OF_HOOK,
        lower: |instance, lowering| read_and(instance, lowering, hook::lower),
    },
    Kind {
        name: "Source",
        document: Definition::<source::SourceSpec>::DOCUMENT,
        docs: source::SourceSpec::DOCS,
        is_referenced: false,
        can_fail: true,
        compiles_to: &[],
        declares: no_object,
        moved: &[],
        lower: |instance, lowering| read_and(instance, lowering, source::lower),
    },
];

/// The values of its Runner, which each hook and source reads.
fn copied_runner(instance: &Instance, _: &Setup, weights: &Weights<'_>) -> usize {
    let runner = instance.root.str_at(&["spec", "runner"]);
    runner.map_or(0, |runner| weights.of::<runner::RunnerSpec>(instance.namespace(), runner))
}

/// The objects of a faulty definition: none, because other objects never refer to them.
fn no_object(_: &Instance, _: &Setup) -> Vec<ObjectKey> {
    Vec::new()
}
