//! `check`: findings alone.

use super::arguments::{Check, Format, Options};
use super::failure::Failure;
use super::report::{compile, json, judge, report};
use super::{Outcome, output};

pub(crate) fn run(check: &Check, options: &Options) -> Result<Outcome, Failure> {
    let (workspace, compilation) = compile(&check.inputs, options)?;
    match options.format {
        Format::Human => Ok(report(&workspace, &compilation.diagnostics, options)),
        Format::Json => {
            output::print(&json(&workspace, &compilation.diagnostics, options))?;
            Ok(judge(&compilation.diagnostics, options))
        }
    }
}
