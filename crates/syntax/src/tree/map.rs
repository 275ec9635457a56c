//! `Map`: ordered entries, and the index of a large map.

use std::collections::BTreeMap;
use std::fmt;

use lean_string::LeanStr;
use thin_vec::ThinVec;

use super::key::Fingerprint;
use super::node::{Entry, Node, Value};
use super::{Key, Origin};

/// The number of entries above which a map has an index.
const FEW: usize = 32;

/// The length of a key, in bytes, up to which it is compared without a call.
const SHORT: usize = 16;

/// A map with ordered keys. The parser has rejected duplicates; of equal keys, the first one counts.
///
/// It is one pointer wide. If it has many entries, their index is stored after them, so that no
/// search takes linear time.
#[derive(Clone, Default)]
pub struct Map {
    /// The entries, in source order. Above [`FEW`], one more follows, which no other module sees: its
    /// key is the [`Index`].
    stored: ThinVec<Entry>,
}

/// One field of a map whose value can be changed.
#[derive(Debug)]
pub struct Field<'m> {
    /// The key.
    pub key: &'m LeanStr,
    /// Where the key was written.
    pub key_origin: Origin,
    /// The value.
    pub value: &'m mut Node,
}

/// What a node without entries has.
static EMPTY: Map = Map { stored: ThinVec::new() };

impl Map {
    /// The map of a node; empty if there is none.
    #[must_use]
    pub fn of(node: Option<&Node>) -> &Self {
        node.and_then(Node::as_map).unwrap_or(&EMPTY)
    }

    /// The entries, in source order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match self.stored.split_last() {
            Some((last, entries)) if entries.len() > FEW && last.key.is_index() => entries,
            _ => &self.stored,
        }
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// Consumes the map and returns its entries.
    #[must_use]
    pub fn into_entries(mut self) -> ThinVec<Entry> {
        self.take_index();
        self.stored
    }

    /// The entry under `key`.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        // Without the calls that long keys need, the search of a short one is short.
        if self.stored.len() > FEW || key.len() > SHORT {
            return self.entry_by_position(key);
        }
        let fingerprint = Fingerprint::of(key);
        self.stored.iter().find(|entry| entry.key.is(key, fingerprint))
    }

    #[inline(never)]
    fn entry_by_position(&self, key: &str) -> Option<&Entry> {
        self.stored.get(self.position(key)?)
    }

    /// The value under `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The value under `key`, mutable.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let at = self.position(key)?;
        self.stored.get_mut(at).map(|entry| &mut entry.value)
    }

    /// The entry under `key`, mutable, except for its key.
    pub fn entry_mut(&mut self, key: &str) -> Option<&mut Entry> {
        let at = self.position(key)?;
        self.stored.get_mut(at)
    }

    /// The value at a position, mutable.
    pub fn value_at(&mut self, at: usize) -> Option<&mut Node> {
        let is_entry = at < self.entries().len();
        self.stored.get_mut(at).filter(|_| is_entry).map(|entry| &mut entry.value)
    }

    /// All fields, with mutable values.
    pub fn fields_mut(&mut self) -> impl Iterator<Item = Field<'_>> {
        let count = self.entries().len();
        self.stored.iter_mut().take(count).map(|Entry { key, value }| Field {
            key,
            key_origin: key.origin(),
            value,
        })
    }

    /// The position of the entry under `key`.
    #[must_use]
    pub fn position(&self, key: &str) -> Option<usize> {
        let entries = self.entries();
        let Some(index) = self.index() else {
            let fingerprint = Fingerprint::of(key);
            return entries.iter().position(|entry| entry.key.is(key, fingerprint));
        };
        index.search(entries, key).or_else(|| {
            let covered = index.len();
            let tail = entries.get(covered..)?;
            Some(tail.iter().position(|entry| entry.key == key)? + covered)
        })
    }

    /// Adds an entry whose key is new.
    pub fn push(&mut self, entry: Entry) {
        let index = self.take_index();
        self.stored.push(entry);
        self.update_index(index);
    }

    /// Adds entries whose keys are new.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let index = self.take_index();
        self.stored.extend(entries);
        self.update_index(index);
    }

    /// Makes an index valid for entries that follow those that it covers.
    fn update_index(&mut self, index: Option<Entry>) {
        let count = self.stored.len();
        match index {
            // Many entries can be added one after the other.
            Some(index) if count - Index(&index.key).len() <= count.isqrt() => {
                self.stored.push(index);
            }
            Some(index) => self.add_index(Index(&index.key).positions().collect()),
            None => self.add_index(Vec::new()),
        }
    }

    /// Sets `key`: in place if it exists, else at the end.
    pub fn insert(&mut self, key: impl Into<LeanStr>, key_origin: Origin, value: Node) {
        let entry = Entry::new(key, key_origin, value);
        let at = self.position(&entry.key);
        match at.and_then(|at| self.stored.get_mut(at)) {
            Some(old) => *old = entry,
            None => self.push(entry),
        }
    }

    /// Sets each key, like [`insert`](Self::insert). Many calls of that renew the index each time.
    pub fn insert_all(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let mut added: Vec<Entry> = Vec::new();
        let mut places = BTreeMap::new();
        for entry in entries {
            if let Some(old) = self.entry_mut(&entry.key) {
                *old = entry;
                continue;
            }
            let at = *places.entry(entry.key.text().clone()).or_insert(added.len());
            match added.get_mut(at) {
                Some(earlier) => *earlier = entry,
                None => added.push(entry),
            }
        }
        self.extend(added);
    }

    /// Removes the value under `key`.
    pub fn remove(&mut self, key: &str) -> Option<Entry> {
        let at = self.position(key)?;
        let index = self.take_index();
        let removed = self.stored.remove(at);
        let order = index.map(|entry| {
            let kept = Index(&entry.key).positions().filter(|position| *position != at);
            kept.map(|position| position - usize::from(position > at)).collect()
        });
        self.add_index(order.unwrap_or_default());
        Some(removed)
    }

    /// Changes the entries, also their keys and their order.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut ThinVec<Entry>) -> R) -> R {
        self.take_index();
        let result = change(&mut self.stored);
        self.add_index(Vec::new());
        result
    }

    /// Removes the entries that are not to be kept.
    pub fn retain(&mut self, is_kept: impl FnMut(&Entry) -> bool) {
        self.edit(|entries| entries.retain(is_kept));
    }

    /// Releases spare capacity. `shrink_to_fit` would split the old allocation, and the remainders are
    /// too small to be reused for the next map.
    pub(super) fn move_to_exact_room(&mut self) {
        super::node::move_to_exact_room(&mut self.stored);
    }

    /// The number of entries that can be added without a new allocation.
    #[cfg(test)]
    pub(super) fn spare_room(&self) -> usize {
        self.stored.capacity() - self.stored.len()
    }

    fn index(&self) -> Option<Index<'_>> {
        let last = self.stored.last().filter(|entry| entry.key.is_index());
        last.filter(|_| self.stored.len() > FEW).map(|entry| Index(&entry.key))
    }

    fn take_index(&mut self) -> Option<Entry> {
        if self.index().is_some() { self.stored.pop() } else { None }
    }

    /// Adds the index of a large map; `order` are positions that are already sorted, of the first
    /// entries.
    fn add_index(&mut self, order: Vec<usize>) {
        if self.stored.len() <= FEW {
            return;
        }
        let Some(origin) = self.stored.first().map(Entry::key_origin) else { return };
        let key = Key::index(Index::of(&self.stored, order), origin);
        self.stored.push(Entry { key, value: Node::new(Value::Null, origin) });
    }
}

impl From<ThinVec<Entry>> for Map {
    fn from(entries: ThinVec<Entry>) -> Self {
        let mut map = Self { stored: entries };
        map.add_index(Vec::new());
        map
    }
}

impl FromIterator<Entry> for Map {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        entries.into_iter().collect::<ThinVec<_>>().into()
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries()).finish()
    }
}

/// The positions of the first entries of a map, sorted by key, as text: four characters for each.
/// Copies of a map share it.
#[derive(Clone, Copy)]
struct Index<'m>(&'m str);

/// The bytes of a position. Each has seven bits, so they are text.
const BYTES: usize = 4;

impl Index<'_> {
    fn of(entries: &[Entry], sorted: Vec<usize>) -> LeanStr {
        let rest = sorted.len()..entries.len();
        let mut order: Vec<(&str, usize)> = sorted
            .into_iter()
            .chain(rest)
            .filter_map(|at| Some((entries.get(at)?.key.as_str(), at)))
            .collect();
        // A part that is sorted costs little.
        order.sort_by_key(|it| it.0);
        let mut text = String::with_capacity(order.len() * BYTES);
        for (_, at) in order {
            let bits = |byte| u8::try_from(at >> (7 * byte) & 0x7f).unwrap_or_default();
            text.extend((0..BYTES).map(|byte| char::from(bits(byte))));
        }
        text.into()
    }

    /// The number of entries that it covers.
    fn len(self) -> usize {
        self.0.len() / BYTES
    }

    fn position(self, slot: usize) -> usize {
        let bytes = self.0.as_bytes().get(slot * BYTES..).and_then(<[u8]>::first_chunk::<BYTES>);
        let bytes = bytes.into_iter().flatten().rev();
        bytes.fold(0, |at, byte| at << 7 | usize::from(*byte))
    }

    fn positions(self) -> impl Iterator<Item = usize> {
        (0..self.len()).map(move |slot| self.position(slot))
    }

    /// The position of the first entry under `key`.
    fn search(self, entries: &[Entry], key: &str) -> Option<usize> {
        let key_at = |slot| entries.get(self.position(slot)).map(|entry| entry.key.as_str());
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = usize::midpoint(start, end);
            if key_at(middle)? < key { start = middle + 1 } else { end = middle }
        }
        (start < self.len() && key_at(start)? == key).then(|| self.position(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    fn origin() -> Origin {
        Origin::source(Workspace::new().start())
    }

    fn entry(key: &str, value: i64) -> Entry {
        Entry::new(key, origin(), Node::int(value, origin()))
    }

    /// The keys are in another order than when sorted.
    fn key(number: usize) -> String {
        format!("k{}", number * 7 % 1_000)
    }

    fn map(count: usize) -> Map {
        (0..count).map(|number| entry(&key(number), i64::try_from(number).unwrap())).collect()
    }

    fn check(map: &Map, keys: &[String]) {
        let found: Vec<_> = map.entries().iter().map(|entry| entry.key.to_string()).collect();
        assert_eq!(found, keys);
        assert_eq!(map.index().is_some(), keys.len() > FEW);
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(map.position(key), Some(at), "{key}");
            assert_eq!(map.entry(key).unwrap().key, key.as_str());
        }
        for absent in ["", "k", "k1000", "z"] {
            assert!(map.get(absent).is_none());
        }
    }

    #[test]
    fn large_maps_have_an_index() {
        for count in [0, 1, FEW, FEW + 1, FEW + 2, 1_000] {
            let keys: Vec<_> = (0..count).map(key).collect();
            check(&map(count), &keys);
            check(&map(count).into_entries().into(), &keys);
            assert_eq!(map(count).into_entries().len(), count);
        }
    }

    #[test]
    fn changes_keep_the_index() {
        let (mut map, mut keys) = (Map::default(), Vec::new());
        for number in 0..200 {
            map.insert(key(number).as_str(), origin(), Node::int(0, origin()));
            keys.push(key(number));
            check(&map, &keys);
        }
        let before = map.clone();
        for number in 0..200 {
            map.insert(key(number).as_str(), origin(), Node::int(1, origin()));
        }
        check(&map, &keys);
        assert_ne!(map, before);
        assert!(map.fields_mut().all(|field| field.value.as_i64() == Some(1)));
        assert!(map.value_at(199).is_some() && map.value_at(200).is_none());
        *map.get_mut("k7").unwrap() = Node::int(2, origin());
        assert_eq!(map.get("k7").and_then(Node::as_i64), Some(2));
        map.edit(|entries| entries.sort_by(|a, b| b.key.cmp(&a.key)));
        keys.sort_by(|a, b| b.cmp(a));
        check(&map, &keys);
        while let Some(key) = keys.pop() {
            assert_eq!(map.remove(&key).map(|entry| entry.key.to_string()), Some(key));
            check(&map, &keys);
        }
        assert!(map.is_empty());
    }

    #[test]
    fn of_equal_keys_the_first_one_counts() {
        for count in [2, 2 * FEW] {
            let map: Map =
                (0..count).map(|number| entry("a", i64::try_from(number).unwrap())).collect();
            assert_eq!(map.position("a"), Some(0));
        }
    }

    /// A million fields that are added one after the other would take minutes in quadratic time.
    #[test]
    fn growing_takes_little_time() {
        let mut map = Map::default();
        for number in 0..20_000_u32 {
            map.insert(number.to_string(), origin(), Node::int(0, origin()));
        }
        assert_eq!(map.entries().len(), 20_000);
        assert_eq!(map.position("19999"), Some(19_999));
    }

    #[test]
    fn of_keys_that_are_set_the_last_one_counts() {
        for count in [2, 2 * FEW] {
            let mut all = map(count);
            let mut keys: Vec<_> = (0..count).map(key).collect();
            let set = keys.iter().cloned().chain(["x".to_owned(), "y".to_owned(), "x".to_owned()]);
            let set: Vec<_> = set.zip(100..).collect();
            let last = set.last().unwrap().1;
            all.insert_all(set.iter().map(|(key, value)| entry(key, *value)));
            keys.extend(["x".to_owned(), "y".to_owned()]);
            check(&all, &keys);
            assert_eq!(all.get("x").and_then(Node::as_i64), Some(last));
            assert_eq!(all.get(&key(1)).and_then(Node::as_i64), Some(101));
        }
    }

    #[test]
    fn many_entries_are_added_at_once() {
        for count in [0, 1, FEW, FEW + 1, 900] {
            let (mut map, mut keys) = (map(40), (0..40).map(key).collect::<Vec<_>>());
            let added: Vec<_> = (40..40 + count).map(key).collect();
            map.extend(added.iter().map(|key| entry(key, 0)));
            keys.extend(added);
            check(&map, &keys);
        }
    }
}
