//! Tests of rules with defaults.

use crate::crd::plant::Plant;
use crate::limits::Fuel;
use crate::tree::Node;

fn node(json: &str) -> Node {
    Plant::new("test").json(json).unwrap()
}

#[test]
fn many_defaults_are_filled_like_few() {
    let filled = |count: usize| {
        let text = |number| format!("\"k{number}\": {{\"default\": {number}}}");
        let properties: Vec<_> = (0..count).map(text).collect();
        let schema = node(&format!("{{\"properties\": {{{}}}}}", properties.join(", ")));
        let defaults = crate::crd::defaults::Defaults::read(&schema).unwrap();
        let mut object = node(r#"{"x": 1, "k3": "own", "k1": null}"#);
        assert!(defaults.fill(&mut object, &Fuel::of(u64::MAX)).is_some());
        object
    };
    let few = r#"{"x": 1, "k3": "own", "k1": 1, "k0": 0, "k2": 2}"#;
    assert!(filled(4).same_value(&node(few)), "{}", filled(4).to_json());
    // Hours, if each one was searched.
    let many = filled(100_000);
    assert_eq!(many.entries().len(), 100_001);
    let values = ["k0", "k1", "k2", "k3", "k99999"].map(|key| many.get(key).unwrap().to_json());
    assert_eq!(
        format!("{values:?}"),
        format!("{:?}", [serde_json::json!(0), 1.into(), 2.into(), "own".into(), 99_999.into()])
    );
}

#[test]
fn defaults_spend_fuel() {
    let items = "1, ".repeat(9_999);
    let schema = node(&format!(
        r#"{{"type": "object", "x-kubernetes-validations": [{{"rule": "true"}}],
            "properties": {{"a": {{"type": "array", "items": {{"type": "integer"}}, "default": [{items}1]}}}}}}"#,
    ));
    let expressions = super::Expressions::read(&schema, false).unwrap();
    let is_over_after = |object: &str, runs: usize| {
        let (fuel, object) = (Fuel::for_values(1_000_000), node(object));
        for _ in 0..runs {
            expressions.run(&object, object.span(), &fuel, &mut |_| panic!("no rule is violated"));
        }
        fuel.is_out()
    };
    assert!(!is_over_after("{}", 90), "each has 10,001 values");
    assert!(is_over_after("{}", 110));
    assert!(!is_over_after(r#"{"a": []}"#, 110), "without defaults");
}

#[test]
fn defaults_are_filled_from_above() {
    let schema = node(
        r#"{"properties": {
            "a": {"default": {"x": 1}, "properties": {"y": {"default": 2}}},
            "b": {"properties": {"z": {"default": 3}}},
            "c": {"default": 4},
            "n": {"default": 5, "nullable": true},
            "list": {"items": {"properties": {"k": {"default": 6}}}},
            "map": {"additionalProperties": {"properties": {"k": {"default": 7}}}}
        }}"#,
    );
    let defaults = crate::crd::defaults::Defaults::read(&schema).unwrap();
    let mut object = node(r#"{"c": null, "n": null, "list": [{}, {"k": 1}], "map": {"m": {}}}"#);
    assert!(defaults.fill(&mut object, &Fuel::of(u64::MAX)).is_some());
    let expected = r#"{"c": 4, "n": null, "list": [{"k": 6}, {"k": 1}], "map": {"m": {"k": 7}},
        "a": {"x": 1, "y": 2}}"#;
    assert!(object.same_value(&node(expected)), "{}", object.to_json());
}
