//! Rules of printed definitions.

use super::{Expressions, Place};
use crate::crd::crds;
use crate::crd::plant::Plant;
use crate::dialect::agent_sandbox::ControllerLine;
use crate::tree::Node;

fn node(json: &str) -> Node {
    Plant::new("test").json(json).unwrap()
}

fn all_rules(place: &Place, visit: &mut dyn FnMut(&super::Rule)) {
    place.rules.iter().for_each(&mut *visit);
    let below = place.properties.iter().map(|(_, place)| place);
    for place in below.chain(place.items()).chain(place.values()) {
        all_rules(place, visit);
    }
}

/// That is why the rules of agent-sandbox are not run.
#[test]
fn the_rules_of_agent_sandbox_look_at_updates_alone() {
    let mut count = 0;
    for line in ControllerLine::ALL {
        for definition in crds(line) {
            let versions = definition.root.at(&["spec", "versions"]).unwrap();
            for version in versions.items() {
                let schema = version.at(&["schema", "openAPIV3Schema"]).unwrap();
                let Some(expressions) = Expressions::read(schema, false) else { continue };
                all_rules(&expressions.root, &mut |rule| {
                    count += 1;
                    let program = rule.program.as_ref().unwrap().as_ref().unwrap();
                    assert!(program.uses_old, "{}", rule.text);
                });
            }
        }
    }
    assert!(count > 0);
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
