//! Compares results with those of the server's own packages, which `tools/applying-oracle` records.

use std::fs;

use serde_json::Value as Json;

use super::*;
use crate::applying::definition;
use crate::kube::GroupVersionKind;
use crate::schema::{List, ListType, Object, PatchStrategy, Property, StringFormat, Type};
use crate::source::Workspace;
use crate::tree::Origin;

const TEXT: Type<'static> = Type::String(StringFormat::Plain);
static ITEM: Object<'static> = Object::new(
    "Thing.spec.list",
    &[Property::new("name", TEXT, false), Property::new("v", Type::Int64, false)],
);
static LIST: List<'static> = List {
    items: Type::Object(&ITEM),
    identity: ListType::Map(&["name"]),
    patch: PatchStrategy::Replace,
};
static SPEC: Object<'static> = Object::new(
    "Thing.spec",
    &[
        Property::new("list", Type::List(&LIST), false),
        Property::new("map", Type::Map(&TEXT), false),
    ],
);
/// The definition of the custom resource of the cases.
static THING: Object<'static> = Object::new(
    "Thing",
    &[
        Property::new("apiVersion", TEXT, false),
        Property::new("kind", TEXT, false),
        Property::new("metadata", Type::Any, false),
        Property::new("spec", Type::Object(&SPEC), false),
    ],
);

fn type_of(form: &Node) -> Typed<'static> {
    let text = |field: &str| form.str_at(&[field]).unwrap_or_default();
    let gvk = GroupVersionKind::new(text("apiVersion"), text("kind"));
    match definition(&gvk) {
        Some(definition) => Typed::of_object(Type::Object(definition), false),
        None => Typed::of_object(Type::Object(&THING), true),
    }
}

/// The difference between our answer and the recorded one.
fn compare(case: &Json) -> Option<String> {
    let origin = Origin::source(Workspace::new().start());
    let [live, new] = ["live", "new"].map(|name| Node::from_json(case[name].clone(), origin));
    let manager = case["manager"].as_str().expect("a manager");
    let is_forced = case["force"].as_bool().unwrap_or_default();
    let request = Request { form: &new, manager, is_forced };
    let managers = Managers::of(&live).unwrap_or_default();
    let ty = type_of(&new);
    let applied = match manager {
        "kubectl" => apply_with_kubectl(ty, &live, &managers, request),
        _ => apply(ty, &live, &managers, request),
    };
    let answer = &case["answer"];
    let applied = applied.map(Merged::into_object);
    let is_same = match (&applied, answer["error"].as_str()) {
        (Ok(object), None) => object.to_json() == answer["result"],
        (Err(failure @ Failure::Conflicts(_)), Some(error)) => failure.to_string() == error,
        (Err(failure), Some(error)) => error.contains(&failure.to_string()),
        _ => false,
    };
    let shown = match &applied {
        Ok(object) => object.json_text(),
        Err(failure) => failure.to_string(),
    };
    (!is_same).then(|| format!("{}: {shown}\n  {answer}", case["name"]))
}

#[test]
fn results_and_conflicts_are_those_of_the_server() {
    let path = std::env::var("SERVER_SIDE_CASES").unwrap_or_else(|_| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/applying/server-side.jsonl").to_owned()
    });
    let cases = fs::read_to_string(&path).expect("the recorded cases");
    let (mut count, mut differences) = (0, Vec::new());
    for line in cases.lines() {
        count += 1;
        differences.extend(compare(&serde_json::from_str(line).expect("a case")));
    }
    assert!(count > 0, "no cases in {path}");
    let shown: Vec<_> = differences.iter().take(5).map(String::as_str).collect();
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), shown.join("\n"));
}
