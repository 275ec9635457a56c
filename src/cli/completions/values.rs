//! The values that can be at a place of a command line.

use clap::{Arg, ValueHint};
use sandboxc::rules;

use super::line::Line;
use super::{Answer, Files, project};
use crate::cli::arguments::{SKIPPED, WARNINGS};
use crate::cli::git::Git;

/// What can be the next word of a line, of which the start is written.
pub(super) fn of(line: &Line<'_>, start: &str) -> Answer {
    if let Some(option) = line.pending {
        return values(line, option, start);
    }
    if !line.is_escaped && start.starts_with('-') && start != "-" {
        let Some((name, value)) = start.strip_prefix("--").and_then(|it| it.split_once('=')) else {
            return options(line);
        };
        let Some(option) = line.long(name) else { return Answer::default() };
        return with_prefix(&format!("--{name}="), values(line, option, value));
    }
    if start == "-" && !line.is_escaped {
        return options(line);
    }
    let mut answer = line.positional().map_or_else(Answer::default, |it| values(line, it, start));
    if line.positionals.is_empty() {
        let visible = line.command.get_subcommands().filter(|it| !it.is_hide_set());
        let about = |it: &clap::Command| it.get_about().map_or(String::new(), ToString::to_string);
        answer
            .values
            .extend(visible.map(|command| (command.get_name().to_owned(), about(command))));
    }
    answer
}

fn options(line: &Line<'_>) -> Answer {
    let named = line.further_options().filter_map(|it| {
        let about = it.get_help().map_or(String::new(), ToString::to_string);
        Some((format!("--{}", it.get_long()?), about))
    });
    Answer::of(named)
}

fn with_prefix(prefix: &str, mut answer: Answer) -> Answer {
    for (value, _) in &mut answer.values {
        value.insert_str(0, prefix);
    }
    answer
}

/// The values of an argument. The last one of a list is completed.
fn values(line: &Line<'_>, argument: &Arg, start: &str) -> Answer {
    if let Some(delimiter) = argument.get_value_delimiter()
        && let Some((before, last)) = start.rsplit_once(delimiter)
    {
        return with_prefix(&format!("{before}{delimiter}"), value(line, argument, last));
    }
    value(line, argument, start)
}

fn value(line: &Line<'_>, argument: &Arg, start: &str) -> Answer {
    let plain =
        |names: Vec<String>| Answer::of_input(names.into_iter().map(|name| (name, String::new())));
    match (line.command.get_name(), argument.get_id().as_str()) {
        (_, "deny") => {
            let warnings = (WARNINGS.to_owned(), "all warnings".to_owned());
            let skipped = (SKIPPED.to_owned(), "files that are not read".to_owned());
            Answer::of([warnings, skipped].into_iter().chain(all_rules()))
        }
        (_, "warn" | "allow") => Answer::of(all_rules()),
        (_, "environment") => plain(project::environments(line)),
        (_, "target") => Answer::of(
            sandboxc::system_targets().map(|(target, system)| (target, format!("for {system}"))),
        ),
        (_, "system") => plain(sandboxc::system_names().map(str::to_owned).collect()),
        (_, "report") => report(line, start),
        (_, "git") => plain(revisions()),
        ("schema", "kind") => plain(kinds_of_definitions()),
        ("explain", "rule") => Answer::of(sandboxc::explainable(start)),
        ("why", "arguments") => question(line, start),
        _ => possible(argument),
    }
}

fn all_rules() -> impl Iterator<Item = (String, String)> {
    rules::all().into_iter().map(|rule| (rule.name.to_owned(), rules::summary(rule)))
}

/// The values that the parser of an argument lists, or files.
fn possible(argument: &Arg) -> Answer {
    let listed = argument.get_possible_values();
    if listed.is_empty() {
        let is_directory = argument.get_value_names().is_some_and(|it| it == ["DIR"]);
        return Answer::files(match argument.get_value_hint() {
            ValueHint::AnyPath if is_directory => Files::Directories,
            ValueHint::AnyPath => Files::Any,
            _ => Files::None,
        });
    }
    let visible = listed.into_iter().filter(|it| !it.is_hide_set());
    Answer::of(visible.map(|it| {
        let about = it.get_help().map_or(String::new(), ToString::to_string);
        (it.get_name().to_owned(), about)
    }))
}

/// An object, or the path of a field after an object.
fn question(line: &Line<'_>, start: &str) -> Answer {
    if line.positionals.iter().any(|word| sandboxc::ObjectQuery::parse(word).is_some()) {
        let (paths, is_open) = project::paths(line, start);
        let values = paths.into_iter().map(|path| (path, String::new()));
        return Answer { is_open, ..Answer::of_input(values) };
    }
    // The kind of an object begins with a capital letter; other words are inputs.
    let is_object = start.is_empty() || start.starts_with(|it: char| it.is_ascii_uppercase());
    let values = if is_object { project::objects(line) } else { Vec::new() };
    Answer { files: Files::Any, ..Answer::of_input(values) }
}

/// `FORMAT=FILE`.
fn report(line: &Line<'_>, start: &str) -> Answer {
    if start.contains('=') {
        return Answer::files(Files::Any);
    }
    let mut answer = line.long("format").map_or_else(Answer::default, possible);
    for (value, _) in &mut answer.values {
        value.push('=');
    }
    Answer { is_open: true, ..answer }
}

/// The branches and tags of the repository of the current directory.
fn revisions() -> Vec<String> {
    Git::open().and_then(|it| it.references()).unwrap_or_default()
}

fn kinds_of_definitions() -> Vec<String> {
    // No kind has an empty name, and the error has those that exist.
    let known = sandboxc::json_schema_of("", sandboxc::KubernetesVersion::NEWEST).err();
    known.into_iter().flatten().map(str::to_owned).collect()
}
