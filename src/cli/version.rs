//! `version`: the versions of the program and of what it knows.

use sandboxc::KubernetesVersion;

use super::failure::Failure;
use super::{Outcome, output};

pub(crate) fn run() -> Result<Outcome, Failure> {
    let kubernetes: Vec<_> = KubernetesVersion::all().map(|it| it.to_string()).collect();
    let own =
        format!("sandboxc {}\nKubernetes {}\n", env!("CARGO_PKG_VERSION"), kubernetes.join(", "));
    let system =
        |flag: sandboxc::SystemFlag| format!("{} {}\n", flag.system, flag.values.join(", "));
    let systems: String = sandboxc::system_flags().map(system).collect();
    output::print(&(own + &systems))?;
    Ok(Outcome::Clean)
}
