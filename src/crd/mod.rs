//! Custom resource definitions: printed for agent-sandbox, read from the input for all others.

mod constraints;
#[cfg(test)]
mod constraints_tests;
mod defaults;
mod embed;
mod expressions;
mod field_path;
mod kinds;
mod plant;
mod print;
mod read;
mod structural;

pub(crate) use constraints::{is_int_or_string, says_nothing};
pub(crate) use expressions::{Breach, Finding, Place, Rule};
pub(crate) use field_path::{Brackets, resolve as resolve_field_path};
pub(crate) use kinds::{CustomKind, CustomKinds, CustomVersion};
pub use print::crds;
pub(crate) use read::type_of;
