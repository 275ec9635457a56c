//! Merging layers: partial trees laid over each other, every node keeping who set it.
//!
//! [`overlay()`] lays one layer over what is below it and reports what cannot be merged;
//! [`underlay`] fills what was left open. Both follow one table, [`strategy`], which is the schema's
//! own list identities plus the few rows where this compiler decides. [`apply`] puts guards around
//! an overlay: what a layer may not touch.

mod findings;
mod guard;
mod key;
mod list;
mod overlay;
mod strategy;
mod trace;
mod union;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod properties;

pub(crate) use findings::GUARDED_FIELD;
#[cfg(test)]
pub(crate) use fixtures::place;
pub(crate) use guard::{Guard, Hold, Name, Step, apply};
pub(crate) use overlay::{Cx, overlay, underlay};
pub(crate) use strategy::Row;
#[allow(unused_imports, reason = "for the systems to come")]
pub(crate) use strategy::Strategy;
pub(crate) use trace::Trace;

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[findings::RULES];
