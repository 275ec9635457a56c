//! `explain`: the page of a rule, a field of the language, or the list of all rules.

use sandboxc::{explain_field, rules};

use super::arguments::Explain;
use super::failure::Failure;
use super::{Outcome, output};

pub(crate) fn run(explain: &Explain) -> Result<Outcome, Failure> {
    let text = match &explain.rule {
        None => list(),
        Some(name) => match (rules::find(name), explain_field(name)) {
            (Some(rule), _) => rule.page.to_owned(),
            (None, Some(field)) => field,
            (None, None) => return Err(unknown(name)),
        },
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
    let help = sandboxc::nearest_subject(name).map_or_else(
        || "run `sandboxc explain` without a name to list all rules".to_owned(),
        |subject| format!("did you mean `{subject}`?"),
    );
    Failure::usage(format!("unknown rule or field `{}`", name.escape_debug()), help)
}
