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
        Some((path, _)) => field_names(path),
        None => root_names(),
    };
    names.retain(|name| name.0.starts_with(start));
    names.sort();
    names.dedup_by(|one, other| one.0 == other.0);
    names
}

fn root_names() -> Vec<(String, String)> {
    let rules = rules::all().into_iter().map(|rule| (rule.name.to_owned(), rules::summary(rule)));
    let known = Root::names().map(|name| {
        let subject = Root::find(name, None).map(Root::subject);
        let about = |subject: Subject| {
            if subject.traits.is_empty() { subject.docs } else { subject.traits }
        };
        let about = subject.map_or_else(String::new, about);
        (name.to_owned(), about)
    });
    let custom = custom::names().into_iter().map(|name| (name, "custom resource".to_owned()));
    rules.chain(known).chain(custom).collect()
}

fn field_names(path: &str) -> Vec<(String, String)> {
    let below = match walk(path, None) {
        Ok(subjects) => subjects.last().map_or_else(Vec::new, |subject| {
            let about = |subject: &Subject| match subject.summary() {
                "" => subject.traits.clone(),
                summary => summary.to_owned(),
            };
            subject.fields().into_iter().map(|field| (field.name.clone(), about(&field))).collect()
        }),
        Err(_) => custom::fields(path),
    };
    below.into_iter().map(|(name, about)| (format!("{path}.{name}"), about)).collect()
}
