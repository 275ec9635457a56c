//! Folders as people have them: which of the files found there are Kubernetes manifests.
//!
//! A repository holds YAML of every kind. Files that the user named are compiled whatever they
//! contain; of the files that were found in a folder, those that are not manifests are skipped:
//! Helm charts, whose templates are not YAML until rendered; kustomizations with their patches,
//! which are not whole objects; and files without any `apiVersion` or `kind`. Each of the three is
//! one note for the whole run, never a silent omission.

mod chart;
mod kustomization;
mod manifest;
mod path;
mod skipped;

pub(crate) use kustomization::is_kustomization;
pub(crate) use manifest::{is_manifest, may_be_manifest, reads_like_manifest};
pub(crate) use skipped::{RULES, Skipped};
