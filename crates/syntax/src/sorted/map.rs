//! A map whose entries are sorted by key.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::{iter, mem};

use serde::{Serialize, Serializer};

use super::{Entry, IntoIter, Iter, IterMut};

/// The entries of a chunk. An insertion moves at most these, so that maps of any size grow in quasilinear time.
const CHUNK: usize = 128;

/// The index of a chunk, and that of an entry in it.
pub(super) type Position = (usize, usize);

/// A map whose entries are sorted by key; as `BTreeMap`, and with far less code for each type of entries.
///
/// It is a list of short sorted lists.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    /// None is empty.
    pub(super) chunks: Vec<Vec<(K, V)>>,
    pub(super) len: usize,
}

impl<K, V> SortedMap<K, V> {
    /// An empty map, without an allocation.
    pub const fn new() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }

    /// The number of entries.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no entry.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entry with the lowest key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    /// The entry with the highest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter::new(self.chunks.iter(), self.len)
    }

    /// The entries in the order of their keys, with values that can be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut::new(self.chunks.iter_mut(), self.len)
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.iter().map(|it| it.0)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.iter().map(|it| it.1)
    }

    /// The values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.iter_mut().map(|it| it.1)
    }

    /// The keys in order.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.into_iter().map(|it| it.0)
    }

    /// The values in the order of their keys.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.into_iter().map(|it| it.1)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Removes the entries for which the function returns false.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        for chunk in &mut self.chunks {
            chunk.retain_mut(|(key, value)| is_kept(key, value));
        }
        self.chunks.retain(|chunk| !chunk.is_empty());
        self.len = self.chunks.iter().map(Vec::len).sum();
    }

    #[expect(clippy::indexing_slicing, reason = "the position is that of an entry")]
    pub(super) fn value_at(&mut self, (chunk, at): Position) -> &mut V {
        &mut self.chunks[chunk][at].1
    }

    /// Inserts an entry, and returns its position, which differs if the chunk was full.
    pub(super) fn insert_at(&mut self, (at, inner): Position, key: K, value: V) -> Position {
        self.len += 1;
        let mut position = (at, inner);
        match self.chunks.get_mut(at) {
            None => self.chunks.push(Vec::new()),
            Some(chunk) if chunk.len() >= CHUNK => {
                // Keys that arrive in order leave full chunks.
                let kept = if inner == chunk.len() { inner } else { CHUNK / 2 };
                let upper = chunk.split_off(kept);
                self.chunks.insert(at + 1, upper);
                if inner >= kept {
                    position = (at + 1, inner - kept);
                }
            }
            Some(_) => {}
        }
        if let Some(chunk) = self.chunks.get_mut(position.0) {
            chunk.insert(position.1, (key, value));
        }
        position
    }

    fn remove_at(&mut self, (at, inner): Position) -> Option<(K, V)> {
        let chunk = self.chunks.get_mut(at).filter(|chunk| inner < chunk.len())?;
        let entry = chunk.remove(inner);
        if chunk.is_empty() {
            self.chunks.remove(at);
        }
        self.len -= 1;
        Some(entry)
    }

    /// Removes the entry with the lowest key.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        self.remove_at((0, 0))
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// The position of a key, or the one where it has to be inserted.
    pub(super) fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Position, Position>
    where
        K: Borrow<Q>,
    {
        let at = match self.chunks.as_slice() {
            [] | [_] => 0,
            chunks => {
                let is_below = |entry: &(K, V)| entry.0.borrow() < key;
                chunks.partition_point(|chunk| chunk.last().is_some_and(is_below))
            }
        };
        let Some(chunk) = self.chunks.get(at) else {
            return Err((at.saturating_sub(1), self.chunks.last().map_or(0, Vec::len)));
        };
        // Most maps have few entries, so it stops at the key, unlike the search of a slice.
        let (mut low, mut high) = (0, chunk.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match chunk.get(middle).map(|entry| entry.0.borrow().cmp(key)) {
                Some(Ordering::Less) => low = middle + 1,
                Some(Ordering::Equal) => return Ok((at, middle)),
                Some(Ordering::Greater) | None => high = middle,
            }
        }
        Err((at, low))
    }

    /// Whether there is an entry with the key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// The value of the key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.get_key_value(key).map(|it| it.1)
    }

    /// The entry with the key.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (chunk, at) = self.find(key).ok()?;
        let (key, value) = self.chunks.get(chunk)?.get(at)?;
        Some((key, value))
    }

    /// The value of the key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let position = self.find(key).ok()?;
        Some(self.value_at(position))
    }

    /// The entries from a key on, in order.
    pub fn starting_at<'m, Q: Ord + ?Sized>(
        &'m self,
        key: &Q,
    ) -> impl Iterator<Item = (&'m K, &'m V)> + Clone + use<'m, K, V, Q>
    where
        K: Borrow<Q>,
    {
        let (Ok((mut at, mut inner)) | Err((mut at, mut inner))) = self.find(key);
        iter::from_fn(move || {
            loop {
                if let Some((key, value)) = self.chunks.get(at)?.get(inner) {
                    inner += 1;
                    return Some((key, value));
                }
                (at, inner) = (at + 1, 0);
            }
        })
    }

    /// The entries whose keys are in a range, in order.
    pub fn range(&self, keys: RangeInclusive<K>) -> impl Iterator<Item = (&K, &V)> {
        let (first, last) = keys.into_inner();
        self.starting_at(&first).take_while(move |entry| *entry.0 <= last)
    }

    /// Sets the value of a key, and returns the previous one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(position) => Some(mem::replace(self.value_at(position), value)),
            Err(position) => {
                self.insert_at(position, key, value);
                None
            }
        }
    }

    /// The entry of a key, which may exist.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let found = self.find(&key);
        Entry { map: self, key, found }
    }

    /// Removes the entry with the key, and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|it| it.1)
    }

    /// Removes the entry with the key.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        let position = self.find(key).ok()?;
        self.remove_at(position)
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<'m, K, V> IntoIterator for &'m SortedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'m, K, V> IntoIterator for &'m mut SortedMap<K, V> {
    type Item = (&'m K, &'m mut V);
    type IntoIter = IterMut<'m, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> Self::IntoIter {
        IntoIter::new(self.chunks.into_iter(), self.len)
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self).finish()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other)
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for SortedMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other)
    }
}

impl<K: Ord, V: Ord> Ord for SortedMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other)
    }
}

impl<K: Hash, V: Hash> Hash for SortedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        for entry in self {
            entry.hash(state);
        }
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}
