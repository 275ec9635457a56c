//! The fields that all kinds with Pods share, and their lowering to layers of a Pod.

mod fields;
mod pod;
mod recipe;
mod refused;
#[cfg(test)]
mod sample;
pub(crate) mod security;

pub(crate) use fields::{Annotations, Labels, PodFields, PodMetadata};
pub(crate) use pod::{PodPart, PodTemplate};
pub(crate) use recipe::{PodLayer, Recipe};
pub(crate) use refused::Refused;

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = security::RULES;
