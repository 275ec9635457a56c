//! Searches in the large maps of an object.
//!
//! A search from the start for each key of a loop would take quadratic time. The cost of the API
//! server does not count it, because it has hash tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Stop;
use super::value::{Key, Map, Value, read_at};
use super::work::Work;
use crate::tree::{self, Node};

/// The number of entries above which a map is large.
pub(super) const LARGE: usize = 64;

/// The number of searches in a map after which an index takes less time than further ones.
const SEARCHES: usize = 16;

type Index<'v> = BTreeMap<&'v str, &'v Node>;

/// The index of a large map of an object.
fn index<'v>(map: &Map<'v>) -> Option<Index<'v>> {
    let Map::Read(map, _) = map else { return None };
    (map.entries.len() > LARGE).then(|| of_entries(map))
}

fn of_entries(map: &tree::Map) -> Index<'_> {
    map.entries.iter().map(|entry| (entry.key.as_str(), &entry.value)).collect()
}

/// A map of which many values are read.
pub(super) struct Indexed<'a, 'v> {
    map: &'a Map<'v>,
    index: Option<Index<'v>>,
}

impl<'a, 'v> Indexed<'a, 'v> {
    pub(super) fn of(map: &'a Map<'v>) -> Self {
        Self { map, index: index(map) }
    }

    /// The value at a key, as [`Map::get`] returns it.
    pub(super) fn get(&self, key: &Key) -> Result<Option<Value<'v>>, Stop> {
        match (self.map, &self.index) {
            (Map::Read(_, shape), Some(index)) => {
                read_at(shape, key, |name| index.get(name).copied())
            }
            (map, _) => map.get(key),
        }
    }
}

/// The large maps that an evaluation has searched, by their addresses.
#[derive(Default)]
pub(super) struct Lookup<'v> {
    maps: BTreeMap<*const tree::Map, Searched<'v>>,
}

/// A large map that was searched.
#[derive(Default)]
struct Searched<'v> {
    searches: usize,
    index: Option<Index<'v>>,
}

impl<'v> Lookup<'v> {
    /// Replaces a large map that is searched often by one that only has this key, if it has the
    /// key.
    pub(super) fn narrow(
        &mut self,
        container: &mut Value<'v>,
        name: &str,
        work: &mut Work,
    ) -> Result<(), Stop> {
        let Value::Map(Map::Read(map, shape)) = container else { return Ok(()) };
        if map.entries.len() <= LARGE {
            return Ok(());
        }
        let searched = self.maps.entry(std::ptr::from_ref(*map)).or_default();
        searched.searches += 1;
        if searched.searches <= SEARCHES {
            return work.search(map);
        }
        let index = searched.index.get_or_insert_with(|| of_entries(map));
        let key = Key::String(name.into());
        let found = read_at(shape, &key, |name| index.get(name).copied())?;
        let only = found.map(|value| (key, value)).into_iter().collect();
        *container = Value::Map(Map::Made(Arc::new(only)));
        Ok(())
    }
}
