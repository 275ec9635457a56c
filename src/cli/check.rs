//! `check`: findings alone, and the suggestions applied.

use super::arguments::{Check, Options};
use super::failure::Failure;
use super::report::{self, Findings};
use super::{Outcome, fixes};

pub(crate) fn run(check: &Check, options: &Options) -> Result<Outcome, Failure> {
    if check.fix || check.diff {
        return fixes::run(check, options);
    }
    if check.is_unsafe {
        return Err(Failure::usage(
            "`--unsafe` requires `--fix` or `--diff`",
            "write `sandboxc check --fix --unsafe`",
        ));
    }
    let (workspace, compilation) = report::check(&check.inputs, &check.kinds, options)?;
    Findings::of(&workspace, &compilation).print(options)
}
