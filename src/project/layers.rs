//! The values of a run, merged: those of the Project, of an environment and of the command line.

use std::collections::BTreeMap;

use lean_string::LeanStr;

use crate::tree::{Map, Node, Value};

/// The maximum number of linear searches in a map, and of keys in one that needs no index. Most
/// Projects have few values, and most command lines set few of them.
const SEARCHES: usize = 8;

/// Values, and where their keys are: a command line can set thousands of thousands.
#[derive(Debug)]
pub(super) struct Layers {
    root: Node,
    index: Index,
}

/// The positions of the keys of a map.
#[derive(Debug, Default)]
struct Index {
    /// The number of searches so far.
    searches: usize,
    /// Computed after some searches.
    positions: Option<BTreeMap<LeanStr, usize>>,
    /// The same for the values at these positions.
    below: BTreeMap<usize, Index>,
}

impl Index {
    /// The position of a key. All keys that are added to the map are declared with `added`.
    fn find(&mut self, map: &Map, key: &str) -> Option<usize> {
        self.searches += 1;
        if map.entries.len() <= SEARCHES || self.searches <= SEARCHES {
            return map.entries.iter().position(|it| it.key == key);
        }
        let positions = self.positions.get_or_insert_with(|| map.positions());
        positions.get(key).copied()
    }

    fn added(&mut self, key: &LeanStr, position: usize) {
        if let Some(positions) = &mut self.positions {
            positions.insert(key.clone(), position);
        }
    }

    /// Merges maps; other values are replaced. The parser limits the depth.
    fn lay_over(&mut self, base: &mut Node, over: Node) {
        if base.as_map().is_none() || over.as_map().is_none() {
            *base = over;
            *self = Self::default();
            return;
        }
        let Value::Map(map) = &mut base.value else { return };
        for entry in over.into_entries() {
            let at = self.find(map, &entry.key);
            if let Some((at, below)) = at.and_then(|at| Some((at, map.entries.get_mut(at)?))) {
                self.below.entry(at).or_default().lay_over(&mut below.value, entry.value);
            } else {
                self.added(&entry.key, map.entries.len());
                map.entries.push(entry);
            }
        }
    }
}

impl Layers {
    /// The lowest layer.
    pub(super) fn of(root: Node) -> Self {
        Self { root, index: Index::default() }
    }

    /// Adds a layer. Maps are merged; other values are replaced.
    pub(super) fn add(&mut self, over: Node) {
        self.index.lay_over(&mut self.root, over);
    }

    /// The index of the first key of a path that a map does not have, with the map. A path is not
    /// followed into what is not a map, or an empty one.
    pub(super) fn first_absent(&mut self, path: &[&str]) -> Option<(usize, &Map)> {
        let (mut node, mut index) = (&self.root, &mut self.index);
        for (depth, key) in path.iter().enumerate() {
            let map = node.as_map().filter(|it| !it.entries.is_empty())?;
            let Some(at) = index.find(map, key) else { return Some((depth, map)) };
            node = &map.entries.get(at)?.value;
            index = index.below.entry(at).or_default();
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
    fn keys_are_found_with_and_without_an_index() {
        let keys = |count: usize| (0..count).map(|it| (format!("k{it}"), json!({"x": it})));
        for count in [1, SEARCHES, SEARCHES + 1, 100] {
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

    /// Without an index, each search reads half of the keys.
    #[test]
    fn many_searches_use_an_index() {
        let mut layers =
            Layers::of(node((0..100).map(|it| (format!("k{it}"), json!(it))).collect()));
        for _ in 0..=SEARCHES {
            assert!(layers.index.positions.is_none());
            layers.add(node(json!({"k50": 1})));
        }
        assert!(layers.index.positions.is_some());
    }
}
