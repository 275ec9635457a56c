//! The verdict of Kubernetes' API server on objects, without a cluster.
//!
//! [`schema`] has the types of all supported versions, [`crd`] those of custom resource definitions,
//! [`cel`] evaluates their rules, and [`validate`] applies the API server's checks to a set of objects.

#![forbid(unsafe_code)]

use sandboxc_syntax::{diag, limits, parallel, scalar, sorted, source, tree, yaml};

pub mod applying;
pub mod cel;
pub mod convert;
pub mod crd;
pub mod kube;
pub mod pod_security;
pub mod schema;
pub mod validate;
