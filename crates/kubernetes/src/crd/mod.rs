//! Custom resource definitions: printed from the descriptions of the systems, and read from them
//! and from the input, which takes precedence.

mod constraints;
#[cfg(test)]
mod constraints_tests;
mod defaults;
pub mod description;
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

pub use constraints::{JSON_SCHEMA, is_int_or_string, says_nothing};
pub use defaults::Defaults;
pub use embedded::visit_embedded;
pub(crate) use expressions::{Breach, Finding};
pub use expressions::{Rule, SchemaRules};
pub use field_path::{Brackets, resolve as resolve_path};
pub use installed::Installed;
pub use kinds::{CustomKind, CustomKinds, CustomVersion, ScalePaths, defines};
pub use list_defaults::{fill_defaults, fill_list_defaults};
pub use print::crds;
pub use read::type_of;
