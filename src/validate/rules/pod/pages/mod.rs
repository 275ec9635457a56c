//! What the rules are documented to do, one file per family.

pub(super) mod annotations;
pub(super) mod containers;
pub(in crate::validate::rules) mod env;
pub(super) mod mounts;
pub(in crate::validate::rules) mod ports;
pub(super) mod probes;
pub(super) mod resources;
pub(super) mod restart;
pub(super) mod scheduling;
pub(super) mod security;
pub(super) mod volumes;
pub(super) mod whole;
pub(super) mod windows;
