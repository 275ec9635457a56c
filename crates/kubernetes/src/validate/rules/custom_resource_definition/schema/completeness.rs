//! Checks that the junctors at the root of a schema only use fields declared outside of them
//! (`validateStructuralCompleteness`; the API server does not check junctors further down).

use super::{JUNCTORS, Walk};
use crate::source::Span;
use crate::tree::{Map, Node, Path};
use crate::validate::rules::custom_resource_definition::CRD_NOT_STRUCTURAL;
use crate::validate::rules::judging::{Judging, items, shown};

pub(super) fn check(walk: &mut Walk<'_, '_, '_>, schema: &Node, path: &Path<'_>) {
    check_junctors(walk, schema, schema, path);
}

/// Checks the junctors of `schema` against the `declared` schema.
fn check_junctors(walk: &mut Walk<'_, '_, '_>, schema: &Node, declared: &Node, path: &Path<'_>) {
    if let Some(not) = schema.get("not") {
        check_nested(walk, not, declared, &path.field("not"));
    }
    for junctor in JUNCTORS {
        let path = path.field(junctor);
        for (index, nested) in items(schema, junctor).iter().enumerate() {
            check_nested(walk, nested, declared, &path.index(index));
        }
    }
}

fn check_nested(walk: &mut Walk<'_, '_, '_>, nested: &Node, declared: &Node, path: &Path<'_>) {
    check_junctors(walk, nested, declared, path);
    let is_schema = |it: &&Node| it.as_map().is_some();
    if let Some(entry) = nested.entry("items").filter(|it| it.value.as_map().is_some()) {
        let path = path.field("items");
        match declared.get("items").filter(is_schema) {
            Some(declared) => check_nested(walk, &entry.value, declared, &path),
            None => undeclared(walk, "items", entry.key_origin.span(), &path),
        }
    }
    let path = path.field("properties");
    let known = Map::of(declared.get("properties"));
    for entry in nested.get("properties").map_or(&[][..], Node::entries) {
        let path = path.key(&entry.key);
        match known.get(&entry.key) {
            Some(declared) => check_nested(walk, &entry.value, declared, &path),
            None => undeclared(walk, &entry.key, entry.key_origin.span(), &path),
        }
    }
}

fn undeclared(walk: &mut Walk<'_, '_, '_>, name: &str, at: Span, path: &Path<'_>) {
    let message =
        format!("`{}` is declared only inside `allOf`, `anyOf`, `oneOf` or `not`", shown(name));
    let help = "also declare it outside of them, with its type";
    walk.refuse(&CRD_NOT_STRUCTURAL, at, (message, help), path);
}
