//! Expected objects, absent ones, and numbers of objects.

use super::fields::differences;
use super::run::Judge;
use crate::diag::{Diagnostic, listed, message, nearest};
use crate::kube::Object;
use crate::object_query::{ObjectQuery, QueryError};
use crate::source::Span;
use crate::test_case::{Expect, TEST_FAILED};
use crate::tree::Node;

/// The expectations that the objects do not meet.
pub(super) fn compare(judge: &Judge<'_>, expect: &Expect) -> Vec<Diagnostic> {
    let Expect { objects, absent, count, .. } = expect;
    let mut failures = Vec::new();
    for part in objects.iter().flat_map(|it| &it.items) {
        failures.extend(object(judge, &part.node));
    }
    for name in absent.iter().flat_map(|it| &it.items) {
        let Some(query) = ObjectQuery::parse(name.as_str()) else { continue };
        let found = judge.compilation.objects.iter().filter(|it| query.matches(it));
        failures.extend(found.map(|it| {
            Diagnostic::new(
                &TEST_FAILED,
                name.span(),
                message!("the output contains {}", it.describe()),
            )
            .at("must be absent")
            .label(it.name_span(), "built from this")
        }));
    }
    if let Some(count) = count {
        for ((kind, expected), place) in count.entries.iter().zip(&count.keys) {
            let found: Vec<_> =
                judge.compilation.objects.iter().filter(|it| is_of_kind(it, kind)).collect();
            if usize::try_from(expected.as_i64()) != Ok(found.len()) {
                failures.push(other_count(judge, kind, expected.as_i64(), &found, *place));
            }
        }
    }
    failures
}

/// Whether an object is of a kind: `Kind`, or `Kind.group`.
fn is_of_kind(object: &Object, kind: &str) -> bool {
    let (kind, group) =
        kind.split_once('.').map_or((kind, None), |(kind, group)| (kind, Some(group)));
    object.gvk.kind() == kind && group.is_none_or(|group| object.gvk.group() == group)
}

fn other_count(
    judge: &Judge<'_>,
    kind: &str,
    expected: i64,
    found: &[&Object],
    place: Span,
) -> Diagnostic {
    let count = if found.is_empty() { "no".to_owned() } else { found.len().to_string() };
    let plural = if found.len() == 1 { "" } else { "s" };
    let message = message!("{count} object{plural} of the kind `{kind}`, not {expected}");
    let failure = Diagnostic::new(&TEST_FAILED, place, message).at("expected number");
    if !found.is_empty() {
        let names: Vec<_> = found.iter().map(|it| it.describe()).collect();
        return failure.note(message!("objects: {}", listed(names.iter().map(String::as_str))));
    }
    let kinds = judge.compilation.objects.iter().map(|it| it.gvk.kind());
    failure.help_if(nearest(kind, kinds).map(|it| message!("did you mean `{it}`?")))
}

/// The fields of an expected object that the output does not have.
fn object(judge: &Judge<'_>, part: &Node) -> Vec<Diagnostic> {
    match find(&judge.compilation.objects, part) {
        Ok(object) => {
            let found = judge.comparer.unmet(object, part);
            differences(object, part, found)
        }
        Err(error) => {
            let place = part.at(&["metadata", "name"]).or_else(|| part.get("kind")).unwrap_or(part);
            let failure = Diagnostic::new(&TEST_FAILED, place.span(), error.message);
            vec![failure.at("expected object").help(error.help)]
        }
    }
}

/// The object of which `part` is a part.
fn find<'o>(objects: &'o [Object], part: &Node) -> Result<&'o Object, QueryError> {
    if let Some(query) = ObjectQuery::of(part) {
        return query.find(objects);
    }
    let kind = part.text_at(&["kind"]);
    let group = part.str_at(&["apiVersion"]).map(|it| it.rsplit_once('/').map_or("", |it| it.0));
    let is_it =
        |it: &&Object| it.gvk.kind() == kind && group.is_none_or(|group| it.gvk.group() == group);
    let found: Vec<_> = objects.iter().filter(is_it).collect();
    match found[..] {
        [object] => Ok(object),
        [] => {
            let near = nearest(kind, objects.iter().map(|it| it.gvk.kind()));
            Err(QueryError {
                message: message!("no object of the kind `{kind}` in the output"),
                help: near.map_or_else(
                    || "`sandboxc build` prints all objects".into(),
                    |it| message!("did you mean `{it}`?"),
                ),
            })
        }
        _ => {
            let names: Vec<_> = found.iter().map(|it| it.describe()).collect();
            Err(QueryError {
                message: message!("several objects of the kind `{kind}`"),
                help: message!("add `metadata.name`: {}", listed(names.iter().map(String::as_str))),
            })
        }
    }
}
