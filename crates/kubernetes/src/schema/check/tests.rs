//! Cases that fixtures cannot cover: hand-made custom resources, built-in layers, and hostile
//! input.

use std::fmt::Write as _;

use super::{CheckContext, check};
use crate::diag::Sink;
use crate::limits;
use crate::schema::{
    KubernetesVersion, List, ListType, Object, PatchStrategy, Property, StringFormat, Type, store,
};
use crate::source::{FileId, Workspace};
use crate::tree::{Layer, Node, Origin, Value};

fn parse(workspace: &mut Workspace, text: &str) -> Node {
    let file: FileId = workspace.add("test.yaml", text);
    let mut sink = Sink::new();
    let mut documents = crate::yaml::documents(file, workspace.file(file).text(), &mut sink).read;
    assert!(sink.is_empty(), "{text}");
    documents.remove(0).root
}

/// The findings as `rule path`.
fn found(root: &Node, ty: Type<'_>, cx: &CheckContext<'_>) -> Vec<String> {
    let mut sink = Sink::new();
    check(root, ty, cx, &mut sink);
    let show = |finding: crate::diag::Diagnostic| {
        let path = finding.details().path.as_ref().map(ToString::to_string);
        format!("{} {}", finding.rule.name, path.unwrap_or_default())
    };
    sink.into_sorted().into_iter().map(show).collect()
}

fn found_in(text: &str, ty: Type<'_>, cx: &CheckContext<'_>) -> Vec<String> {
    let mut workspace = Workspace::new();
    let root = parse(&mut workspace, text);
    found(&root, ty, cx)
}

/// Each finding takes microseconds, even if it is left out.
#[test]
fn findings_above_the_limit_of_a_document_are_not_made() {
    let mut workspace = Workspace::new();
    let root = parse(&mut workspace, &format!("[{}]", "1, ".repeat(10_000)));
    let list = List { items: TEXT, identity: ListType::Atomic, patch: PatchStrategy::Replace };
    let mut sink = Sink::of_document();
    check(&root, Type::List(&list), &CheckContext::definition(NEWEST, "Test"), &mut sink);
    assert_eq!(sink.len(), limits::DOCUMENT_FINDINGS.count() + 1);
}

const TEXT: Type<'static> = Type::String(StringFormat::Plain);
const NEWEST: KubernetesVersion = KubernetesVersion::NEWEST;

const fn property(name: &'static str, value: Type<'static>) -> Property<'static> {
    Property::new(name, value, false)
}

static ITEM: Object<'static> = Object {
    name: "item",
    properties: &[
        property("name", TEXT),
        Property { default: Some("\"TCP\""), ..property("protocol", TEXT) },
    ],
    is_atomic: false,
    others: None,
};
static KEYED: List<'static> = List {
    items: Type::Object(&ITEM),
    identity: ListType::Map(&["name", "protocol"]),
    patch: PatchStrategy::Replace,
};
static SET: List<'static> =
    List { items: TEXT, identity: ListType::Set, patch: PatchStrategy::Replace };
static CUSTOM: Object<'static> = Object {
    name: "custom",
    properties: &[
        property("count", Type::Int32),
        Property { default: Some("1"), ..property("filled", Type::Int32) },
        property("keyed", Type::List(&KEYED)),
        property("set", Type::List(&SET)),
    ],
    is_atomic: false,
    others: None,
};

#[test]
fn lists_of_custom_resources_are_unique() {
    let custom = CheckContext::custom(NEWEST, "Custom");
    let found = |text| found_in(text, Type::Object(&CUSTOM), &custom);
    assert_eq!(found("set: [a, b, a]\n"), ["list-item-duplicate set[2]"]);
    assert_eq!(
        // An absent key has its default.
        found("keyed: [{name: a}, {name: a, protocol: TCP}, {name: a, protocol: UDP}]\n"),
        ["list-item-duplicate keyed[1]"]
    );
    let built_in = CheckContext::built_in(NEWEST, "Custom");
    assert!(found_in("set: [a, b, a]\n", Type::Object(&CUSTOM), &built_in).is_empty());
}

#[test]
fn null_is_a_value_in_lists_of_custom_resources() {
    let custom = CheckContext::custom(NEWEST, "Custom");
    let text = "count: null\nfilled: null\nset: [a, null]\n";
    assert_eq!(found_in(text, Type::Object(&CUSTOM), &custom), ["null-not-allowed set[1]"]);
    let built_in = CheckContext::built_in(NEWEST, "Custom");
    assert!(found_in(text, Type::Object(&CUSTOM), &built_in).is_empty());
}

/// A definition of a custom resource can have any number of fields, and an input any number of
/// objects with unknown ones.
#[test]
fn fields_of_wide_objects_are_not_suggested() {
    let mut workspace = Workspace::new();
    let root = parse(&mut workspace, "coumt: 1\ninner-5: 1\n");
    let cx = CheckContext::custom(NEWEST, "Custom");
    let wide = |fields: usize, of: &[&'static str], value: Type<'static>| {
        let names = (0..fields).map(|index| &*format!("{}-{index}", of[0]).leak());
        let others = names.map(|name| property(name, Type::Any));
        let own = of.iter().skip(1).map(|name| property(name, value));
        let properties = own.chain(others).collect::<Vec<_>>().leak();
        properties.sort_by_key(|it| it.name);
        &*Box::leak(Box::new(Object { properties, ..CUSTOM }))
    };
    let suggestions = |fields: usize, inner_fields: usize| {
        let inner = wide(inner_fields, &["inner"], Type::Any);
        let object = wide(fields, &["outer", "count"], Type::Object(inner));
        let mut sink = Sink::new();
        check(&root, Type::Object(object), &cx, &mut sink);
        let texts = sink.iter().flat_map(|finding| {
            finding.details().suggestions.iter().map(|suggestion| &suggestion.text)
        });
        let texts = texts.chain(sink.iter().flat_map(|finding| &finding.details().help));
        (sink.len(), texts.map(|text| text.as_prose().to_owned()).collect::<Vec<_>>())
    };
    let near = "did you mean `count`?".to_owned();
    let inside = "`inner-5` belongs in `count`: move it there".to_owned();
    for (fields, inner_fields) in [(0, 10), (999, 10), (0, 10_000)] {
        assert_eq!(suggestions(fields, inner_fields), (2, vec![near.clone(), inside.clone()]));
    }
    assert_eq!(suggestions(1_000, 10), (2, vec![]));
}

#[test]
fn a_message_lists_fifty_values() {
    let values: Vec<_> = (0..1_000).map(|index| format!("v{index}")).collect();
    let shown = |count| super::text::values(count, values.iter().take(count).map(String::as_str));
    assert_eq!([1, 3].map(shown), ["`v0`", "`v0`, `v1` or `v2`"]);
    assert!(shown(50).as_prose().ends_with("`v48` or `v49`"));
    let all = shown(1_000);
    assert!(
        all.as_prose().starts_with("one of `v0`, `v1`")
            && all.as_prose().ends_with("`v49` and 950 more"),
        "{all:?}"
    );
}

#[test]
fn faults_of_built_in_layers_are_bugs() {
    let mut workspace = Workspace::new();
    let mut root = parse(&mut workspace, "count: 1\n");
    let place = root.span();
    root.set("set", Node::int(1, Origin::of_layer(Layer::Managed, place)));
    let custom = CheckContext::custom(NEWEST, "Custom");
    assert_eq!(found(&root, Type::Object(&CUSTOM), &custom), ["internal set"]);
}

#[test]
fn a_built_in_struct_that_cannot_be_converted_is_reported() {
    let span = Workspace::new().start();
    let value = std::collections::BTreeMap::from([(true, 1)]);
    let node = Node::built_in(&value, Origin::of_layer(Layer::Managed, span));
    let pod = Type::Object(store::definition("io.k8s.api.core.v1.PodSpec").unwrap());
    assert_eq!(found(&node, pod, &CheckContext::built_in(NEWEST, "Pod")), ["internal "]);
}

#[test]
fn annotations_have_a_size_limit() {
    let pod = store::kind("", "v1", "Pod").and_then(|kind| kind.definition).unwrap();
    let cx = CheckContext::built_in(NEWEST, "Pod");
    let with = |length: usize| {
        let text = format!(
            "metadata: {{annotations: {{ab: \"{}\"}}}}\nspec: {{containers: [{{name: a}}]}}\n",
            "x".repeat(length)
        );
        found_in(&text, Type::Object(pod), &cx)
    };
    assert!(with(262_142).is_empty());
    assert_eq!(with(262_143), ["annotations-too-large metadata.annotations"]);
}

/// The work for suggestions is limited: thousands of long unknown keys cost no more than linear
/// time.
#[test]
fn many_unknown_keys_are_all_reported() {
    let pod = store::kind("", "v1", "Pod").and_then(|kind| kind.definition).unwrap();
    let mut text = String::from("spec:\n  containers: [{name: a}]\n");
    for number in 0..20_000 {
        let _ = writeln!(text, "  {}{number}: 1", "containr".repeat(7));
    }
    let _ = writeln!(text, "  ? \"{}\"\n  : 1", "a".repeat(100_000));
    let cx = CheckContext::built_in(NEWEST, "Pod");
    let found = found_in(&text, Type::Object(pod), &cx);
    assert_eq!(found.len(), 20_001);
}

/// A valid object of every built-in kind's type: an empty map can only lack fields.
#[test]
fn every_definition_can_be_walked() {
    let mut workspace = Workspace::new();
    let root = parse(&mut workspace, "{}\n");
    assert!(matches!(root.value, Value::Map(_)));
    for version in KubernetesVersion::all() {
        for definition in store::definitions() {
            let cx = CheckContext::built_in(version, definition.name);
            let required = definition
                .properties
                .iter()
                .filter(|property| property.is_required && property.versions.contains(version))
                .filter(|property| !store::zero_is_good(definition.name, property.name));
            let found = found(&root, Type::Object(definition), &cx);
            assert_eq!(found.len(), required.count(), "{}", definition.name);
        }
    }
}
