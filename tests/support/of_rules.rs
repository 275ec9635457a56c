//! The cases of a rule: the two examples of its page, `docs/rules/<rule>.md`, and those of its last section.

use std::fs;

use sandboxc::{Rule, rules};

use super::cases::{blocks, cases_of_page, sections, unescaped};
use super::{Fixture, root};

/// Rules that no fixture can raise. Their examples are not compiled either.
pub(crate) const NOT_REACHED: &[&str] = &[
    // An internal error, which has a unit test.
    "internal",
    // Only reported with `--lossy`; it has a unit test.
    "import-lossy",
    // Only reported by `import` of custom resources.
    "import-default",
    "import-kept",
    // Only reported by `migrate`.
    "migration-default",
    "migration-doubtful",
    "not-migrated",
    // Only reported by `test`, which has tests for each expectation.
    "test-failed",
    // The schema check of a definition reports these faults first, under other rules.
    "list-item-without-key",
    "override-type-mismatch",
];

/// The names of the two examples of a page among the cases of its rule.
const EXAMPLE: &str = "err_page.yaml";
const REPAIRED: &str = "ok_page.yaml";

fn fixture_name(rule: &Rule, file: &str) -> String {
    format!("diag/{}/{file}", rule.name)
}

/// The cases of all rules, sorted by name.
pub(crate) fn all_of_rules() -> impl Iterator<Item = Fixture> {
    let mut all: Vec<_> = rules::all().into_iter().flat_map(of_rule).collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all.into_iter()
}

/// The cases of a rule, those of its page first.
pub(crate) fn of_rule(rule: &Rule) -> Vec<Fixture> {
    if NOT_REACHED.contains(&rule.name) {
        return Vec::new();
    }
    let path = root().join(format!("docs/rules/{}.md", rule.name));
    let text = fs::read_to_string(path).expect("the page of a rule");
    let files = cases_of_page(&text).into_iter().flat_map(|it| it.files);
    let written = files.map(|(file, bytes)| Fixture::new(fixture_name(rule, &file), bytes));
    let of_page = [example(rule), block(rule, "Use instead", REPAIRED)];
    of_page.into_iter().chain(written).collect()
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
