//! `Project`: settings for all definitions of a run. It compiles to nothing.

mod read;

pub(crate) use read::{External, ProjectSpec, find};

use crate::diag::Rule;
use crate::schema::KubernetesVersion;
use crate::tree::Node;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[read::RULES];

/// The settings of a run, after the command line had its say.
#[derive(Debug)]
pub(crate) struct Project {
    /// The version whose API server shall accept the output.
    pub(crate) kubernetes: KubernetesVersion,
    /// The namespace of definitions that name none.
    pub(crate) namespace: Option<Node>,
    /// What expressions find under `values`: a map.
    pub(crate) values: Node,
    /// What exists in the cluster already.
    pub(crate) external: Vec<External>,
    /// Domains of labels that claims may set; the controller's own list where `None`.
    pub(crate) allowed_label_domains: Option<Vec<String>>,
}
