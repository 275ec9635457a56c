//! What the rules of definitions of custom resources are documented to do, one file per family.

pub(super) mod names;
pub(super) mod schema;
pub(super) mod structure;
pub(super) mod versions;
