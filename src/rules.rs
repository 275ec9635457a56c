//! Every rule of the program, for `explain`, the generated pages and the tests.

use crate::diag::{self, Rule};
use crate::dialect::DIALECTS;
use crate::expand;
use crate::findings::exception;
use crate::findings::placeholder;
use crate::folder;
use crate::import;
use crate::lower;
use crate::merge;
use crate::pod_security;
use crate::project;
use crate::schema;
use crate::sorted::CompactSort as _;
use crate::source::Slice as _;
use crate::test_case;
use crate::unevaluated;
use crate::validate;
use crate::yaml;

/// The rules declared by a part of the program, in lists.
type Family = &'static [&'static [&'static Rule]];

/// The rules that do not belong to a system, by the subject of their family.
const FAMILIES: [(&str, &[Family]); 5] = [
    ("yaml", &[yaml::RULES]),
    (
        "input",
        &[
            &[diag::RULES, diag::WORK_RULES],
            &[folder::RULES],
            &[placeholder::RULES],
            &[unevaluated::RULES],
            import::ALL_RULES,
        ],
    ),
    (
        "definition",
        &[
            expand::RULES,
            project::RULES,
            &[exception::RULES],
            merge::RULES,
            lower::RULES,
            &[test_case::RULES],
        ],
    ),
    ("security", &[pod_security::RULES]),
    (
        "kubernetes",
        &[
            schema::RULES,
            validate::RULES,
            validate::ADMISSION_RULES,
            validate::KIND_RULES,
            validate::POD_RULES,
        ],
    ),
];

/// All rules, sorted by name.
#[must_use]
pub fn all() -> Vec<&'static Rule> {
    let of_systems = DIALECTS.iter().map(|it| it.rules);
    let families = FAMILIES.iter().flat_map(|(_, families)| *families).copied();
    let mut rules: Vec<_> =
        families.chain(of_systems).flatten().copied().flatten().copied().collect();
    rules.compact_sort_by_key(|rule| rule.name);
    rules
}

/// The subjects of a rule: the subject of its family, such as `yaml`, or the name of its system.
#[must_use]
pub fn subjects(rule: &Rule) -> Vec<&'static str> {
    let has =
        |family: &[&[&'static Rule]]| family.iter().flat_map(|it| *it).any(|it| **it == *rule);
    let of_families = FAMILIES.iter().filter(|(_, all)| all.iter().any(|it| has(it)));
    let of_systems = DIALECTS.iter().filter(|it| has(it.rules));
    of_families.map(|(tag, _)| *tag).chain(of_systems.map(|it| it.name)).collect()
}

/// The rule called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Rule> {
    all().into_iter().find(|rule| rule.name == name)
}

/// The rule with the nearest name, if one is similar enough to be meant.
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    diag::nearest(name, all().into_iter().map(|rule| rule.name))
}

/// The pages of `docs/rules/`, sorted by name.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page of a rule in `docs/rules/`: a title, the severity, a description, the reason, and examples.
/// A test checks that every rule has one.
#[must_use]
pub fn page(rule: &Rule) -> &'static str {
    let found = PAGES.binary_search_by_key(&rule.name, |(name, _)| name);
    found.ok().and_then(|at| PAGES.get(at)).map_or("", |(_, page)| page)
}

/// The documentation of a rule: its page without title and severity.
#[must_use]
pub fn docs(rule: &Rule) -> &'static str {
    let page = page(rule);
    page.find("\n## ").map_or(page, |at| page.slice(at..)).trim()
}

/// The address of a rule's page, if the package has a repository: other programs require absolute addresses.
#[must_use]
pub fn page_address(rule: &Rule) -> Option<String> {
    repository().map(|it| format!("{it}/blob/main/docs/rules/{}.md", rule.name))
}

/// The address of the repository, if the package has one.
pub(crate) fn repository() -> Option<&'static str> {
    let address = env!("CARGO_PKG_REPOSITORY");
    address.starts_with("https://").then_some(address)
}

/// The first sentence of a rule's documentation, for lists.
#[must_use]
pub fn summary(rule: &Rule) -> String {
    let mut lines = docs(rule).lines().skip_while(|it| it.starts_with('#') || it.is_empty());
    let paragraph: Vec<_> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    paragraph.slice(..end).to_owned()
}
