//! Property tests of merging, with generated Pods.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::RngSeed;
use serde_json::{Map as JsonMap, Value as Json, json};

use super::fixtures::pod_spec;
use super::{MergeContext, Trace, overlay, underlay};
use crate::diag::Sink;
use crate::sorted::SortedSet;
use crate::source::{FileId, Span, Workspace};
use crate::tree::{Layer, Node, Origin, Path, Value};

const CX: MergeContext<'static> = MergeContext { rows: &[], path: Path::root() };

/// A Pod whose nodes have distinct spans in `file`.
fn with_distinct_spans(json: Json, file: FileId) -> Node {
    fn place(node: &mut Node, file: FileId, next: &mut u32) {
        *next += 1;
        *node = Node::new(node.value.clone(), Origin::source(Span::new(file, *next, *next)));
        match &mut node.value {
            Value::List(items) => items.iter_mut().for_each(|item| place(item, file, next)),
            Value::Map(map) => {
                map.edit(|entries| {
                    for entry in entries {
                        *next += 1;
                        entry.set_key_origin(Origin::source(Span::new(file, *next, *next)));
                        place(&mut entry.value, file, next);
                    }
                });
            }
            _ => {}
        }
    }
    let mut node = Node::from_json(json, Origin::source(Span::new(file, 0, 0)));
    place(&mut node, file, &mut 0);
    node
}

fn file_ids() -> [FileId; 3] {
    let mut workspace = Workspace::new();
    ["a", "b", "c"].map(|name| workspace.add(name, ""))
}

fn word() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c", "d"]).prop_map(str::to_owned)
}

fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(word(), 1..4)
}

fn names() -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(vec!["x", "y", "z"], 0..=3).prop_shuffle()
}

/// An object with some of these fields, in any order.
fn some_of(fields: Vec<(&'static str, BoxedStrategy<Json>)>) -> BoxedStrategy<Json> {
    let fields: Vec<_> = fields
        .into_iter()
        .map(|(name, value)| prop::option::of(value.prop_map(move |value| (name, value))))
        .collect();
    let object = |fields: Vec<Option<(&str, Json)>>| {
        let set = fields.into_iter().flatten().map(|(name, value)| (name.to_owned(), value));
        Json::Object(set.collect::<JsonMap<_, _>>())
    };
    fields.prop_shuffle().prop_map(object).boxed()
}

/// A list of objects with distinct names.
fn named_items(item: fn() -> BoxedStrategy<Json>) -> BoxedStrategy<Json> {
    let list = names().prop_flat_map(move |names| {
        let items: Vec<_> = names
            .into_iter()
            .map(|name| {
                item().prop_map(move |mut item| {
                    item["name"] = json!(name);
                    item
                })
            })
            .collect();
        items
    });
    list.prop_map(Json::from).boxed()
}

fn text() -> BoxedStrategy<Json> {
    word().prop_map(Json::from).boxed()
}

fn texts() -> BoxedStrategy<Json> {
    words().prop_map(Json::from).boxed()
}

fn container() -> BoxedStrategy<Json> {
    let capabilities = some_of(vec![("add", texts()), ("drop", texts())]);
    some_of(vec![
        ("image", text()),
        ("command", texts()),
        ("env", named_items(|| some_of(vec![("value", text())]))),
        ("securityContext", some_of(vec![("capabilities", capabilities)])),
    ])
}

fn pod() -> impl Strategy<Value = Json> {
    some_of(vec![
        ("containers", named_items(container)),
        ("initContainers", named_items(container)),
        ("imagePullSecrets", named_items(|| Just(json!({})).boxed())),
        ("nodeSelector", some_of(vec![("k", text()), ("l", text())])),
        ("runtimeClassName", text()),
        ("tolerations", texts()),
        ("serviceAccountName", text()),
        ("unknown", some_of(vec![("k", texts())])),
    ])
}

fn merge(base: &Node, over: &Node) -> Node {
    overlay(&CX, base.clone(), over, pod_spec(), None, &mut Sink::new())
}

fn collect_origins(node: &Node, into: &mut SortedSet<Origin>) {
    into.insert(node.origin());
    node.items().iter().for_each(|item| collect_origins(item, into));
    for entry in node.entries() {
        into.insert(entry.key_origin());
        collect_origins(&entry.value, into);
    }
}

/// The cases are the same in every run.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 512,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(19),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_empty_layer_changes_nothing(pod in pod()) {
        let [a, b, _] = file_ids();
        let (pod, empty) = (with_distinct_spans(pod, a), with_distinct_spans(json!({}), b));
        prop_assert_eq!(&merge(&pod, &empty), &pod);
        prop_assert!(merge(&empty, &pod).same_value(&pod));
        prop_assert_eq!(&underlay(&CX, pod.clone(), &empty, pod_spec()), &pod);
    }

    #[test]
    fn merging_a_layer_twice_is_idempotent(base in pod(), over in pod()) {
        let [a, b, _] = file_ids();
        let once = merge(&with_distinct_spans(base, a), &with_distinct_spans(over.clone(), b));
        prop_assert!(merge(&once, &with_distinct_spans(over, b)).same_value(&once));
    }

    #[test]
    fn merging_layers_is_associative(x in pod(), y in pod(), z in pod()) {
        let [a, b, c] = file_ids();
        let (x, y, z) = (with_distinct_spans(x, a), with_distinct_spans(y, b), with_distinct_spans(z, c));
        prop_assert_eq!(merge(&merge(&x, &y), &z), merge(&x, &merge(&y, &z)));
    }

    #[test]
    fn every_origin_is_in_the_input(base in pod(), over in pod()) {
        let [a, b, _] = file_ids();
        let (base, over) = (with_distinct_spans(base, a), with_distinct_spans(over, b));
        let (mut known, mut found) = (SortedSet::new(), SortedSet::new());
        collect_origins(&base, &mut known);
        collect_origins(&over, &mut known);
        collect_origins(&merge(&base, &over), &mut found);
        prop_assert!(found.is_subset(&known));
    }

    #[test]
    fn tracing_does_not_change_the_result(base in pod(), over in pod()) {
        let [a, b, _] = file_ids();
        let (base, over) = (with_distinct_spans(base, a), with_distinct_spans(over, b));
        let (mut trace, mut sink) = (Trace::default(), Sink::new());
        let traced = overlay(&CX, base.clone(), &over, pod_spec(), Some(&mut trace), &mut sink);
        prop_assert_eq!(traced, merge(&base, &over));
    }

    #[test]
    fn lower_layers_keep_their_order(base in pod(), over in pod()) {
        let [a, b, _] = file_ids();
        let (base, over) = (with_distinct_spans(base, a), with_distinct_spans(over, b));
        let names = |pod: &Node| -> Vec<String> {
            let containers = pod.get("containers").map_or(&[][..], Node::items);
            containers.iter().filter_map(|container| Some(container.str_at(&["name"])?.to_owned())).collect()
        };
        prop_assert!(names(&merge(&base, &over)).starts_with(&names(&base)));
    }

    #[test]
    fn a_lower_layer_never_changes_set_values(pod in pod(), layer in pod()) {
        let [a, b, _] = file_ids();
        let (pod, layer) = (with_distinct_spans(pod, a), with_distinct_spans(layer, b));
        let filled = underlay(&CX, pod.clone(), &layer, pod_spec());
        // Merging the Pod onto the result again changes nothing.
        prop_assert!(merge(&filled, &pod).same_value(&filled));
        for (entry, kept) in pod.entries().iter().zip(filled.entries()) {
            prop_assert_eq!(&entry.key, &kept.key);
        }
    }

    #[test]
    fn hostile_trees_do_not_panic(base in any_tree(), over in any_tree()) {
        let [a, b, _] = file_ids();
        let (base, over) = (with_distinct_spans(base, a), with_distinct_spans(over, b));
        let _ = merge(&base, &over);
        let _ = underlay(&CX, base, &over, pod_spec());
    }
}

/// Any tree that contains keys of a Pod, with values of wrong types.
fn any_tree() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![Just(json!(null)), Just(json!(1)), text()];
    let keys = vec!["containers", "name", "env", "value", "valueFrom", "ports", "volumes", "k"];
    leaf.prop_recursive(6, 60, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map(select(keys.clone()), inner, 0..4)
                .prop_map(|map| json!(map)),
        ]
    })
}

#[test]
fn a_map_of_two_layers_belongs_to_the_first_author() {
    let [a, b, _] = file_ids();
    let managed = Origin::of_layer(Layer::Managed, Span::new(a, 0, 9));
    let base = Node::from_json(json!({"containers": [{"name": "x", "command": ["c"]}]}), managed);
    let over = with_distinct_spans(json!({"containers": [{"name": "x", "image": "i"}]}), b);
    let merged = merge(&base, &over);
    let container = &merged.get("containers").unwrap().items()[0];
    assert_eq!(container.origin(), over.get("containers").unwrap().items()[0].origin());
    assert_eq!(container.get("command").unwrap().origin(), managed);
}

#[test]
fn cost_grows_linearly_with_hostile_lists() {
    let [a, b, _] = file_ids();
    let many = |prefix: &str| -> Json {
        let items: Vec<_> = (0..20_000).map(|i| json!({"name": format!("{prefix}{i}")})).collect();
        let labels: JsonMap<_, _> =
            (0..20_000).map(|i| (format!("{prefix}{i}"), json!("v"))).collect();
        json!({"containers": items, "tolerations": items, "nodeSelector": labels})
    };
    let (base, over) = (with_distinct_spans(many("x"), a), with_distinct_spans(many("y"), b));
    // Quadratic, this would be over a billion comparisons: minutes in a debug build.
    assert_eq!(merge(&base, &over).get("containers").unwrap().items().len(), 40_000);
}
