//! From definitions to objects: what every kind's lowering is given and gives back.
//!
//! A kind's file in its dialect holds its types and one `lower` function; this module finds the
//! kind, reads the definition, and hands both a [`Frame`] for the objects and a [`Lowering`] to put
//! them into.

mod ancestors;
mod document;
mod frame;
mod kind;
mod moved;
mod stage;

pub(crate) use ancestors::{Instance, Instances};
pub(crate) use document::{API_GROUP, API_VERSION, Definition, Metadata};
pub(crate) use frame::{Frame, Lowering};
pub(crate) use kind::is_slip;
pub(crate) use kind::{Kind, read_and};
pub(crate) use moved::Moved;
pub(crate) use stage::{Broken, Cx, run};

use crate::diag::Rule;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[ancestors::RULES, kind::RULES];
