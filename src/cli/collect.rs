//! `crds collect`: the custom resource definitions of others, as one file of the repository.

use std::path::Path;

use sandboxc::markup::{shell_word, visible_line};
use sandboxc::{CollectedCrds, CrdConflict, Paint, STDIN, collect_crds};

use super::arguments::{Collect, Inputs, Options};
use super::failure::Failure;
use super::input;
use super::progress::Progress;
use super::projects::relative;
use super::report::Findings;
use super::{Outcome, output, unified};
use sandboxc_files::{canonical, kind_of_named, read_named, working_directory};

pub(crate) fn run(collect: &Collect, options: &Options) -> Result<Outcome, Failure> {
    if let Some(path) = &collect.check {
        kind_of_named(path).map_err(Failure::file("read", path))?;
    }
    let inputs = Inputs::of(&collect.sources, &collect.exclude);
    let progress = Progress::start(options);
    let mut workspace = input::read_with_archives(&inputs, options, &progress)?;
    let collected = collect_crds(&workspace, !collect.no_docs);
    drop(progress);
    workspace.mask(&collected.secrets);
    let outcome = Findings::of_texts(&workspace, &collected.diagnostics).report(options)?;
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    for (name, file) in collected.outdated.iter().filter(|_| !options.quiet) {
        let line = format!("{file}: {name} is not collected: no API server has its API version");
        output::complain(&(visible_line(&line).into_owned() + "\n"));
    }
    if let Some(conflict) = collected.conflict() {
        return Err(describe(&conflict));
    }
    if collected.count() == 0 {
        return Err(Failure::usage(
            "no CustomResourceDefinition in the sources",
            "name the files or directories with the definitions",
        ));
    }
    let text = collected.to_yaml(&shown);
    let Some(path) = &collect.check else {
        output::print(&text)?;
        summarize(&collected, options);
        return Ok(Outcome::Clean);
    };
    compare(path, &text, options)
}

/// The name of a source in the file, which must not depend on the machine.
fn shown(name: &str) -> String {
    if name == STDIN {
        return "standard input".to_owned();
    }
    let path = Path::new(name);
    if path.is_relative() {
        return name.to_owned();
    }
    let current = working_directory();
    let path = canonical(path);
    let shown = if path.starts_with(&current) {
        Some(relative(&path, &current))
    } else {
        path.file_name().map(Into::into)
    };
    shown.map_or_else(String::new, |path| path.to_string_lossy().into_owned())
}

fn describe(conflict: &CrdConflict) -> Failure {
    let CrdConflict { name, files, is_about_docs } = conflict;
    let files: Vec<_> = files.iter().map(|it| format!("`{it}`")).collect();
    let help = if *is_about_docs {
        "only their descriptions differ: add `--no-docs`, or exclude a file: `--exclude`"
    } else {
        "name the source of the release that your cluster has, or exclude a file: `--exclude`"
    };
    Failure::input(format!("the definitions of `{name}` in {} differ", files.join(" and ")), help)
}

/// Compares the committed file with the definitions of the sources.
fn compare(path: &Path, text: &str, options: &Options) -> Result<Outcome, Failure> {
    let before = read_named(path).map_err(Failure::file("read", path))?;
    let shown = path.display().to_string();
    let name = visible_line(&shown);
    let diff = unified::unified(&name, &String::from_utf8_lossy(&before), text);
    output::show(&diff, Paint::Plain)?;
    let is_current = diff.is_empty();
    if !options.quiet {
        let what = if is_current {
            "current".to_owned()
        } else {
            format!("stale; write it again: `crds collect ... > {}`", shell_word(&shown))
        };
        output::complain(&format!("{name}: {what}\n"));
    }
    Ok(if is_current { Outcome::Clean } else { Outcome::Differs })
}

fn summarize(collected: &CollectedCrds, options: &Options) {
    let count = collected.count();
    if !options.quiet {
        let plural = if count == 1 { "" } else { "s" };
        output::complain(&format!("collected {count} definition{plural}\n"));
    }
}
