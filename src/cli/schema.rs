//! `schema`: the JSON Schema of the definitions, for editors.

use sandboxc::KubernetesVersion;

use super::arguments::Options;
use super::failure::Failure;
use super::{Outcome, output};

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    // The fields of the oldest version exist in all of them.
    let target = options.versions().first().unwrap_or(KubernetesVersion::NEWEST);
    output::print(&sandboxc::json_schema_text(target))?;
    Ok(Outcome::Clean)
}
