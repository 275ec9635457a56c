//! `explain`: the page of a rule, or the list of all rules.

use sandboxc::rules;

use super::arguments::Explain;
use super::failure::Failure;
use super::{Outcome, output};

pub(crate) fn run(explain: &Explain) -> Result<Outcome, Failure> {
    let text = match &explain.rule {
        None => list(),
        Some(name) => rules::page(rules::find(name).ok_or_else(|| unknown(name))?),
    };
    output::print(&text)?;
    Ok(Outcome::Clean)
}

fn list() -> String {
    let all = rules::all();
    let width = all.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let line = |rule: &&sandboxc::Rule| {
        format!("{:width$}  {:7}  {}\n", rule.name, rule.severity.as_str(), rules::summary(rule))
    };
    all.iter().map(line).collect()
}

fn unknown(name: &str) -> Failure {
    let help = rules::nearest(name).map_or_else(
        || "run `sandboxc explain` without a name for the list of all rules".to_owned(),
        |rule| format!("did you mean `{}`?", rule.name),
    );
    Failure::usage(format!("there is no rule `{}`", name.escape_debug()), help)
}
