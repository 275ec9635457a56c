//! Kubernetes objects as this compiler handles them.

mod object;

pub use object::{GroupVersionKind, Object};
