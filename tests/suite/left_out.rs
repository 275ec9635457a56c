//! Findings that follow from others are left out, findings with one cause are grouped, and nothing
//! is lost: in the recorded corpus, the fixtures, and mutants of both, each finding that is left
//! out is covered by a reported one that is at least as severe and applies to all of its versions.

use rayon::prelude::*;
use sandboxc::{
    Compilation, Diagnostic, KubernetesVersion, Options, Severity, Versions, Workspace, compile,
};

use crate::conformance::corpus;
use crate::mutants::mutants;
use crate::support::{Fixture, diag, fixtures, of_rules_and_typos, portion, sampled};

/// The number of mutants of each fixture.
const OF_FIXTURES: usize = 1;
/// One in this many documents of the corpus has a mutant.
const OF_CORPUS: usize = 6;

#[derive(Clone)]
struct Input {
    name: String,
    texts: Vec<String>,
    options: Options,
}

impl Input {
    fn compile(&self) -> Compilation {
        let mut workspace = Workspace::new();
        for (number, text) in self.texts.iter().enumerate() {
            workspace.add(format!("{number}.yaml"), text.as_str());
        }
        compile(&workspace, &self.options)
    }

    fn mutants(&self, count: usize) -> impl Iterator<Item = Self> + '_ {
        let (first, others) = self.texts.split_first().expect("a text");
        mutants(&self.name, first, count).into_iter().map(|(what, text)| Self {
            name: format!("{} with {what}", self.name),
            texts: std::iter::once(text).chain(others.iter().cloned()).collect(),
            options: self.options.clone(),
        })
    }
}

#[test]
fn a_finding_is_only_left_out_in_favor_of_one_that_covers_it() {
    let corpus = sampled(corpus::documents(), 64).into_iter().map(|document| {
        let texts = [document.text, document.definition];
        Input {
            name: document.id,
            texts: texts.into_iter().filter(|it| !it.is_empty()).collect(),
            options: Options::default(),
        }
    });
    check(corpus.collect(), |number| usize::from(number.is_multiple_of(OF_CORPUS)));
    let others = ["compile", "crd"].into_iter().flat_map(fixtures);
    let fixtures = sampled(of_rules_and_typos().into_iter().chain(others), 40).into_iter();
    let of_fixtures = fixtures.filter_map(|fixture| {
        let Fixture { name, bytes, options, .. } = fixture;
        Some(Input { name, texts: vec![String::from_utf8(bytes).ok()?], options })
    });
    check(of_fixtures.collect(), |_| OF_FIXTURES);
}

fn check(mut inputs: Vec<Input>, mutants: fn(usize) -> usize) {
    // A cause in one version does not explain a finding in another, so the oldest and the newest
    // version are compiled together.
    let ends = Versions::parse("1.33,1.37").expect("two versions");
    for input in &mut inputs {
        if input.options.kubernetes.is_empty() {
            input.options.kubernetes = ends;
        }
    }
    let failures: Vec<_> = inputs
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, input)| {
            let own = all_complaints(input);
            let of_mutants = input.mutants(mutants(number)).flat_map(|it| all_complaints(&it));
            own.into_iter().chain(of_mutants).collect::<Vec<_>>()
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn all_complaints(input: &Input) -> Vec<String> {
    let compilation = input.compile();
    let mut all = complaints(&input.name, &compilation);
    if compilation.diagnostics.iter().any(|it| it.others.count() > 0) {
        let mut ungrouped = input.clone();
        ungrouped.options.grouping = sandboxc::Grouping::None;
        all.extend(differences(&input.name, &compilation, &ungrouped.compile()));
    }
    all
}

/// The faults of a grouping of findings.
fn differences(name: &str, grouped: &Compilation, ungrouped: &Compilation) -> Vec<String> {
    let mut differences = Vec::new();
    let count = grouped.diagnostics.iter().map(|it| 1 + it.others.count()).sum::<usize>();
    if count != ungrouped.diagnostics.len() || grouped.left_out.len() != ungrouped.left_out.len() {
        differences.push(format!("{name}: {count} findings, {}", ungrouped.diagnostics.len()));
    }
    for version in KubernetesVersion::all() {
        let worst = |all: &[Diagnostic]| {
            let of_version = all.iter().filter(|it| applies_to(it, version));
            of_version.map(|it| it.severity).min()
        };
        if worst(&grouped.diagnostics) != worst(&ungrouped.diagnostics) {
            differences.push(format!("{name}: another verdict for {version} when grouped"));
        }
    }
    // One of the strings that a program wrote without indentation stands for all; `--fix` groups nothing.
    let has_all = |it: &&Diagnostic| it.rule.name != "quoted-text-not-indented";
    let edits = |all: &[Diagnostic]| -> std::collections::BTreeSet<_> {
        all.iter().filter(has_all).flat_map(|it| it.details().suggestions.clone()).collect()
    };
    if edits(&grouped.diagnostics) != edits(&ungrouped.diagnostics) {
        differences.push(format!("{name}: other edits when grouped"));
    }
    differences
}

fn complaints(name: &str, compilation: &Compilation) -> Vec<String> {
    let Compilation { diagnostics, left_out, .. } = compilation;
    let mut complaints = Vec::new();
    for it in left_out {
        let Some(instead) = diagnostics.get(it.in_favor_of) else {
            complaints.push(format!("{name}: nothing for {:?}", it.finding));
            continue;
        };
        let is_as_severe = instead.severity <= it.finding.severity;
        let applies = KubernetesVersion::all()
            .all(|version| !applies_to(&it.finding, version) || applies_to(instead, version));
        if !(is_as_severe && applies) {
            complaints.push(format!("{name}: {:?}\n  in favor of {instead:?}", it.finding));
        }
    }
    for version in KubernetesVersion::all() {
        let fails = |it: &Diagnostic| it.severity == Severity::Error && applies_to(it, version);
        let all = diagnostics.iter().chain(left_out.iter().map(|it| &it.finding));
        if diagnostics.iter().any(fails) != all.into_iter().any(fails) {
            complaints.push(format!("{name}: the verdict for {version} is another without them"));
        }
    }
    complaints
}

fn applies_to(finding: &Diagnostic, version: KubernetesVersion) -> bool {
    finding.kubernetes.is_none_or(|versions| versions.contains(version))
}

/// The test above requires that fixtures have grouped findings of several rules.
#[test]
fn fixtures_have_findings_that_are_grouped() {
    let rules: std::collections::BTreeSet<_> = diag()
        .iter()
        .flat_map(|it| &it.compilation.diagnostics)
        .filter(|it| it.others.count() > 0)
        .map(|it| it.rule.name)
        .collect();
    assert!(rules.len() >= portion(4, 4), "{rules:?}");
}

/// The test above requires that mutants have left-out findings of many rules.
#[test]
fn mutants_have_findings_that_are_left_out() {
    let rules: std::collections::BTreeSet<_> = sampled(fixtures("typos"), 4)
        .into_par_iter()
        .flat_map_iter(|fixture| {
            let Fixture { name, bytes, options, .. } = fixture;
            let texts = vec![String::from_utf8(bytes).unwrap()];
            let input = Input { name, texts, options };
            let all: Vec<_> = input.mutants(6).map(|it| it.compile()).collect();
            all.into_iter().flat_map(|it| it.left_out).map(|it| it.finding.rule.name)
        })
        .collect();
    assert!(rules.len() >= portion(5, 4), "{rules:?}");
}
