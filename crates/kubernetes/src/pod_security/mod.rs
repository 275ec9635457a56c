//! The Pod Security Standards.
//!
//! [`check()`] checks a Pod against a level as the target version's admission does, and reports for
//! each violation the control, the author's line and both repairs.

mod check;
mod confinement;
mod host;
mod identity;
mod level;
mod privilege;
mod profile;
mod seccomp_annotation;
mod strictest;
mod volume_types;

pub use check::{CONTAINER_LISTS, Level, Subject, check, is_windows, uses_user_namespace};
pub use level::PodSecurityLevel;
pub use level::StandardVersion;
pub use privilege::gains_privileges;
pub use profile::Profile;
pub use strictest::{satisfies, strictest};

use crate::diag::Rule;

/// The rules of this module.
pub static RULES: &[&[&Rule]] =
    &[confinement::RULES, host::RULES, identity::RULES, privilege::RULES, volume_types::RULES];
