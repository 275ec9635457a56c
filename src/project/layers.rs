//! The values of a run, merged: those of the Project, of an environment and of the command line.

use crate::tree::{Map, Node, Value};

/// The values of all layers so far.
#[derive(Debug)]
pub(super) struct Layers {
    root: Node,
}

/// Merges maps; other values are replaced. The parser limits the depth.
fn lay_over(base: &mut Node, over: Node) {
    let Value::Map(map) = &mut base.value else {
        *base = over;
        return;
    };
    if over.as_map().is_none() {
        *base = over;
        return;
    }
    let mut new = Vec::new();
    for entry in over.into_entries() {
        match map.get_mut(&entry.key) {
            Some(below) => lay_over(below, entry.value),
            None => new.push(entry),
        }
    }
    map.extend(new);
}

impl Layers {
    /// The lowest layer.
    pub(super) fn of(root: Node) -> Self {
        Self { root }
    }

    /// Adds a layer. Maps are merged; other values are replaced.
    pub(super) fn add(&mut self, over: Node) {
        lay_over(&mut self.root, over);
    }

    /// The index of the first key of a path that a map does not have, with the map. A path is not
    /// followed into what is not a map, or an empty one.
    pub(super) fn first_absent(&self, path: &[&str]) -> Option<(usize, &Map)> {
        let mut node = &self.root;
        for (depth, key) in path.iter().enumerate() {
            let map = node.as_map().filter(|it| !it.is_empty())?;
            let Some(below) = map.get(key) else { return Some((depth, map)) };
            node = below;
        }
        None
    }

    /// The values of all layers.
    pub(super) fn into_node(self) -> Node {
        self.root
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::Workspace;
    use crate::tree::Origin;

    fn node(json: serde_json::Value) -> Node {
        Node::from_json(json, Origin::source(Workspace::new().start()))
    }

    #[test]
    fn maps_are_merged_and_other_values_replaced() {
        let mut layers = Layers::of(node(json!({"a": {"b": 1, "c": 2}, "d": [1]})));
        for over in [
            json!({"a": {"c": 3, "e": 4}}),
            json!({"d": {"f": 5}}),
            json!({"d": {"g": 6}}),
            json!({"a": 7}),
            json!({"a": {"h": 8}}),
        ] {
            layers.add(node(over));
        }
        assert_eq!(layers.into_node().to_json(), json!({"a": {"h": 8}, "d": {"f": 5, "g": 6}}));
    }

    #[test]
    fn keys_are_found_in_maps_of_any_size() {
        let keys = |count: usize| (0..count).map(|it| (format!("k{it}"), json!({"x": it})));
        for count in [1, 32, 33, 100] {
            let mut layers = Layers::of(node(keys(count).collect()));
            for round in 0..4 {
                for number in 0..count {
                    let key = format!("k{number}");
                    assert!(layers.first_absent(&[&key, "x"]).is_none(), "{round}");
                    let absent = layers.first_absent(&[&key, "y"]).map(|it| it.0);
                    assert_eq!(absent, Some(1), "{round}");
                }
                let added = format!("k{}", count + round);
                assert_eq!(layers.first_absent(&[&added]).map(|it| it.0), Some(0));
                layers.add(node(json!({added.clone(): {"x": 1}})));
                assert!(layers.first_absent(&[&added, "x"]).is_none());
                layers.add(node(json!({"k0": {"z": round}})));
            }
            assert_eq!(layers.into_node().entries().len(), count + 4);
        }
    }
}
