//! Merging of layers, which are partial trees; every node keeps its origin.
//!
//! [`overlay()`] merges one layer over the layers below and reports conflicts; [`underlay`] sets
//! values that were left out. Both use one table, [`strategy`]: the schema's own list identities
//! plus the few rows in which this compiler differs. [`apply`] adds guards to an overlay: fields
//! that a layer must not change.

mod findings;
mod guard;
mod items;
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
pub(crate) use key::{fingerprint, identity};
pub(crate) use overlay::{MergeContext, overlay, underlay};
#[allow(unused_imports, reason = "for the systems to come")]
pub(crate) use strategy::Strategy;
pub(crate) use strategy::{Row, keys_of_items};
pub(crate) use trace::Trace;

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[findings::RULES];
