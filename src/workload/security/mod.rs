//! Security profiles: layers that set what the author left out, and the check of the result.
//!
//! The profiles are the levels of Kubernetes' Pod Security Standards. [`fill`] sets what
//! `restricted` requires on the Pod and on every container; [`check()`] checks a Pod against a
//! level as the target version's admission does, and reports for each violation the control, the
//! author's line and both repairs. The author's values are never changed.

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
