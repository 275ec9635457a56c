//! Findings, and the changes for them.

use std::collections::BTreeMap;

use sandboxc::ide::{self, ActionKind, Tag};
use sandboxc::{
    Checked, Compilation, Diagnostic, FileRole, Paint, ProjectSource, Purpose, Selection, Summary,
    Versions, Workspace, describe_hidden, render_json, render_selection,
};
use serde::Serialize;

use crate::input::{Input, Run};
use crate::place::{Place, Range};
use crate::request::{Answer, value};

/// The maximum number of findings that the editor marks.
const MAX_FINDINGS: usize = 1_000;
/// The maximum number of findings in the text, as in that of the command.
const MAX_SHOWN: usize = 100;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'f> {
    findings: Vec<Finding<'f>>,
    /// The number of findings that are not in the list.
    hidden: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    /// The findings as the command prints them.
    text: String,
    /// The environments of the Projects.
    environments: Vec<String>,
    /// The versions by which the input was judged.
    kubernetes: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'f> {
    rule: &'static str,
    severity: &'static str,
    title: String,
    /// A line for each remark.
    remarks: Vec<String>,
    #[serde(flatten)]
    place: Place<'f>,
    /// Whether it is about the text at its place, and not about the selection of files.
    is_inline: bool,
    tag: Option<&'static str>,
    related: Vec<Related<'f>>,
}

#[derive(Serialize)]
struct Related<'f> {
    #[serde(flatten)]
    place: Place<'f>,
    text: String,
}

#[derive(Serialize)]
struct Action<'f> {
    title: String,
    kind: &'static str,
    rule: &'static str,
    edits: Vec<Edit<'f>>,
}

#[derive(Serialize)]
struct Edit<'f> {
    #[serde(flatten)]
    place: Place<'f>,
    text: String,
}

/// `check`: the findings.
pub(crate) fn check(input: &Input) -> Answer {
    let mut run = input.read()?;
    let compilation = run.compile_masked(Purpose::Check);
    let Run { workspace, .. } = &run;
    let diagnostics = &compilation.diagnostics;
    let Summary { errors, warnings, notes, .. } = Summary::of(workspace, diagnostics);
    let files = workspace.ids().filter(|file| {
        !matches!(workspace.file(*file).role(), FileRole::External | FileRole::Policies)
    });
    value(Report {
        findings: list_findings(workspace, diagnostics),
        hidden: diagnostics.len().saturating_sub(MAX_FINDINGS),
        errors,
        warnings,
        notes,
        text: text(workspace, &compilation),
        environments: ProjectSource::environments_of(&ProjectSource::all(workspace, files)),
        kubernetes: summarize_input(&compilation).kubernetes,
    })
}

/// `check --format json`.
pub(crate) fn report(input: &Input) -> Answer {
    let mut run = input.read()?;
    let compilation = run.compile_masked(Purpose::Check);
    let checked = summarize_input(&compilation);
    value(render_json(&run.workspace, &compilation.diagnostics, Some(checked)))
}

/// The changes for the findings in a range of a file.
pub(crate) fn actions(input: &Input, file: &str, range: Range) -> Answer {
    let mut run = input.read()?;
    let file = run.file(file)?;
    let diagnostics = run.compile(Purpose::Check).diagnostics;
    let Run { workspace, .. } = &run;
    let range = range.offsets(workspace.file(file));
    let actions = ide::actions(workspace, &diagnostics, file, range);
    let actions = actions.into_iter().map(|action| {
        let edits = action.edits.into_iter().map(|ide::Edit { file, range, text }| {
            let file = workspace.file(file);
            Edit { place: Place { file: file.name(), range: Range::of(file, &range) }, text }
        });
        Action {
            title: action.title,
            kind: match action.kind {
                ActionKind::Fix => "fix",
                ActionKind::UnsafeFix => "unsafeFix",
                ActionKind::Allow => "allow",
                ActionKind::Remove => "remove",
            },
            rule: diagnostics.get(action.finding).map_or("", |finding| finding.rule.name),
            edits: edits.collect(),
        }
    });
    value(actions.collect::<Vec<_>>())
}

/// The findings that the page lists.
fn list_findings<'f>(workspace: &'f Workspace, diagnostics: &'f [Diagnostic]) -> Vec<Finding<'f>> {
    let diagnostics = diagnostics.get(..MAX_FINDINGS).unwrap_or(diagnostics);
    let inline = ide::findings(workspace, diagnostics).into_values().flatten();
    let mut inline: BTreeMap<_, _> = inline.map(|finding| (finding.index, finding)).collect();
    let finding = |(index, diagnostic): (usize, &'f Diagnostic)| match inline.remove(&index) {
        Some(finding) => inline_finding(workspace, diagnostic, finding),
        None => finding_of_run(workspace, diagnostic),
    };
    diagnostics.iter().enumerate().map(finding).collect()
}

fn inline_finding<'f>(
    workspace: &'f Workspace,
    diagnostic: &Diagnostic,
    finding: ide::Finding,
) -> Finding<'f> {
    let file = workspace.file_at(diagnostic.primary.span);
    let related = finding
        .related
        .into_iter()
        .map(|ide::Related { place, text }| Related { place: Place::of(workspace, place), text });
    Finding {
        rule: finding.rule.name,
        severity: finding.severity.as_str(),
        remarks: finding.message.lines().skip(1).map(str::to_owned).collect(),
        place: Place { file: file.name(), range: Range::of(file, &finding.range) },
        is_inline: true,
        tag: finding.tag.map(|tag| match tag {
            Tag::Deprecated => "deprecated",
            Tag::Unnecessary => "unnecessary",
        }),
        related: related.collect(),
        ..finding_of_run(workspace, diagnostic)
    }
}

/// A finding that is about the selection of files.
fn finding_of_run<'f>(workspace: &'f Workspace, diagnostic: &Diagnostic) -> Finding<'f> {
    Finding {
        rule: diagnostic.rule.name,
        severity: diagnostic.severity.as_str(),
        title: diagnostic.details().message.as_prose().to_string(),
        remarks: Vec::new(),
        place: Place::of(workspace, workspace.locate(diagnostic.primary.span)),
        is_inline: false,
        tag: None,
        related: Vec::new(),
    }
}

/// The findings as the command prints them.
pub(crate) fn text(workspace: &Workspace, compilation: &Compilation) -> String {
    let selection = Selection::of(&compilation.diagnostics, MAX_SHOWN);
    let mut text = render_selection(workspace, &selection, Paint::Plain, None);
    if !selection.hidden().is_empty() {
        text.push_str(&describe_hidden(selection.hidden(), None));
        text.push('\n');
    }
    let summary = Summary::of(workspace, &compilation.diagnostics);
    text.push_str(&summary.describe_checked(&summarize_input(compilation)));
    text.push('\n');
    text
}

/// The input of a run, and the settings by which it was judged.
fn summarize_input(compilation: &Compilation) -> Checked {
    let mut checked = Checked::default();
    (checked.objects, checked.files) = (compilation.inputs.len(), compilation.files);
    checked.allowed = compilation.allowed;
    let mut versions = Versions::NONE;
    for judged in &compilation.judged {
        versions = versions.union(judged.kubernetes);
        add_new(&mut checked.projects, judged.project.as_ref());
        add_new(&mut checked.environments, judged.environment.as_ref());
    }
    checked.kubernetes = versions.iter().map(|it| it.to_string()).collect();
    checked
}

/// Adds a name that the list does not have yet.
fn add_new(names: &mut Vec<String>, name: Option<&String>) {
    if let Some(name) = name
        && !names.contains(name)
    {
        names.push(name.clone());
    }
}
