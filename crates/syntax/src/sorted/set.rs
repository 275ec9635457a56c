//! A set in order.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};

use super::{IntoIter, Iter, SortedMap};

/// A set in order; as `BTreeSet`, and with far less code for each type of items.
#[derive(Clone)]
pub struct SortedSet<K> {
    map: SortedMap<K, ()>,
}

impl<K> SortedSet<K> {
    /// An empty set, without an allocation.
    pub const fn new() -> Self {
        Self { map: SortedMap::new() }
    }

    /// The number of items.
    pub const fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there is no item.
    pub const fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The lowest item.
    pub fn first(&self) -> Option<&K> {
        self.iter().next()
    }

    /// The highest item.
    pub fn last(&self) -> Option<&K> {
        self.iter().next_back()
    }

    /// The items in order.
    pub fn iter(&self) -> SetIter<'_, K> {
        SetIter(self.map.iter())
    }

    /// Removes the items for which the function returns false.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K) -> bool) {
        self.map.retain(|item, ()| is_kept(item));
    }

    /// Removes the lowest item.
    pub fn pop_first(&mut self) -> Option<K> {
        self.map.pop_first().map(|it| it.0)
    }
}

impl<K: Ord> SortedSet<K> {
    /// Adds an item, and returns whether it is new.
    pub fn insert(&mut self, item: K) -> bool {
        match self.map.find(&item) {
            Ok(_) => false,
            Err(position) => {
                self.map.insert_at(position, item, ());
                true
            }
        }
    }

    /// Whether the set has the item.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.map.contains_key(item)
    }

    /// The equal item of the set.
    pub fn get<Q: Ord + ?Sized>(&self, item: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.map.get_key_value(item).map(|it| it.0)
    }

    /// Removes an item, and returns whether the set had it.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.map.remove(item).is_some()
    }

    /// The items from one on, in order.
    pub fn starting_at<'s, Q: Ord + ?Sized>(
        &'s self,
        item: &Q,
    ) -> impl Iterator<Item = &'s K> + Clone + use<'s, K, Q>
    where
        K: Borrow<Q>,
    {
        self.map.starting_at(item).map(|it| it.0)
    }

    /// The items in a range, in order.
    pub fn range(&self, items: RangeInclusive<K>) -> impl Iterator<Item = &K> {
        self.map.range(items).map(|it| it.0)
    }

    /// The items that the other set does not have, in order.
    pub fn difference<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|item| !other.contains(item))
    }

    /// The items that both sets have, in order.
    pub fn intersection<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|item| other.contains(item))
    }

    /// Whether the other set has all items of this one.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.len() <= other.len() && self.iter().all(|item| other.contains(item))
    }

    /// Whether no item is in both sets.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.intersection(other).next().is_none()
    }
}

impl<K> Default for SortedSet<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Ord> Extend<K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(items: I) -> Self {
        let mut set = Self::new();
        set.extend(items);
        set
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for SortedSet<K> {
    fn from(items: [K; N]) -> Self {
        items.into_iter().collect()
    }
}

/// The items of a set in order.
pub struct SetIter<'s, K>(Iter<'s, K, ()>);

impl<K> Clone for SetIter<'_, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'s, K> Iterator for SetIter<'s, K> {
    type Item = &'s K;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|it| it.0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K> DoubleEndedIterator for SetIter<'_, K> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|it| it.0)
    }
}

impl<K> ExactSizeIterator for SetIter<'_, K> {}

/// The items of a set in order.
pub struct SetIntoIter<K>(IntoIter<K, ()>);

impl<K> Iterator for SetIntoIter<K> {
    type Item = K;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|it| it.0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K> DoubleEndedIterator for SetIntoIter<K> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|it| it.0)
    }
}

impl<K> ExactSizeIterator for SetIntoIter<K> {}

impl<'s, K> IntoIterator for &'s SortedSet<K> {
    type Item = &'s K;
    type IntoIter = SetIter<'s, K>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K> IntoIterator for SortedSet<K> {
    type Item = K;
    type IntoIter = SetIntoIter<K>;

    fn into_iter(self) -> Self::IntoIter {
        SetIntoIter(self.map.into_iter())
    }
}

impl<K: fmt::Debug> fmt::Debug for SortedSet<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self).finish()
    }
}

impl<K: PartialEq> PartialEq for SortedSet<K> {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map
    }
}

impl<K: Eq> Eq for SortedSet<K> {}

impl<K: PartialOrd> PartialOrd for SortedSet<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.map.partial_cmp(&other.map)
    }
}

impl<K: Ord> Ord for SortedSet<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.map.cmp(&other.map)
    }
}

impl<K: Hash> Hash for SortedSet<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.map.hash(state);
    }
}

impl<K: Serialize> Serialize for SortedSet<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}
