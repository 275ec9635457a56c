//! Selection of the Kubernetes manifests among the files in a folder.
//!
//! Repositories contain all kinds of YAML. Files that the user named are always compiled; of the
//! files found in a folder, those that are not manifests are skipped: Helm charts, whose templates
//! are not YAML until rendered; kustomizations with their patches, which are not whole objects; and
//! files without any `apiVersion` or `kind`, and configuration files such as a kubeconfig. `check` also skips files that look like patches,
//! templates and copies of dependencies. Each reason is reported in one note for the whole run.

mod chart;
mod kustomization;
mod kustomize;
mod manifest;
mod path;
mod skipped;

pub use kustomization::NAMES as KUSTOMIZATION_FILES;
pub(crate) use kustomization::{has_name as has_kustomization_name, is_kustomization};
pub use kustomize::{
    KustomizeFile, KustomizePart, KustomizePartKind, is_remote_directory, is_remote_file,
    kustomize_parts,
};
pub(crate) use manifest::{
    is_configuration, is_manifest, is_of_other_program, is_template, may_be_manifest,
    reads_like_manifest,
};
pub(crate) use path::{beside, file_name, is_example, is_within, resolved};
pub use skipped::unrendered_changes;
pub(crate) use skipped::{FILE_NOT_A_MANIFEST, RULES, Skipped, Why, build_output};
