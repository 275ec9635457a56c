//! Keywords of schemas, with values that the API server accepts and rejects.

use serde_json::{Value as Json, json};

use super::constraints::{Position, read};
use super::plant::Plant;
use crate::diag::Sink;
use crate::limits::Fuel;
use crate::schema::{Arena, CheckContext, KubernetesVersion, check_constraints};
use crate::tree::Path;

/// The rules, headlines and paths of the findings for `value`.
fn findings(schema: &Json, value: &Json) -> Vec<String> {
    findings_within(schema, value, &Fuel::of(u64::MAX))
}

fn findings_within(schema: &Json, value: &Json, fuel: &Fuel<'_>) -> Vec<String> {
    let arena = Arena::new();
    let plant = Plant::new("test");
    let node = |json: &Json| plant.json(&json.to_string()).unwrap();
    let constraints = arena.constraints(read(&arena, &node(schema), Position::Junctor));
    let mut sink = Sink::new();
    let root = Path::root();
    let path = root.field("spec");
    let cx = CheckContext::custom(KubernetesVersion::NEWEST, "Test").with_fuel(fuel);
    check_constraints(&cx, constraints, &node(value), &path, &mut |_, finding| {
        sink.report(finding);
    });
    let findings = sink.into_sorted();
    findings
        .iter()
        .map(|finding| format!("{}: {}", finding.rule.name, finding.details().message.as_prose()))
        .collect()
}

fn takes(schema: &Json, values: &[Json]) {
    for value in values {
        assert_eq!(findings(schema, value), Vec::<String>::new(), "{schema} takes {value}");
    }
}

fn refuses(schema: &Json, values: &[Json], finding: &str) {
    for value in values {
        assert_eq!(findings(schema, value), [finding], "{schema} refuses {value}");
    }
}

#[test]
fn numbers_keep_their_limits() {
    let schema = json!({"minimum": 1, "maximum": 3, "exclusiveMaximum": true});
    takes(&schema, &[json!(1), json!(2.9), json!("text"), json!(null)]);
    refuses(&schema, &[json!(0), json!(0.5)], "number-out-of-range: `spec` must be at least 1");
    refuses(&schema, &[json!(3), json!(3.0)], "number-out-of-range: `spec` must be less than 3");
    let schema = json!({"minimum": 0.5, "exclusiveMinimum": true});
    refuses(&schema, &[json!(0.5)], "number-out-of-range: `spec` must be more than 0.5");
    // Above 2^53, different integers can be the same float.
    let schema = json!({"maximum": 9_007_199_254_740_992_i64});
    let above = json!(9_007_199_254_740_993_i64);
    refuses(&schema, &[above], "number-out-of-range: `spec` must be at most 9007199254740992");
}

#[test]
fn numbers_are_multiples() {
    takes(&json!({"multipleOf": 5}), &[json!(0), json!(-10)]);
    refuses(
        &json!({"multipleOf": 5}),
        &[json!(7)],
        "number-out-of-range: `spec` must be a multiple of 5",
    );
    takes(&json!({"multipleOf": 0.1}), &[json!(0.3)]);
    refuses(
        &json!({"multipleOf": 0.1}),
        &[json!(0.25)],
        "number-out-of-range: `spec` must be a multiple of 0.1",
    );
    refuses(
        &json!({"multipleOf": 0}),
        &[json!(7), json!(0.5)],
        "number-out-of-range: `spec` must be a multiple of 0",
    );
}

#[test]
fn integers_are_compared_without_the_fraction_of_a_limit() {
    takes(&json!({"minimum": 0.5}), &[json!(0), json!(0.0), json!(0.5)]);
    refuses(
        &json!({"minimum": 0.5}),
        &[json!(0.25)],
        "number-out-of-range: `spec` must be at least 0.5",
    );
    refuses(
        &json!({"multipleOf": 0.5}),
        &[json!(3)],
        "number-out-of-range: `spec` must be a multiple of 0.5",
    );
}

#[test]
fn sizes_are_counted_in_characters_items_and_entries() {
    let text = json!({"minLength": 2, "maxLength": 3});
    takes(&text, &[json!("\u{1f600}\u{e9}\u{4e16}"), json!(1)]);
    refuses(&text, &[json!("a")], "size-out-of-range: `spec` must have at least 2 characters");
    refuses(&text, &[json!("abcd")], "size-out-of-range: `spec` must have at most 3 characters");
    let list = json!({"minItems": 1, "maxItems": 1});
    takes(&list, &[json!([1])]);
    refuses(&list, &[json!([])], "size-out-of-range: `spec` must have at least 1 items");
    refuses(&list, &[json!([1, 2])], "size-out-of-range: `spec` must have at most 1 items");
    let map = json!({"minProperties": 1, "maxProperties": 1});
    takes(&map, &[json!({"a": 1})]);
    refuses(&map, &[json!({})], "size-out-of-range: `spec` must have at least 1 entries");
    refuses(
        &map,
        &[json!({"a": 1, "b": 2})],
        "size-out-of-range: `spec` must have at most 1 entries",
    );
}

#[test]
fn patterns_are_not_anchored() {
    takes(&json!({"pattern": "b+"}), &[json!("abbc"), json!(1)]);
    refuses(
        &json!({"pattern": "^b+$"}),
        &[json!("abbc")],
        "pattern-mismatch: `spec` does not match the pattern `^b+$`",
    );
}

#[test]
fn formats_apply_to_text_and_unknown_ones_to_nothing() {
    takes(&json!({"format": "date-time"}), &[json!("2026-01-01T00:00:00Z"), json!(5)]);
    refuses(
        &json!({"format": "date-time"}),
        &[json!("2026-01-01")],
        "date-time-invalid: `spec` is not a valid date and time",
    );
    takes(&json!({"format": "banana"}), &[json!("anything")]);
}

#[test]
fn values_outside_a_list_are_rejected() {
    let schema = json!({"enum": [1, "two", {"a": [3]}]});
    takes(&schema, &[json!(1), json!("two"), json!({"a": [3]})]);
    refuses(
        &schema,
        &[json!(2), json!("Two"), json!({"a": []})],
        "enum-value-unknown: `spec` is not one of the values in its schema",
    );
}

#[test]
fn alternatives_are_counted() {
    let one_of = json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]});
    takes(&one_of, &[json!({"a": 1}), json!({"b": 1, "c": 1})]);
    refuses(
        &one_of,
        &[json!({}), json!({"a": 1, "b": 1})],
        "schema-alternative-unmet: `spec` must match exactly one of the alternatives in its schema",
    );
    let any_of = json!({"anyOf": [{"minimum": 10}, {"maximum": 1}]});
    takes(&any_of, &[json!(10), json!(0)]);
    refuses(
        &any_of,
        &[json!(5)],
        "schema-alternative-unmet: `spec` matches none of the alternatives in its schema",
    );
    let not = json!({"not": {"required": ["a"]}});
    takes(&not, &[json!({"b": 1})]);
    refuses(
        &not,
        &[json!({"a": 1})],
        "schema-alternative-unmet: `spec` matches what its schema excludes",
    );
}

#[test]
fn fields_required_by_all_of_are_reported_as_missing() {
    let schema = json!({"allOf": [
        {"properties": {"ports": {"items": {"properties": {"number": {"minimum": 1}}}}}},
        {"required": ["name"]},
    ]});
    takes(&schema, &[json!({"name": "a", "ports": [{"number": 1}, {}]})]);
    refuses(
        &schema,
        &[json!({"name": "a", "ports": [{"number": 1}, {"number": 0}]})],
        "number-out-of-range: `spec.ports[1].number` must be at least 1",
    );
    refuses(&schema, &[json!({})], "field-missing: `spec` must have `name`");
}

#[test]
fn int_or_string_does_not_restrict_the_type() {
    let schema = json!({"anyOf": [{"type": "integer"}, {"type": "string"}]});
    takes(&schema, &[json!(1), json!("a")]);
}

/// A map with these keys, whose values are 1.
fn ones(count: usize) -> Json {
    let entries = (0..count).map(|number| (format!("k{number}"), json!(1)));
    Json::Object(entries.collect())
}

#[test]
fn many_properties_are_found_in_many_entries() {
    let limits = (0..100).map(|number| (format!("k{number}"), json!({"maximum": 1})));
    let properties = json!({"properties": Json::Object(limits.collect())});
    let (all, any) = (json!({"allOf": [properties]}), json!({"anyOf": [properties]}));
    let good = ones(200);
    let mut bad = good.clone();
    bad["k42"] = json!(2);
    for schema in [&all, &any] {
        takes(schema, &[good.clone(), json!({}), json!(1)]);
    }
    let finding = "number-out-of-range: `spec.k42` must be at most 1";
    refuses(&all, std::slice::from_ref(&bad), finding);
    let finding = "schema-alternative-unmet: `spec` matches none of the alternatives in its schema";
    refuses(&any, &[bad], finding);
}

/// A schema can have thousands of these keywords, each of which reads the whole value.
#[test]
fn keywords_that_read_the_whole_value_take_steps() {
    let list = json!(vec![1; 8_000]);
    for (schema, value) in [
        (json!({"allOf": [{"items": {}}]}), &list),
        (json!({"not": {"items": {}}}), &list),
        (json!({"anyOf": [{"minProperties": 1}]}), &ones(8_000)),
        (json!({"anyOf": [{"maxProperties": 1}]}), &ones(8_000)),
        (json!({"allOf": [{"properties": {"z": {"maximum": 1}}}]}), &ones(8_000)),
    ] {
        let fuel = Fuel::of(u64::MAX);
        findings_within(&schema, value, &fuel);
        assert!(fuel.spent() >= 1_000, "{schema} takes {fuel:?}");
    }
}
