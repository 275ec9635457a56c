//! YAML as Kubernetes' API server reads it, trees whose values know their origin, and findings.
//!
//! A [`source::Workspace`] owns the input; [`yaml`] reads it to [`tree::Node`]s; its faults are
//! [`diag::Diagnostic`]s. The crate knows nothing of Kubernetes' kinds.

#![forbid(unsafe_code)]

// `message!` names this crate, also inside it.
extern crate self as sandboxc_syntax;

pub mod diag;
#[expect(missing_docs, reason = "each limit says in words what it is for")]
pub mod limits;
pub mod markup;
pub mod message;
pub mod parallel;
pub mod scalar;
pub mod sorted;
pub mod source;
pub mod tree;
pub mod yaml;
