//! What the rules are documented to do, one file per family.

pub(super) mod containers;
pub(super) mod env;
pub(super) mod general;
pub(super) mod mounts;
pub(super) mod ports;
