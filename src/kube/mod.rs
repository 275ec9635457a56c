//! Kubernetes objects as this compiler handles them.

mod object;
mod object_set;

pub use object::{GroupVersionKind, Object};
pub(crate) use object_set::ObjectSet;
