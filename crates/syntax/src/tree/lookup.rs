//! `Lookup`: a map of which many entries are searched.

use std::collections::BTreeMap;

use super::map::Map;
use super::node::{Entry, Node};

/// The number of entries above which a map is indexed.
const LARGE: usize = 32;

/// The entries of a map by key. A search from the start for each key of another map would take
/// quadratic time.
#[derive(Debug)]
pub struct Lookup<'n> {
    map: Option<&'n Map>,
    index: Option<BTreeMap<&'n str, &'n Entry>>,
}

impl<'n> Lookup<'n> {
    /// The entries of a node, if it is a map.
    pub fn of(node: Option<&'n Node>) -> Self {
        let map = node.and_then(Node::as_map);
        let large = map.filter(|it| it.entries().len() > LARGE);
        Self { map, index: large.map(indexed) }
    }

    /// The entries of a map that is searched for at most this number of keys.
    pub fn for_keys(map: &'n Map, count: usize) -> Self {
        let is_large = count > LARGE && map.entries().len() > LARGE;
        Self { map: Some(map), index: is_large.then(|| indexed(map)) }
    }

    /// The entries of a node, if it is a map, which is searched for at most this number of keys.
    pub fn for_node(node: &'n Node, count: usize) -> Self {
        node.as_map().map_or(Self { map: None, index: None }, |map| Self::for_keys(map, count))
    }

    /// The entry under `key`.
    pub fn entry(&self, key: &str) -> Option<&'n Entry> {
        match &self.index {
            Some(index) => index.get(key).copied(),
            None => self.map?.entry(key),
        }
    }

    /// The value under `key`, which can be `null`.
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.entry(key).map(|it| &it.value)
    }
}

/// The entries by key. Of equal keys, the first one counts.
fn indexed(map: &Map) -> BTreeMap<&str, &Entry> {
    map.entries().iter().rev().map(|it| (it.key.as_str(), it)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;
    use crate::tree::{Origin, Value};

    #[test]
    fn large_maps_are_indexed_and_small_ones_searched() {
        let origin = Origin::source(Workspace::new().start());
        for count in [0, 1, LARGE, LARGE + 1, 10 * LARGE] {
            let mut map = Map::default();
            for number in 0..count {
                map.insert(format!("k{number}"), origin, Node::string(number.to_string(), origin));
            }
            let node = Node::new(Value::Map(map), origin);
            let lookup = Lookup::of(Some(&node));
            assert_eq!(lookup.index.is_some(), count > LARGE);
            for number in 0..count {
                let found = lookup.get(&format!("k{number}")).and_then(Node::as_str);
                assert_eq!(found, Some(&*number.to_string()));
            }
            assert!(lookup.entry(&format!("k{count}")).is_none());
        }
        assert!(Lookup::of(None).entry("a").is_none());
        assert!(Lookup::of(Some(&Node::int(1, origin))).entry("a").is_none());
    }
}
