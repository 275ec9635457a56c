//! Expected fields, and the differences between fields.

use super::run::Judge;
use crate::diag::{Diagnostic, FieldPath, Message, PathStep, did_you_mean, first_of, message};
use crate::diff::{Difference, FieldChange, Shown};
use crate::kube::Object;
use crate::object_query::ObjectQuery;
use crate::source::Span;
use crate::test_case::{Expect, TEST_FAILED};
use crate::tree::{Content, Node};
use crate::why::follow;

/// The expected fields that the objects do not have.
pub(super) fn compare(judge: &Judge<'_>, expect: &Expect) -> Vec<Diagnostic> {
    let mut failures = Vec::new();
    if let Some(objects) = &expect.fields {
        for ((name, fields), place) in objects.entries.iter().zip(&objects.keys) {
            let Some(query) = ObjectQuery::parse(name) else { continue };
            let object = match query.find(&judge.compilation.objects) {
                Ok(object) => object,
                Err(error) => {
                    let failure = Diagnostic::new(&TEST_FAILED, *place, error.message);
                    failures.push(failure.at("expected object").help(error.help));
                    continue;
                }
            };
            for ((path, value), key) in fields.entries.iter().zip(&fields.keys) {
                let place = if value.node.is_null() { *key } else { value.node.span() };
                failures.extend(failures_of_field(judge, object, path, place, &value.node));
            }
        }
    }
    failures
}

/// The difference of one field from its expected value.
fn failures_of_field(
    judge: &Judge<'_>,
    object: &Object,
    path: &str,
    place: Span,
    value: &Node,
) -> Vec<Diagnostic> {
    let path = FieldPath::from(path);
    let found = follow(&object.root, &path);
    let failure = Failure { object, place };
    let steps: Vec<_> = found.path.iter().chain(&found.missing).collect();
    let masking = judge.comparer.masking();
    let shown = |value: &Node| text(&masking.at_path(&object.root, steps.iter().copied(), value));
    let owner = format!("`{path}` of {}", object.describe());
    let built = Some(found.node).filter(|it| found.missing.is_empty() && !it.is_null());
    if value.is_null() {
        let set = |it| {
            failure.finding(message!("{owner} is {}, but must not be set", shown(it)), Some(it))
        };
        return built.map(set).into_iter().collect();
    }
    let missing: FieldPath = found.missing.iter().cloned().collect();
    let is_item = !missing.steps().is_empty() && matches!(found.node.content(), Content::List(_));
    if !is_item && judge.comparer.unmet_field(object, &found.path, &missing, value).is_empty() {
        return Vec::new();
    }
    let message = match built {
        Some(built) => message!("{owner} is {}, not {}", shown(built), shown(value)),
        None => message!("{owner} is not set"),
    };
    let near =
        found.missing.first().and_then(PathStep::name).and_then(|name| {
            did_you_mean(name, found.node.entries().iter().map(|it| it.key.as_str()))
        });
    vec![failure.finding(message, built).help_if(near)]
}

/// The failures for the differences of an object from an expected part of it.
pub(super) fn differences(
    object: &Object,
    part: &Node,
    found: Vec<FieldChange>,
) -> Vec<Diagnostic> {
    let failure = |change: FieldChange| {
        let expected = change.new.iter().find(|it| !it.is_default);
        let place = match expected
            .filter(|_| matches!(change.difference, Difference::Value | Difference::Quantity))
        {
            Some(shown) => shown.node.span(),
            None => follow(part, &change.path).node.span(),
        };
        Failure { object, place }.of_change(&change)
    };
    found.into_iter().map(failure).collect()
}

/// A failed expectation on an object.
struct Failure<'f> {
    object: &'f Object,
    /// Where the expectation is.
    place: Span,
}

impl Failure<'_> {
    fn of_change(&self, change: &FieldChange) -> Diagnostic {
        let FieldChange { path, difference, old, new, .. } = change;
        let owner = format!("`{path}` of {}", self.object.describe());
        let message = match (difference, old.first(), new.first()) {
            (Difference::Order, ..) => {
                message!("the items of {owner} are {}, not {}", values(old), values(new))
            }
            (Difference::Items, Some(_), Some(_)) => {
                message!("{owner} has the items {} instead of {}", values(old), values(new))
            }
            (Difference::Items, None, _) => message!("{owner} has no item {}", values(new)),
            (Difference::Items, _, None) => message!("{owner} also has {}", values(old)),
            (_, Some(old), Some(new)) => {
                message!("{owner} is {}, not {}", value(old), text(&new.node))
            }
            (_, Some(old), None) => message!("{owner} is {}, but must not be set", value(old)),
            (_, None, _) => message!("{owner} is not set"),
        };
        self.finding(message, old.first().filter(|it| !it.is_default).map(|it| &it.node))
    }

    fn finding(&self, message: Message, built: Option<&Node>) -> Diagnostic {
        let failure = Diagnostic::new(&TEST_FAILED, self.place, message).at("expected");
        let Some(origin) = built.map(Node::origin) else {
            return failure.label(self.object.name_span(), "the object");
        };
        match origin.layer() {
            None => failure.label(origin.span(), "built from this"),
            Some(layer) => failure
                .label(origin.span(), "the definition")
                .note(message!("the value is set by {}", layer.describe())),
        }
    }
}

/// The value that an object has.
fn value(shown: &Shown) -> Message {
    let default = if shown.is_default { " by default" } else { "" };
    message!("{}{default}", text(&shown.node))
}

/// Items of a list.
fn values(list: &[Shown]) -> Message {
    const MOST: usize = 5;
    first_of(MOST, ", ", list.iter().map(|it| text(&it.node)))
}

/// A value in a message.
fn text(node: &Node) -> Message {
    match node.content() {
        Content::String(text) if !text.is_empty() => message!("`{text}`"),
        _ => message!("`{}`", node.brief_json()),
    }
}
