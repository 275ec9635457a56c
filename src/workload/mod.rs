//! What every kind that makes Pods shares: its fields, and how they become layers of one Pod.

mod fields;
mod pod;

pub(crate) use fields::{Annotations, Labels, PodFields, PodMetadata, SecurityProfile};
pub(crate) use pod::{MAIN_CONTAINER, PodPart, PodTemplate, build};
