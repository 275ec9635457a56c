//! What every kind that makes Pods shares: its fields, and how they become layers of one Pod.

mod fields;
mod pod;
pub(crate) mod security;

pub(crate) use fields::{Annotations, Labels, PodFields, PodMetadata};
pub(crate) use pod::{PodTemplate, build};

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = security::RULES;
