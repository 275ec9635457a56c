//! The registry of rules: names, documentation, fixtures, and examples that do what they say.

use std::collections::BTreeSet;
use std::fs;

use sandboxc::{Options, Rule, Versions, Workspace, compile, rules};

use crate::support::root;

/// Rules of stages that `compile` does not run; a rule leaves the list with its first fixture.
const NOT_REACHED: &[&str] = &[
    // A fault of ours; it has a test beside the code.
    "internal",
    // The schema check of a definition comes first, and sees these faults in other words.
    "list-item-without-key",
    "override-type-mismatch",
];

/// Rules whose fixture would be as large as the limit that they hold.
const TOO_LARGE: &[&str] = &["annotations-too-large", "data-too-large", "file-too-large"];

fn is_reached(rule: &Rule) -> bool {
    !NOT_REACHED.contains(&rule.name) && !TOO_LARGE.contains(&rule.name)
}

/// Examples that cannot but raise another rule as well.
const ALSO_RAISED: &[(&str, &str)] = &[
    // The error stays.
    ("exception-for-error", "unknown-field"),
    // A Sandbox whose name leaves no room for `work-` is too long for a label in any case.
    ("volume-claim-name-long", "sandbox-name-long"),
    // The API server wants the node's network for a host process.
    ("pod-security-host-process", "pod-security-host-namespaces"),
    ("pod-security-host-process", "template-host-network"),
];

const HEADINGS: [&str; 4] = ["What it does", "Why", "Example", "Use instead"];

/// What is wrong with any rule, all at once.
fn failures(check: impl Fn(&Rule) -> Vec<String>) {
    let failures: Vec<_> = rules::all()
        .into_iter()
        .flat_map(|rule| check(rule).into_iter().map(|it| format!("{}: {it}", rule.name)))
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn names_are_kebab_case_and_unique() {
    let names: Vec<_> = rules::all().iter().map(|rule| rule.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    failures(|rule| {
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        let is_kebab_case = rule.name.split('-').all(is_word);
        if is_kebab_case { vec![] } else { vec!["not kebab-case".to_owned()] }
    });
}

#[test]
fn documentation_has_the_four_headings() {
    failures(|rule| {
        let docs = rules::docs(rule);
        let headings: Vec<_> = sections(&docs).iter().map(|(heading, _)| heading.clone()).collect();
        let mut failures = Vec::new();
        if headings != HEADINGS {
            failures.push(format!("headings are {headings:?}"));
        }
        for (heading, text) in sections(&docs) {
            if text.trim().is_empty() {
                failures.push(format!("nothing under {heading:?}"));
            }
        }
        failures
    });
}

#[test]
fn each_rule_has_fixtures_of_both_signs() {
    let folder = root().join("fixtures/diag");
    failures(|rule| {
        if !is_reached(rule) {
            let is_free = !folder.join(rule.name).exists();
            return if is_free {
                vec![]
            } else {
                vec!["has fixtures: no longer NOT_REACHED".into()]
            };
        }
        let files: Vec<_> = fs::read_dir(folder.join(rule.name))
            .map(|entries| entries.map(|it| it.unwrap().file_name()).collect())
            .unwrap_or_default();
        let has = |sign: &str| files.iter().any(|it| it.to_str().unwrap().starts_with(sign));
        ["err_", "ok_"]
            .into_iter()
            .filter(|sign| !has(sign))
            .map(|sign| format!("no fixtures/diag/{}/{sign}*.yaml", rule.name))
            .collect()
    });
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(rules::find(&name).is_some(), "fixtures/diag/{name}: there is no such rule");
    }
}

#[test]
fn each_example_raises_its_rule_and_nothing_else() {
    failures(|rule| {
        let also = ALSO_RAISED.iter().filter(|(name, _)| *name == rule.name);
        let expected: BTreeSet<_> = also.map(|(_, other)| *other).chain([rule.name]).collect();
        let docs = rules::docs(rule);
        let blocks = blocks(&docs, "Example");
        if blocks.is_empty() {
            return vec!["no ```yaml or ```text block under Example".to_owned()];
        }
        if !is_reached(rule) {
            return vec![];
        }
        let texts = blocks.into_iter().filter(|(language, _)| language == "yaml");
        texts
            .filter_map(|(_, text)| {
                let raised = raised(&text);
                (raised != expected).then(|| format!("the example raises {raised:?}"))
            })
            .collect()
    });
}

#[test]
fn what_to_use_instead_does_not_raise_the_rule() {
    failures(|rule| {
        let docs = rules::docs(rule);
        let blocks = blocks(&docs, "Use instead");
        if blocks.is_empty() {
            return vec!["no ```yaml or ```text block under Use instead".to_owned()];
        }
        let texts = blocks.into_iter().filter(|(language, _)| language == "yaml");
        texts
            .filter(|(_, text)| raised(text).contains(rule.name))
            .map(|_| "what to use instead raises it as well".to_owned())
            .collect()
    });
}

fn raised(text: &str) -> BTreeSet<&'static str> {
    let mut workspace = Workspace::new();
    workspace.add("example.yaml", text);
    let version =
        text.strip_prefix("# kubernetes:").and_then(|rest| rest.lines().next()).map(str::trim);
    let mut options = Options::default();
    options.kubernetes = version.and_then(Versions::parse).unwrap_or_default();
    let compilation = compile(&workspace, &options);
    compilation.diagnostics.iter().map(|it| it.rule.name).collect()
}

/// The parts of a page: heading and text. Lines within a block of code are no headings.
fn sections(docs: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    let mut is_code = false;
    for line in docs.lines() {
        is_code ^= line.starts_with("```");
        match line.strip_prefix("## ") {
            Some(heading) if !is_code => sections.push((heading.to_owned(), String::new())),
            _ => {
                let (_, text) = sections.last_mut().expect("a page starts with a heading");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    sections
}

/// The blocks of code under a heading: language and text.
fn blocks(docs: &str, heading: &str) -> Vec<(String, String)> {
    let sections = sections(docs);
    let text = sections.iter().find(|(it, _)| it == heading).map_or("", |(_, text)| text);
    let mut blocks = Vec::new();
    let mut parts = text.split("```").skip(1);
    while let (Some(block), _) = (parts.next(), parts.next()) {
        let (language, code) = block.split_once('\n').expect("a language, then code");
        if ["yaml", "text"].contains(&language) {
            blocks.push((language.to_owned(), code.to_owned()));
        }
    }
    blocks
}
