//! What the API server's decoder knows of each kind, per Kubernetes version.
//!
//! One table serves decoding, merging and validation: types, required fields, defaults, enums, list
//! types with their keys, and the versions in which a field exists. The built-in kinds are generated
//! into `schemas/` by `tools/kubernetes-schemas` and compiled in; custom resource definitions are
//! read into the same model.

mod constraint;
mod model;
pub(crate) mod store;
#[cfg(test)]
mod store_tests;
mod version;

pub(crate) use constraint::{
    Bound, Constrained, Constraint, Constraints, ExpressionRule, Format, Pattern,
};
pub(crate) use model::{
    EnumValue, List, ListType, Object, PatchStrategy, Property, StringFormat, Type,
};
pub(crate) use store::{definition, is_atomic_field};
pub use version::{KubernetesVersion, Versions};
