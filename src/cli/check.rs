//! `check`: prints findings without objects, or applies suggestions.

use super::arguments::{Check, Options};
use super::failure::Failure;
use super::report::{Findings, Runs, compile_each};
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
    let Check { inputs, kinds, .. } = check;
    let Runs { workspace, compilation, .. } =
        compile_each(inputs, kinds, options, |it| it.findings_alone = true)?;
    Findings::of(&workspace, &compilation).print(options)
}
