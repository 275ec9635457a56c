//! From inputs to findings, and from findings to the reader.

use std::env;
use std::io::{self, IsTerminal as _};

use sandboxc::{
    Compilation, Diagnostic, Paint, Severity, Summary, Workspace, render_human, render_json,
};

use super::Outcome;
use super::arguments::{Colour, Deny, Format, Inputs, Options};
use super::failure::Failure;
use super::{input, output};

/// Reads the inputs and compiles them.
pub(crate) fn compile(
    inputs: &Inputs,
    options: &Options,
) -> Result<(Workspace, Compilation), Failure> {
    let workspace = input::read(&inputs.inputs)?;
    let compilation = sandboxc::compile(&workspace, &compile_options(options));
    Ok((workspace, compilation))
}

fn compile_options(options: &Options) -> sandboxc::Options {
    let mut compile = sandboxc::Options::default();
    compile.kubernetes = options.versions();
    compile.policy = options.policy;
    compile.agent_sandbox = options.agent_sandbox;
    compile.environment.clone_from(&options.environment);
    compile
}

/// Shows findings on standard error, and judges them.
pub(crate) fn report(
    workspace: &Workspace,
    diagnostics: &[Diagnostic],
    options: &Options,
) -> Outcome {
    match options.format {
        Format::Human => output::complain(&human(workspace, diagnostics, options)),
        Format::Json => output::complain(&json(workspace, diagnostics, options)),
    }
    judge(diagnostics, options)
}

/// Whether findings leave the input usable.
pub(crate) fn judge(diagnostics: &[Diagnostic], options: &Options) -> Outcome {
    let summary = Summary::of(diagnostics);
    if summary.errors > 0 || (denies_warnings(options) && summary.warnings > 0) {
        Outcome::InputHasErrors
    } else {
        Outcome::Clean
    }
}

fn denies_warnings(options: &Options) -> bool {
    options.deny == Some(Deny::Warnings)
}

/// The findings as one JSON object.
pub(crate) fn json(workspace: &Workspace, diagnostics: &[Diagnostic], options: &Options) -> String {
    render_json(workspace, &shown(diagnostics, options))
}

fn human(workspace: &Workspace, diagnostics: &[Diagnostic], options: &Options) -> String {
    let shown = shown(diagnostics, options);
    let mut text = render_human(workspace, &shown, paint(options.color));
    if let (false, Some(summary)) = (options.quiet, Summary::of(&shown).describe()) {
        text.push_str(&summary);
        if denies_warnings(options) && Summary::of(&shown).warnings > 0 {
            text.push_str("; warnings are denied");
        }
        if let Some(first) = shown.iter().min_by_key(|it| it.severity) {
            text.push_str("\nmore about a rule: sandboxc explain ");
            text.push_str(first.rule.name);
        }
        text.push('\n');
    }
    text
}

/// What `--quiet` leaves. Warnings that are denied are errors to the reader.
fn shown(diagnostics: &[Diagnostic], options: &Options) -> Vec<Diagnostic> {
    let is_shown = |severity| match severity {
        Severity::Error => true,
        Severity::Warning => !options.quiet || denies_warnings(options),
        Severity::Note => !options.quiet,
    };
    diagnostics.iter().filter(|it| is_shown(it.severity)).cloned().collect()
}

fn paint(colour: Colour) -> Paint {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_coloured = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if is_set("NO_COLOR") => false,
        Colour::Auto if is_set("CLICOLOR_FORCE") => {
            env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
        }
        Colour::Auto => {
            env::var_os("TERM").is_none_or(|term| term != "dumb") && io::stderr().is_terminal()
        }
    };
    if is_coloured { Paint::Coloured } else { Paint::Plain }
}
