//! YAML in and out: splitting a stream, parsing with spans, reading scalars as Kubernetes does,
//! and printing text that every reader reads the same.

mod parse;

pub(crate) use parse::{Document, parse};

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[parse::RULES];
