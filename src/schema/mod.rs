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
mod embedded;
mod format;
mod model;
mod pattern;
mod pattern_syntax;
pub(crate) mod store;
#[cfg(test)]
mod store_tests;
mod work;

pub use crate::scalar::{KubernetesVersion, Versions};
pub(crate) use arena::Arena;
pub(crate) use check::{
    CheckContext, DATE_TIME_INVALID, ENUM_VALUE_UNKNOWN, Earlier, FIELD_MISSING, RULES,
    UNKNOWN_FIELD, WRONG_TYPE, check, check_annotations_size, check_at,
};
pub(crate) use children::visit_children;
pub(crate) use constraint::{Bound, Constrained, Constraint, Constraints};
pub(crate) use constraint_check::NUMBER_OUT_OF_RANGE;
pub(crate) use constraint_check::{check_constraints, exceeds_integers, is_in_format};
pub(crate) use format::Format;
pub(crate) use model::{
    EnumValue, List, ListType, Object, PatchStrategy, Property, StringFormat, Type,
};
pub(crate) use pattern::Pattern;
pub(crate) use pattern_syntax::check_go_pattern;
pub(crate) use store::{api_version, are_together, definition, is_atomic_field};
pub(crate) use work::metered;
