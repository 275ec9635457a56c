//! `check`: findings without objects.

use super::Outcome;
use super::arguments::{Check, Options};
use super::failure::Failure;
use super::report::{self, Findings};

pub(crate) fn run(check: &Check, options: &Options) -> Result<Outcome, Failure> {
    let (workspace, compilation) = report::check(&check.inputs, &check.kinds, options)?;
    Findings::of(&workspace, &compilation).print(options)
}
