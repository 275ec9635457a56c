//! What the rules are documented to do, one file per family.

pub(super) mod containers;
pub(super) mod env;
pub(super) mod mounts;
pub(super) mod ports;
pub(super) mod probes;
pub(super) mod resources;
pub(super) mod restart;
pub(super) mod scheduling;
pub(super) mod security;
pub(super) mod volumes;
pub(super) mod whole;
pub(super) mod windows;
