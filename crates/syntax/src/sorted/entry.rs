//! The entry of a key that may exist.

use super::SortedMap;
use super::map::Position;

/// The entry of a key, from [`SortedMap::entry`].
pub struct Entry<'m, K, V> {
    pub(super) map: &'m mut SortedMap<K, V>,
    pub(super) key: K,
    /// Where the key is, or has to be inserted.
    pub(super) found: Result<Position, Position>,
}

impl<'m, K, V> Entry<'m, K, V> {
    /// The value, which is the given one if the entry did not exist.
    pub fn or_insert(self, value: V) -> &'m mut V {
        let position = match self.found {
            Ok(position) => position,
            Err(position) => self.map.insert_at(position, self.key, value),
        };
        self.map.value_at(position)
    }

    /// The value, which is that of the function if the entry did not exist.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'m mut V {
        self.or_insert_with_key(|_| value())
    }

    /// The value, which is that of the function for the key if the entry did not exist.
    pub fn or_insert_with_key(self, value: impl FnOnce(&K) -> V) -> &'m mut V {
        if let Ok(position) = self.found {
            return self.map.value_at(position);
        }
        let value = value(&self.key);
        self.or_insert(value)
    }

    /// The value, which is the default one if the entry did not exist.
    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value if the entry exists.
    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(position) = self.found {
            change(self.map.value_at(position));
        }
        self
    }
}
