//! YAML in and out: splitting a stream, parsing with spans, reading scalars as Kubernetes does,
//! and printing text that every reader reads the same.

mod fault;
mod read;
pub(crate) mod scalar;
mod slice;

pub(crate) use read::{Document, parse};
pub(crate) use slice::{DocumentSlice, slices};

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[
    fault::RULES,
    read::ANCHOR_RULES,
    read::KEY_RULES,
    read::MERGE_KEY_RULES,
    read::TAG_RULES,
    scalar::RULES,
];
