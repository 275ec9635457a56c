//! Tests of rules with defaults.

use crate::crd::plant::Plant;
use crate::tree::Node;

impl super::Expressions {
    /// All rules, those of the root first.
    pub(crate) fn rules(&self) -> Vec<&super::Rule> {
        let mut rules = Vec::new();
        let mut places = vec![&self.root];
        while let Some(place) = places.pop() {
            rules.extend(&place.rules);
            let below = place.properties.values();
            places.extend(below.chain(place.items()).chain(place.values()));
        }
        rules
    }
}

fn node(json: &str) -> Node {
    Plant::new("test").json(json).unwrap()
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
    defaults.fill(&mut object);
    let expected = r#"{"c": 4, "n": null, "list": [{"k": 6}, {"k": 1}], "map": {"m": {"k": 7}},
        "a": {"x": 1, "y": 2}}"#;
    assert!(object.same_value(&node(expected)), "{}", object.to_json());
}
