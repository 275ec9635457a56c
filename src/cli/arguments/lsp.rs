//! The arguments of the language server.

use clap::Args;
use sandboxc::{PodSecurityLevel, Versions};

use super::options::{kubernetes_versions, pod_security_level};

#[derive(Args, Debug)]
pub(crate) struct Lsp {
    /// The environment of the Project whose settings are used
    #[arg(long, value_name = "NAME")]
    pub(crate) environment: Option<String>,
    /// The Kubernetes versions whose API servers must accept the objects [default: the Project's, else
    /// the newest]
    #[arg(long, value_name = "VERSIONS", value_delimiter = ',',
        value_parser = kubernetes_versions())]
    kubernetes: Vec<Versions>,
    /// The Pod Security Standard that all Pods and Pod templates must satisfy [default: the Project's,
    /// else none]
    #[arg(long, value_name = "LEVEL", value_parser = pod_security_level())]
    pub(crate) policy: Option<PodSecurityLevel>,
    /// Use standard input and output, which is also the default: some editors pass this option
    #[arg(long)]
    stdio: bool,
}

impl Lsp {
    /// All versions on the command line; none by default.
    pub(crate) fn versions(&self) -> Versions {
        self.kubernetes.iter().copied().fold(Versions::NONE, Versions::union)
    }
}
