//! Faults that the server of an archive would only detect at its start or during a run.

pub(super) mod cluster;
pub(super) mod image;
pub(super) mod limits;
pub(super) mod names;
pub(super) mod paths;
pub(super) mod runs;
pub(super) mod settings;

pub(super) use cluster::check;

use crate::diag::Rule;

/// The rules of the Open Science Archive.
pub(super) static RULES: &[&[&Rule]] = &[
    cluster::RULES,
    image::RULES,
    limits::RULES,
    names::RULES,
    paths::RULES,
    runs::RULES,
    settings::RULES,
];
