//! Lowers definitions to objects: the interface of every kind's lowering.
//!
//! A kind's file in its dialect contains its types and one `lower` function; this module determines
//! the kind, reads the definition, and passes both to it with a [`Frame`] for the objects and a
//! [`Lowering`] for the results. [`run`] is the stage: it checks all definitions (`checked`), and then
//! compiles them (`compiled`).

mod access;
mod adoption;
mod amounts;
mod ancestors;
mod chains;
mod changed;
mod checked;
mod compiled;
mod copies;
mod data;
mod dialect;
mod document;
mod draft;
mod effects;
mod faults;
mod frame;
mod instances;
mod kind;
mod migration;
mod moved;
mod rests;
mod setup;
mod stage;
mod stand_in;
mod trials;

pub(crate) use access::{PolicyRule, account_subject, policy_rules, role_ref};
pub(crate) use adoption::{Adoption, IMPORT_DEFAULT, IMPORT_KEPT};
pub(crate) use changed::Changed;
pub use changed::{Effect, Outcome};
pub(crate) use copies::{Weights, first_too_large};
pub(crate) use data::{Data, DataKind, DeclaredData};
pub(crate) use dialect::{
    DefinitionReference, Dialect, EXTENDS, Flag, Import, ImportCx, imported_project,
};
pub(crate) use document::{
    API_GROUP, API_VERSION, Definition, Metadata, is_of_language, may_have_definitions,
};
pub(crate) use draft::Draft;
pub(crate) use effects::{Condition, Effects, Form};
pub(crate) use faults::Faults;
pub(crate) use frame::{Frame, Lowering};
pub(crate) use instances::{Instance, Instances};
pub(crate) use kind::{Kind, ObjectKey, is_slip, read, read_and, same_name};
pub(crate) use migration::{
    ExternalObject, MIGRATION_DEFAULT, MIGRATION_DOUBTFUL, Migration, MigrationCx, NOT_MIGRATED,
    OldKind, same_namespace,
};
pub(crate) use moved::Moved;
pub(crate) use rests::Partial;
pub(crate) use setup::{Override, SettingsBlock, Setup};
pub(crate) use stage::{Broken, Lowered, LoweringContext, run};
pub(crate) use trials::Trials;

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[
    adoption::RULES,
    ancestors::RULES,
    dialect::RULES,
    instances::RULES,
    kind::RULES,
    migration::RULES,
];
