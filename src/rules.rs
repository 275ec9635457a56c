//! Every rule of the program, for `explain`, the generated pages and the tests.

use crate::diag::{self, Rule};
use crate::dialect::DIALECTS;
use crate::effective;
use crate::exception;
use crate::expand;
use crate::folder;
use crate::import;
use crate::lower;
use crate::merge;
use crate::placeholder;
use crate::project;
use crate::schema;
use crate::validate;
use crate::workload;
use crate::yaml;

/// All rules, sorted by name.
#[must_use]
pub fn all() -> Vec<&'static Rule> {
    let of_systems: Vec<_> = DIALECTS.iter().flat_map(|it| it.rules).copied().collect();
    let mut rules: Vec<_> = [
        yaml::RULES,
        expand::RULES,
        &[diag::RULES],
        &[folder::RULES],
        &[placeholder::RULES],
        project::RULES,
        &[exception::RULES],
        schema::RULES,
        merge::RULES,
        workload::RULES,
        lower::RULES,
        import::ALL_RULES,
        &[effective::RULES],
        &of_systems,
        validate::RULES,
        validate::ADMISSION_RULES,
        validate::KIND_RULES,
        validate::POD_RULES,
    ]
    .concat()
    .concat();
    rules.sort_by_key(|rule| rule.name);
    rules
}

/// The rule called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Rule> {
    all().into_iter().find(|rule| rule.name == name)
}

/// The documentation of a rule: its page without title and severity.
#[must_use]
pub fn docs(rule: &Rule) -> &'static str {
    rule.page.find("\n## ").and_then(|at| rule.page.get(at..)).unwrap_or(rule.page).trim()
}

/// The first sentence of a rule's documentation, for lists.
#[must_use]
pub fn summary(rule: &Rule) -> String {
    let mut lines = docs(rule).lines().skip_while(|it| it.starts_with('#') || it.is_empty());
    let paragraph: Vec<_> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    paragraph.get(..end).unwrap_or("").to_owned()
}
