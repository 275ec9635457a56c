//! Every rule of the program, for `explain`, the generated pages and the tests.

use crate::diag::Rule;
use crate::dialect::agent_sandbox;
use crate::yaml;

/// All rules, sorted by name.
#[must_use]
pub fn all() -> Vec<&'static Rule> {
    let mut rules: Vec<_> = [yaml::RULES, agent_sandbox::rules::RULES].concat().concat();
    rules.sort_by_key(|rule| rule.name);
    rules
}

/// The rule called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Rule> {
    all().into_iter().find(|rule| rule.name == name)
}
