//! Custom resource definitions: printed for agent-sandbox, read from the input for all others.

mod constraints;
#[cfg(test)]
mod constraints_tests;
mod embed;
mod kinds;
mod plant;
mod print;
mod read;
mod structural;

pub(crate) use kinds::{CustomKind, CustomKinds, CustomVersion};
pub use print::crds;
