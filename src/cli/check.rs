//! `check`: prints findings without objects, or applies suggestions.

use std::path::{Path, PathBuf};

use sandboxc::{Choice, Purpose, check_update};
use sandboxc_files::current_directory;

use super::arguments::{Check, Inputs, Options};
use super::diff::{Read, note_unrendered};
use super::failure::Failure;
use super::projects::{choice_of, nearest_root};
use super::report::{Findings, Runs, compile_each};
use super::{Outcome, fixes, render};

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
    if let Some(old) = older(check, options)? {
        return against(&old, check, options);
    }
    if check.apply.is_some() {
        return Err(Failure::usage(
            "`--apply` requires `--against` or `--against-git`",
            "name the older form of the input: `--against OLD`",
        ));
    }
    let Check { inputs, kinds, rendering, .. } = check;
    if rendering.render {
        let (inputs, options) = render::rendered(inputs, kinds, rendering, options)?;
        return print(&inputs, check, &options);
    }
    print(&inputs_or_here(&check.inputs, options)?, check, options)
}

/// The inputs; without any, the project around the working directory, or else the directory itself.
fn inputs_or_here(inputs: &Inputs, options: &Options) -> Result<Inputs, Failure> {
    let is_empty = inputs.all().next().is_none();
    let is_nearest = matches!(choice_of(options)?, Choice::Nearest);
    if is_empty && is_nearest && nearest_root(&current_directory()).is_none() {
        return Ok(Inputs { inputs: vec![PathBuf::from(".")], ..inputs.clone() });
    }
    Ok(inputs.clone())
}

fn print(
    inputs: &Inputs,
    Check { kinds, .. }: &Check,
    options: &Options,
) -> Result<Outcome, Failure> {
    let Runs { workspace, compilation, skipped, .. } =
        compile_each(inputs, kinds, options, Purpose::Check)?;
    Findings::of_check(&workspace, &compilation).with_skipped(&skipped).print(options)
}

/// The older form of the input that the command line names.
fn older(check: &Check, options: &Options) -> Result<Option<Read>, Failure> {
    let Check { inputs, kinds, rendering, against, against_git, .. } = check;
    if against.is_none() && against_git.is_none() {
        return Ok(None);
    }
    if options.all_environments || options.environment.len() > 1 {
        return Err(Failure::usage(
            "an update with several environments",
            "select one: `--environment NAME`",
        ));
    }
    let mut named = inputs.inputs.iter().chain(&inputs.named);
    let has_stdin = named.any(|it| it.as_path() == Path::new("-"));
    let is_stdin = |it: &PathBuf| it.as_path() == Path::new("-");
    if has_stdin && (against_git.is_some() || against.as_ref().is_some_and(is_stdin)) {
        return Err(Failure::usage(
            "the input is standard input, which has no older form",
            "name a file or a directory, or write `--against OLD`",
        ));
    }
    if let Some(revision) = against_git {
        return Read::of_revision(revision, inputs, kinds, rendering, options).map(Some);
    }
    let old = Inputs::of(against.as_slice(), &inputs.exclude);
    let mut old = Read::of_inputs(&old, kinds, rendering, options)?;
    old.add_last_applied(check.last.as_deref(), kinds, options)?;
    Ok(Some(old))
}

/// Reports what the API server rejects when the input is applied over an older form of it.
fn against(old: &Read, check: &Check, options: &Options) -> Result<Outcome, Failure> {
    if let Some(outcome) = old.errors(options)? {
        return Ok(outcome);
    }
    let mut new = Read::of_inputs(&check.inputs, &check.kinds, &check.rendering, options)?;
    if check.against_git.is_some() {
        note_unrendered(old, &new);
    }
    if !new.compilation.has_errors() {
        let found = check_update(&old.side(), &new.side_applied_by(check.apply));
        new.workspace.mask(&found.secrets);
        new.compilation.diagnostics = found.diagnostics;
        new.compilation.allowed = 0;
    }
    Findings::of(&new.workspace, &new.compilation).print(options)
}
