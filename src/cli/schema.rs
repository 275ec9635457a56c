//! `schema`: the JSON Schema of the definitions, for editors.

use sandboxc::KubernetesVersion;

use super::arguments::{Options, Schema};
use super::failure::Failure;
use super::{Outcome, output};

pub(crate) fn run(schema: &Schema, options: &Options) -> Result<Outcome, Failure> {
    // The fields of the oldest version exist in all of them.
    let target = options.versions().first().unwrap_or(KubernetesVersion::NEWEST);
    let text = match &schema.kind {
        None => sandboxc::json_schema_text(target),
        Some(kind) => sandboxc::json_schema_of(kind, target).map_err(|known| {
            Failure::usage(
                format!("`{}` is not a kind of definition", kind.escape_debug()),
                format!("kinds are {}", known.join(", ")),
            )
        })?,
    };
    output::print(&text)?;
    Ok(Outcome::Clean)
}
