//! `explain`: the page of a rule, a kind or field, or the list of all rules.

use sandboxc::{ExplainOptions, explain_field, rules};

use super::arguments::Explain;
use super::failure::Failure;
use super::{Outcome, output};

pub(crate) fn run(explain: &Explain) -> Result<Outcome, Failure> {
    let options = ExplainOptions {
        api_version: explain.api_version.as_deref(),
        is_recursive: explain.recursive,
    };
    let text = match &explain.rule {
        None => list(),
        Some(name) => match rules::find(name) {
            Some(rule) => rules::page(rule).to_owned(),
            None => explain_field(name, options)
                .map_err(|fault| Failure::usage(fault.message, fault.help))?,
        },
    };
    output::print(&text)?;
    Ok(Outcome::Clean)
}

fn list() -> String {
    let all = rules::all();
    let width = all.iter().map(|rule| rule.name.len()).fold(0, usize::max);
    let line = |rule: &&sandboxc::Rule| {
        format!("{:width$}  {:7}  {}\n", rule.name, rule.severity.as_str(), rules::summary(rule))
    };
    all.iter().map(line).collect()
}
