//! KRM functions: a `ResourceList` in and a `ResourceList` out, as kpt and kustomize run them.
//!
//! The specification is `functions-spec.md` of kustomize. What the list contains is only parsed here;
//! the command compiles the items like any other input.

mod annotations;
mod function;
mod list;
mod output;
mod results;

pub use function::{Action, Function, FunctionConfig};
pub use list::{ItemPart, NotAList, ResourceList};
pub use output::Built;
pub use results::ListResults;
