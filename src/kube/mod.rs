//! Kubernetes objects as this compiler handles them.

mod missing;
mod object;
mod object_set;
mod pod_specs;

pub(crate) use missing::{Hint, Missing};
pub use object::{GroupVersionKind, Object};
pub(crate) use object_set::ObjectSet;
pub(crate) use pod_specs::{Container, PodSpec, pod_specs};
