//! Reports stay short for one mistake in many objects, and no finding is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rayon::prelude::*;
use sandboxc::{
    Compilation, Diagnostic, Paint, Selection, Severity, Versions, Workspace, render_selection,
    rules,
};

use crate::support::{Fixture, NOT_REACHED, diag, example, fixtures, sampled};

/// The number of objects with the mistake of an example.
const COPIES: usize = 20;
/// The maximum number of lines of the report about them, for each rule that they violate.
const MAX_LINES: usize = 110;
/// Rules that are not repeated: each copy of the policy judges each object, with its own message.
const NOT_REPEATED: [&str; 2] = ["policy-denied", "policy-warning"];
/// The maximum length of a repeated example, in bytes.
const LONGEST: usize = 4_000;
/// The maximum number of findings that a report shows in full.
const MAX_SHOWN: usize = 100;

#[test]
fn many_copies_of_a_mistake_have_a_short_report() {
    let repeated = |name| !NOT_REACHED.contains(&name) && !NOT_REPEATED.contains(&name);
    let rules = rules::all().into_iter().filter(|it| repeated(it.name));
    let complaints: Vec<_> = sampled(rules, 16)
        .into_par_iter()
        .map(|rule| (rule.name, example(rule)))
        .filter(|(_, example)| example.against.is_none())
        .filter_map(|(name, example)| complaint(name, &example))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn complaint(rule: &str, example: &Fixture) -> Option<String> {
    let text = String::from_utf8(example.bytes.clone()).ok()?;
    if text.len() > LONGEST || text.contains("# file: ") {
        return None;
    }
    let (_, compilation) = example.compile();
    let names: BTreeSet<_> = compilation.inputs.iter().map(sandboxc::InputObject::name).collect();
    let copies: Vec<_> = (0..COPIES).map(|copy| renamed(&text, &names, copy)).collect();
    let copies = Fixture::new(example.name.clone(), copies.join("---\n").into_bytes());
    let (workspace, compilation) = copies.compile();
    let selection = Selection::of(&compilation.diagnostics, MAX_SHOWN);
    let report = render_selection(&workspace, &selection, Paint::Plain, None);
    let lines = report.lines().count();
    let rules: BTreeSet<_> = compilation.diagnostics.iter().map(|it| it.rule.name).collect();
    (lines > MAX_LINES * rules.len().max(1)).then(|| {
        let count = compilation.diagnostics.len();
        format!("{rule}: {lines} lines for {count} findings of {COPIES} copies")
    })
}

/// A copy of an input in which each of these names ends with the number of the copy.
fn renamed(text: &str, names: &BTreeSet<&str>, copy: usize) -> String {
    let is_part = |it: char| it.is_alphanumeric() || "-_.".contains(it);
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|it| !is_part(it)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        renamed.push_str(before);
        renamed.push_str(word);
        // A key is not a name.
        if names.contains(word) && !after.starts_with(':') {
            let _ = write!(renamed, "-{copy}");
        }
        rest = after;
    }
    renamed.push_str(rest);
    if !renamed.ends_with('\n') {
        renamed.push('\n');
    }
    renamed
}

/// The number of findings of each rule, severity and set of versions, and those that they represent.
fn occurrences(findings: &[Diagnostic]) -> BTreeMap<(&str, Severity, Option<Versions>), usize> {
    let mut counts = BTreeMap::new();
    for it in findings {
        *counts.entry((it.rule.name, it.severity, it.kubernetes)).or_default() +=
            1 + it.others.count();
    }
    counts
}

#[test]
fn each_finding_is_shown_or_counted() {
    let typos = fixtures("typos").into_iter();
    let typos = sampled(typos.filter(|it| !it.is_import), 4);
    let others = typos.par_iter().flat_map_iter(|input| {
        let (workspace, grouped) = input.compile();
        lost(input, &workspace, &grouped)
    });
    let of_rules = sampled(diag(), 4).into_par_iter().filter(|it| !it.fixture.is_import);
    let of_rules = of_rules.flat_map_iter(|it| lost(&it.fixture, &it.workspace, &it.compilation));
    let complaints: Vec<_> = of_rules.chain(others).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn lost(input: &Fixture, workspace: &Workspace, grouped: &Compilation) -> Vec<String> {
    let mut complaints = Vec::new();
    let own = occurrences(&grouped.diagnostics);
    // Other tests hold that such an input has its finding.
    if own.values().sum::<usize>() <= 1 && grouped.left_out.is_empty() {
        return complaints;
    }
    let mut each = Fixture::new(input.name.clone(), input.bytes.clone());
    each.options.grouping = sandboxc::Grouping::None;
    let (_, each) = each.compile();
    let all = occurrences(&each.diagnostics);
    if own != all {
        complaints.push(format!("{}: {own:?} of {all:?}", input.name));
    }
    let counts = (grouped.allowed, grouped.left_out.len());
    if counts != (each.allowed, each.left_out.len()) {
        complaints.push(format!("{}: allowed or left out findings are lost", input.name));
    }
    for most in [2, MAX_SHOWN] {
        let selection = Selection::of(&grouped.diagnostics, most);
        let (shown, hidden) = (selection.findings().count(), selection.hidden().len());
        if shown + hidden != grouped.diagnostics.len() {
            complaints.push(format!("{}: {shown} + {hidden} findings", input.name));
        }
        let text = render_selection(workspace, &selection, Paint::Plain, None);
        let shown: usize = selection.findings().map(|it| 1 + it.others.count()).sum();
        if counted(&text) != shown {
            complaints.push(format!("{}: the report has {}", input.name, counted(&text)));
        }
    }
    complaints
}

/// The number of findings that a report shows and counts.
fn counted(report: &str) -> usize {
    let number = |text: &str| text.replace(',', "").parse::<usize>().ok();
    let mut count = 0;
    for line in report.lines() {
        let headline = ["error[", "warning[", "note["].iter().any(|it| line.starts_with(it));
        if headline {
            let text = line.split_once("]: ").map_or("", |it| it.1);
            let similar = text.strip_suffix(" more findings of this kind").and_then(number);
            count += similar.unwrap_or(1);
        }
        let note = line.trim_start().strip_prefix("= note: and ");
        let more = note.and_then(|it| it.split_once(" more"));
        let is_count =
            more.is_some_and(|(_, it)| it.starts_with(':') || it.starts_with(" of this"));
        count += more.filter(|_| is_count).and_then(|it| number(it.0)).unwrap_or(0);
    }
    count
}
