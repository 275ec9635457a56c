//! Custom resource definitions: printed from the descriptions of the systems, and read from them
//! and from the input, which takes precedence.

mod constraints;
#[cfg(test)]
mod constraints_tests;
mod defaults;
pub(crate) mod description;
mod embed;
mod embedded;
mod expressions;
mod field_path;
mod file;
mod installed;
mod kinds;
mod list_defaults;
mod plant;
mod print;
mod read;
mod structural;

pub(crate) use constraints::{JSON_SCHEMA, is_int_or_string, says_nothing};
pub(crate) use defaults::Defaults;
pub(crate) use embedded::visit_embedded;
#[cfg(test)]
pub(crate) use expressions::Expressions;
pub(crate) use expressions::{Breach, Finding, Place, Rule};
pub(crate) use field_path::{Brackets, FieldPaths};
pub(crate) use installed::Installed;
pub(crate) use kinds::{CustomKind, CustomKinds, CustomVersion, ScalePaths, defines};
pub(crate) use list_defaults::{fill_defaults, fill_list_defaults};
pub(crate) use print::crds;
pub(crate) use read::type_of;
