//! What the rules of warnings are documented to do, by their subject.

pub(super) mod amounts;
pub(super) mod containers;
pub(super) mod deprecated;
pub(super) mod names;
pub(super) mod scheduling;
pub(super) mod services;
pub(super) mod storage;

use crate::diag::Rule;

/// The rules of these pages.
pub(crate) static RULES: &[&[&Rule]] = &[
    amounts::RULES,
    containers::RULES,
    deprecated::RULES,
    names::RULES,
    scheduling::RULES,
    services::RULES,
    storage::RULES,
];
