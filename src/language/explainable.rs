//! The names that `explain` accepts, for a completion.

use crate::rules;

use super::custom;
use super::explain::walk;
use super::subject::{Root, Subject};

/// The names that can follow the start of an argument of `explain`, each with a line about it: rules and
/// kinds, and after a dot the fields of what precedes it.
///
/// ```
/// let fields = sandboxc::explainable("Template.network.eg");
/// assert_eq!(fields.first().map(|it| it.0.as_str()), Some("Template.network.egress"));
/// ```
#[must_use]
pub fn explainable(start: &str) -> Vec<(String, String)> {
    let mut names = match start.rsplit_once('.') {
        Some((path, _)) => fields(path),
        None => roots(),
    };
    names.retain(|it| it.0.starts_with(start));
    names.sort();
    names.dedup_by(|one, other| one.0 == other.0);
    names
}

fn roots() -> Vec<(String, String)> {
    let rules = rules::all().into_iter().map(|it| (it.name.to_owned(), rules::summary(it)));
    let known = Root::names().map(|name| {
        let subject = Root::find(name, None).map(Root::subject);
        let about = |it: Subject| if it.traits.is_empty() { it.docs } else { it.traits };
        let about = subject.map_or_else(String::new, about);
        (name.to_owned(), about)
    });
    let custom = custom::names().into_iter().map(|it| (it, "custom resource".to_owned()));
    rules.chain(known).chain(custom).collect()
}

fn fields(path: &str) -> Vec<(String, String)> {
    let below = match walk(path, None) {
        Ok(subjects) => subjects.last().map_or_else(Vec::new, |subject| {
            let about = |it: &Subject| match it.summary() {
                "" => it.traits.clone(),
                summary => summary.to_owned(),
            };
            subject.fields().into_iter().map(|it| (it.name.clone(), about(&it))).collect()
        }),
        Err(_) => custom::fields(path),
    };
    below.into_iter().map(|(name, about)| (format!("{path}.{name}"), about)).collect()
}
