//! `Project`: settings for all definitions of a run. It compiles to nothing.

mod applier;
mod external;
mod layers;
mod read;
mod spec;
mod values;

pub use applier::Applier;
pub(crate) use external::is_external_file;
pub(crate) use read::{
    EXTERNAL_INVALID, GivenValue, PROJECT_MISSING, SettingsInput, VALUES_INVALID, document, find,
    report_version,
};
pub(crate) use spec::{Allowed, ClusterNetwork, External, ProjectSpec};

use crate::decode::Text;
use crate::diag::Rule;
use crate::pod_security::PodSecurityLevel;
use crate::schema::Versions;
use crate::source::Span;
use crate::tree::Node;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[read::RULES];

/// The settings of a run, including those of the command line.
#[derive(Debug)]
pub(crate) struct Project {
    /// The versions whose API servers must accept the output; at least one.
    pub(crate) kubernetes: Versions,
    /// The namespace of definitions that do not set one.
    pub(crate) namespace: Option<Node>,
    /// The map that expressions use as `values`.
    pub(crate) values: Node,
    /// The Pod Security Standard that all Pods are checked against.
    pub(crate) pod_security: PodSecurity,
    /// The program that applies the output, if it is known.
    pub(crate) applier: Option<Applier>,
    /// The network of the cluster, if it is declared.
    pub(crate) cluster: Option<ClusterNetwork>,
    /// Findings that are allowed.
    pub(crate) allow: Vec<Allowed>,
    /// Rules whose findings are errors.
    pub(crate) deny: Vec<Text>,
    /// Rules whose findings are warnings.
    pub(crate) warn: Vec<Text>,
    /// The span of the Project, if there is one.
    pub(crate) place: Option<Span>,
    /// Whether expressions in ordinary objects are evaluated.
    pub(crate) evaluates_all: bool,
    /// The selected environment.
    pub(crate) environment: Option<String>,
    /// The objects that exist in the cluster.
    pub(crate) external: Vec<External>,
    /// The files with further ones, relative to the file of the Project.
    pub(crate) external_files: Vec<Text>,
    /// The blocks of the systems, by their keys: a map.
    pub(crate) blocks: Node,
}

/// The Pod Security Standard that all Pods of a run are checked against, and the exemptions.
#[derive(Debug, Default)]
pub(crate) struct PodSecurity {
    /// The level, and its span.
    pub(crate) enforce: Option<(PodSecurityLevel, Span)>,
    /// Namespaces whose Pods are not checked.
    pub(crate) exempt_namespaces: Vec<String>,
    /// Names of `RuntimeClass` objects whose Pods are not checked.
    pub(crate) exempt_runtime_classes: Vec<String>,
}
