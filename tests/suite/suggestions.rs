//! What a suggestion writes passes the rule that made it: each suggestion of a finding, applied
//! alone, and each string that help tells the author to write.

use std::env;
use std::fs;
use std::path::Path;

use rayon::prelude::*;
use sandboxc::{Diagnostic, FileRole, Options, Purpose, Workspace, apply_suggestion, compile};

use crate::support::{of_rules_and_typos, sampled};

/// An edit of the input that a finding proposes.
struct Proposal {
    finding: Diagnostic,
    /// The position of the file, and the bytes that are replaced.
    file: usize,
    range: std::ops::Range<usize>,
    replacement: String,
    after: Workspace,
}

/// Checks the fixtures, and the YAML files below the directory in `REPOSITORIES`, each on its own:
/// `REPOSITORIES=DIRECTORY cargo test --test suite suggestions`.
#[test]
fn what_a_suggestion_writes_passes_the_rule_that_made_it() {
    let of_fixtures = sampled(of_rules_and_typos(), 32).into_par_iter().flat_map_iter(|fixture| {
        if fixture.is_import {
            return Vec::new();
        }
        complaints(&fixture.name, &fixture.workspace(), &fixture.options)
    });
    let mut others = Vec::new();
    if let Some(folder) = env::var_os("REPOSITORIES") {
        collect(Path::new(&folder), &mut others);
        others.sort();
    }
    let mut options = Options::default();
    options.purpose = Purpose::Check;
    let of_others = others.par_iter().flat_map_iter(|path| {
        let mut workspace = Workspace::new();
        workspace.add(path.display().to_string(), fs::read(path).unwrap());
        complaints(&path.display().to_string(), &workspace, &options)
    });
    let failures: Vec<_> = of_fixtures.chain(of_others).collect();
    assert!(failures.is_empty(), "{} suggestions\n{}", failures.len(), failures.join("\n"));
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "yaml" || it == "yml") {
            files.push(path);
        }
    }
}

fn complaints(name: &str, workspace: &Workspace, options: &Options) -> Vec<String> {
    let before = compile(workspace, options);
    let mut complaints = Vec::new();
    for finding in &before.diagnostics {
        for proposal in proposals(workspace, finding) {
            let after = compile(&proposal.after, options);
            let again = after.diagnostics.iter().find(|it| is_again(&proposal, workspace, it));
            if let Some(again) = again {
                complaints.push(format!(
                    "{name}: {}: {}\n  written: {:?}\n  then:    {}",
                    finding.rule.name,
                    finding.details().message.as_prose(),
                    proposal.replacement,
                    again.details().message.as_prose()
                ));
            }
        }
    }
    complaints
}

/// The edits that a finding proposes, as suggestions and in words.
fn proposals(workspace: &Workspace, finding: &Diagnostic) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    let all = &finding.details().suggestions;
    // Suggestions for several places are one repair, those for one place are alternatives.
    let mut places: Vec<_> = all.iter().map(|it| it.span).collect();
    places.sort();
    let is_one_repair = places.windows(2).all(|it| !it[0].contains(it[1].start_point()));
    for suggestion in all {
        let after = if is_one_repair {
            let mut later_first = all.iter().rev();
            let last = later_first.next().and_then(|it| apply_suggestion(workspace, it));
            later_first.fold(last, |it, one| apply_suggestion(&it?, one))
        } else {
            apply_suggestion(workspace, suggestion)
        };
        let Some(after) = after else { continue };
        let (file, span) = workspace.file_and_span(suggestion.span);
        proposals.push(Proposal {
            finding: finding.clone(),
            file: workspace.ids().position(|it| it == file.id()).unwrap(),
            range: span.range(),
            replacement: suggestion.replacement.clone(),
            after,
        });
    }
    let (file, span) = workspace.file_and_span(finding.primary.span);
    let written = &file.text()[span.range()];
    let is_scalar = !written.is_empty()
        && !written.starts_with(['{', '[', '|', '>', '*', '&', '!'])
        && !written.contains(['\n', '{'])
        && !written.contains(": ");
    let can_change = matches!(file.role(), FileRole::Named | FileRole::Found);
    for help in finding.details().help.iter().filter(|_| is_scalar && can_change) {
        let Some(text) = to_write(help.as_prose()) else { continue };
        let replacement = format!("\"{text}\"");
        let mut after = Workspace::new();
        for id in workspace.ids() {
            let other = workspace.file(id);
            let mut text = other.text().to_owned();
            if id == file.id() {
                text.replace_range(span.range(), &replacement);
            }
            let added = after.add(other.name().to_owned(), text);
            after.set_role(added, other.role());
        }
        proposals.push(Proposal {
            finding: finding.clone(),
            file: workspace.ids().position(|it| it == file.id()).unwrap(),
            range: span.range(),
            replacement,
            after,
        });
    }
    proposals
}

/// The only string that help tells the author to write, other than a field with its value.
fn to_write(help: &str) -> Option<&str> {
    let rest = help.strip_prefix("write `").or_else(|| help.strip_prefix("use `"))?;
    let text = rest.strip_suffix('`').filter(|it| !it.contains('`'))?;
    (!text.contains([' ', '<', '{'])).then_some(text)
}

/// Whether a finding after the edit is the one before it, at the place of the edit.
fn is_again(proposal: &Proposal, before: &Workspace, later: &Diagnostic) -> bool {
    if later.rule.name != proposal.finding.rule.name {
        return false;
    }
    let (file, span) = proposal.after.file_and_span(later.primary.span);
    if proposal.after.ids().position(|it| it == file.id()) != Some(proposal.file) {
        return false;
    }
    let (start, end) = (proposal.range.start, proposal.range.end);
    let is_in_edit =
        span.range().start < start + proposal.replacement.len() && span.range().end > start;
    let primary = before.locate(proposal.finding.primary.span).range().start;
    let moved =
        if primary >= end { primary - end + start + proposal.replacement.len() } else { primary };
    is_in_edit
        || span.range().start == moved && later.details().path == proposal.finding.details().path
}
