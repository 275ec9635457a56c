//! The fields that all kinds with Pods share, and their lowering to layers of a Pod.

mod fields;
mod pod;
mod recipe;
mod refused;
#[cfg(test)]
mod sample;
mod security;

pub(crate) use fields::{
    Annotations, ContainerFields, Labels, PodFields, PodMetadata, PodSpecFields,
};
pub(crate) use pod::{PodPart, PodTemplate};
pub(crate) use recipe::{PodLayer, Recipe};
pub(crate) use refused::Refused;
pub(crate) use security::DEFAULT_PROFILE;
