//! Checks that the junctors at the root of a schema only use fields declared outside of them
//! (`validateStructuralCompleteness`; the API server does not check junctors further down).

use super::JUNCTORS;
use crate::diag::message;
use crate::tree::{Entry, Map, Node};
use crate::validate::rules::custom_resource_definition::CRD_NOT_STRUCTURAL;
use crate::validate::rules::judge::{Judge, entries, items, shown};

pub(super) fn check(judge: &mut Judge<'_>, schema: &Node) {
    check_junctors(judge, schema, schema);
}

/// Checks the junctors of `schema` against the `declared` schema.
fn check_junctors(judge: &mut Judge<'_>, schema: &Node, declared: &Node) {
    if let Some(not) = schema.get("not") {
        check_nested(judge, not, declared);
    }
    for junctor in JUNCTORS {
        for nested in items(schema, junctor) {
            check_nested(judge, nested, declared);
        }
    }
}

fn check_nested(judge: &mut Judge<'_>, nested: &Node, declared: &Node) {
    check_junctors(judge, nested, declared);
    let is_schema = |schema: &&Node| schema.as_map().is_some();
    if let Some(entry) = nested.entry("items").filter(|entry| entry.value.as_map().is_some()) {
        match declared.get("items").filter(is_schema) {
            Some(declared) => check_nested(judge, &entry.value, declared),
            None => report_undeclared(judge, entry),
        }
    }
    let known = Map::of(declared.get("properties"));
    for entry in entries(nested, "properties") {
        match known.get(&entry.key) {
            Some(declared) => check_nested(judge, &entry.value, declared),
            None => report_undeclared(judge, entry),
        }
    }
}

fn report_undeclared(judge: &mut Judge<'_>, entry: &Entry) {
    let message = message!(
        "`{}` is declared only inside `allOf`, `anyOf`, `oneOf` or `not`",
        shown(&entry.key)
    );
    let help = "also declare it outside of them, with its type";
    judge.refuse(&CRD_NOT_STRUCTURAL, entry, (message, help));
}
