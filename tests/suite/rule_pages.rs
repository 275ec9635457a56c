//! `docs/rules/`: a page for each rule, with examples that raise the rule.

use std::collections::BTreeSet;
use std::fs;

use sandboxc::{Rule, rules};

use crate::rules::{NOT_REACHED, failures};
use crate::support::{Fixture, diag, root, updates};

/// Examples that necessarily raise another rule as well.
const ALSO_RAISED: &[(&str, &str)] = &[
    // Only a Runner that compiles to no objects has settings without effect.
    ("runner-setting-unused", "runner-not-compiled"),
    // Only a deprecated version has claims of a template.
    ("claim-of-any-pool", "api-version-deprecated"),
    // The files differ, but they define the same object.
    ("definition-ambiguous", "object-in-several-files"),
    // The kubelet also rejects the forbidden setting.
    ("pod-security-run-as-root", "run-as-non-root-conflict"),
    // The error remains.
    ("exception-for-error", "unknown-field"),
    // A Sandbox name that leaves no room for `work-` is always too long for a label.
    ("volume-claim-name-long", "sandbox-name-long"),
    // The findings that exceed the limit.
    ("too-many-findings", "field-missing"),
    // The API server requires the host network for a HostProcess container.
    ("pod-security-host-process", "pod-security-host-namespaces"),
    ("pod-security-host-process", "template-host-network"),
];

const HEADINGS: [&str; 4] = ["What it does", "Why is this bad?", "Example", "Use instead"];

#[test]
fn each_page_belongs_to_a_rule() {
    let of_rules = rules::all().into_iter().map(|rule| format!("{}.md", rule.name));
    let expected: BTreeSet<_> = of_rules.chain(["README.md".to_owned()]).collect();
    let entries = fs::read_dir(root().join("docs/rules")).unwrap();
    let found = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(expected, found);
}

#[test]
fn titles_and_severities_match_the_declarations() {
    failures(|rule| {
        let expected = format!("# {}\n\nSeverity: {}\n\n## ", rule.name, rule.severity.as_str());
        if sandboxc::rules::page(rule).starts_with(&expected) {
            vec![]
        } else {
            vec![format!("the page does not start with {expected:?}")]
        }
    });
}

#[test]
fn pages_have_the_four_headings() {
    failures(|rule| {
        let sections = sections(rules::docs(rule));
        let headings: Vec<_> = sections.iter().map(|(heading, _)| *heading).collect();
        let mut failures = Vec::new();
        if headings != HEADINGS {
            failures.push(format!("headings are {headings:?}"));
        }
        for (heading, text) in sections {
            if text.trim().is_empty() {
                failures.push(format!("nothing under {heading:?}"));
            }
        }
        failures
    });
}

#[test]
fn each_example_raises_its_rule_and_nothing_else() {
    failures(|rule| {
        let also = ALSO_RAISED.iter().filter(|(name, _)| *name == rule.name);
        let expected: BTreeSet<_> = also.map(|(_, other)| *other).chain([rule.name]).collect();
        let raised = raised_by(rule, EXAMPLE).filter(|it| *it != expected);
        raised.map(|it| format!("the example raises {it:?}")).into_iter().collect()
    });
}

/// `diag.rs` compares the findings of both blocks in full.
#[test]
fn the_repaired_example_does_not_raise_the_rule() {
    failures(|rule| {
        let raised = raised_by(rule, REPAIRED).filter(|it| it.contains(rule.name));
        raised.map(|_| "what to use instead raises it as well".to_owned()).into_iter().collect()
    });
}

/// The rules that a code block of a page raises.
fn raised_by(rule: &Rule, file: &str) -> Option<BTreeSet<&'static str>> {
    let name = fixture_name(rule, file);
    let compiled = diag().iter().chain(updates()).find(|it| it.fixture.name == name)?;
    Some(compiled.compilation.diagnostics.iter().map(|it| it.rule.name).collect())
}

/// The names of the two examples of a page among the fixtures of its rule.
const EXAMPLE: &str = "err_page.yaml";
const REPAIRED: &str = "ok_page.yaml";

fn fixture_name(rule: &Rule, file: &str) -> String {
    format!("diag/{}/{file}", rule.name)
}

/// The examples of all pages, for the tests that read the fixtures of rules.
pub(crate) fn fixtures() -> Vec<Fixture> {
    let rules = rules::all().into_iter().filter(|it| !NOT_REACHED.contains(&it.name));
    rules.flat_map(|rule| [example(rule), block(rule, "Use instead", REPAIRED)]).collect()
}

/// The input that raises a rule, according to its page.
pub(crate) fn example(rule: &Rule) -> Fixture {
    block(rule, "Example", EXAMPLE)
}

/// The code block under a heading.
fn block(rule: &Rule, heading: &str, file: &str) -> Fixture {
    let sections = sections(rules::docs(rule));
    let text = sections.into_iter().find(|(it, _)| *it == heading).map_or("", |(_, text)| text);
    let blocks = blocks(text);
    let [(info, code)] = blocks.as_slice() else {
        panic!("{}: {} code blocks under {heading:?}, not one", rule.name, blocks.len())
    };
    let bytes = match *info {
        "yaml" => code.as_bytes().to_vec(),
        "yaml escaped" => unescaped(code),
        _ => panic!("{}: a block of `{info}`, which is not compiled", rule.name),
    };
    Fixture::new(fixture_name(rule, file), bytes)
}

/// The sections of a page: heading and text. Lines inside code blocks are not headings.
pub(crate) fn sections(docs: &str) -> Vec<(&str, &str)> {
    let mut starts = Vec::new();
    let (mut is_code, mut at) = (false, 0);
    for line in docs.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if line.starts_with("## ") && !is_code {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([docs.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| &docs[*start..end]);
    parts.map(|part| part["## ".len()..].split_once('\n').unwrap_or((part, ""))).collect()
}

/// The code blocks of a section: the words after the fence, and the text.
pub(crate) fn blocks(section: &str) -> Vec<(&str, &str)> {
    let blocks = section.split("```").skip(1).step_by(2);
    blocks.map(|block| block.split_once('\n').expect("a language, then code")).collect()
}

/// Decodes the escapes of a block: `<U+00A0>` is a character, `<0xE9>` a byte, `<x, 300 times>` a
/// repeated string, and `<end>` the end of the file.
fn unescaped(code: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = code;
    while let Some((before, behind)) = rest.split_once('<') {
        let (escape, behind) = behind.split_once('>').expect("an end of the escape");
        bytes.extend_from_slice(before.as_bytes());
        if escape == "end" {
            return bytes;
        } else if let Some(hex) = escape.strip_prefix("U+") {
            let number = u32::from_str_radix(hex, 16).expect("a code point");
            let character = char::from_u32(number).expect("a character");
            bytes.extend_from_slice(character.to_string().as_bytes());
        } else if let Some(hex) = escape.strip_prefix("0x") {
            bytes.push(u8::from_str_radix(hex, 16).expect("a byte"));
        } else {
            let (text, times) = escape.rsplit_once(", ").expect("a known escape");
            let times = times.strip_suffix(" times").expect("a number of times");
            bytes.extend(text.repeat(times.parse().expect("a number")).into_bytes());
        }
        rest = behind;
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

#[test]
fn escapes_are_bytes() {
    assert_eq!(unescaped("a<U+00E9><0xFF><[, 3 times>b<end>\n"), b"a\xc3\xa9\xff[[[b");
    assert_eq!(unescaped("a: b\n"), b"a: b\n");
}
