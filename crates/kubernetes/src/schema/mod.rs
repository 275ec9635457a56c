//! The types and fields of each kind, as the API server's decoder knows them, per Kubernetes
//! version.
//!
//! One table serves decoding, merging and validation: types, required fields, defaults, enums, list
//! types with their keys, and the versions in which a field exists. The built-in kinds are
//! generated into `schemas/` by `tools/kubernetes-schemas` and compiled in; custom resource
//! definitions are read into the same model.

mod arena;
mod check;
mod children;
mod constraint;
mod constraint_check;
mod defaulted;
mod descriptions;
mod embedded;
mod format;
mod model;
mod pattern;
mod pattern_syntax;
pub mod store;
#[cfg(test)]
mod store_tests;
mod words;

pub use crate::scalar::{KubernetesVersion, Versions};
pub use arena::Arena;
pub use check::{
    CheckContext, ENUM_VALUE_UNKNOWN, Earlier, ITEM_LOST_ON_APPLY, RULES, bug, check,
    check_annotations_size, check_at,
};
pub use check::{DATE_TIME_INVALID, FIELD_MISSING, INTERNAL, UNKNOWN_FIELD, WRONG_TYPE};
pub use children::visit_children;
pub use constraint::{Bound, Constrained, Constraint, Constraints};
pub use constraint_check::NUMBER_OUT_OF_RANGE;
pub use constraint_check::{check_constraints, exceeds_integers, is_in_format};
pub use descriptions::description;
pub use format::Format;
pub use model::{
    EnumValue, List, ListType, Object, PatchStrategy, Property, StringFormat, Type, prefix,
};
pub use pattern::{Compiled, Pattern};
pub use pattern_syntax::check_go_pattern;
pub use store::{api_version, are_together, definition, is_atomic_field};
pub use words::note_words;
