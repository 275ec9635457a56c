//! Security profiles: layers that fill what the author left open, and the check of what was written.
//!
//! The profiles are the levels of Kubernetes' Pod Security Standards. [`fill`] sets what `restricted`
//! asks for on the Pod and on every container; [`check()`] holds a Pod against a level as the target
//! version's admission does, and names for each fault the control, the author's line and both ways
//! out. No value of the author is ever changed.

mod check;
mod confinement;
mod host;
mod identity;
mod layer;
mod level;
mod privilege;
mod profile;
mod seccomp_annotation;
#[cfg(test)]
mod tests;
mod volume_types;

pub(crate) use check::{Level, Subject, check};
pub(crate) use layer::fill;
pub use level::PodSecurityLevel;
pub(crate) use level::StandardVersion;
pub(crate) use profile::Profile;

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] =
    &[confinement::RULES, host::RULES, identity::RULES, privilege::RULES, volume_types::RULES];
