//! `Named`: the items of a map or list of the input, by name.

/// Items sorted by name. It is built once and takes no more memory than its entries: each template
/// has several, with one or two entries each.
#[derive(Debug)]
pub(super) struct Named<'o, V>(Box<[(&'o str, V)]>);

impl<'o, V> Named<'o, V> {
    /// The item with this name.
    pub(super) fn get(&self, name: &str) -> Option<&V> {
        let at = self.0.binary_search_by_key(&name, |(name, _)| name).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    /// Whether an item has this name.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All items, sorted by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'o str, &V)> + Clone {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// The names, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = &'o str> + Clone {
        self.0.iter().map(|(name, _)| *name)
    }

    /// The number of names.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no items.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V> Default for Named<'_, V> {
    fn default() -> Self {
        Self(Box::default())
    }
}

/// Of two items with the same name the first is kept.
impl<'o, V> FromIterator<(&'o str, V)> for Named<'o, V> {
    fn from_iter<I: IntoIterator<Item = (&'o str, V)>>(things: I) -> Self {
        let mut things: Vec<_> = things.into_iter().collect();
        things.sort_by_key(|(name, _)| *name);
        things.dedup_by_key(|(name, _)| *name);
        Self(things.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_equal_names_is_kept() {
        let named: Named<'_, _> =
            [("b", 0), ("a", 1), ("c", 2), ("a", 3), ("b", 4)].into_iter().collect();
        assert_eq!(named.iter().collect::<Vec<_>>(), [("a", &1), ("b", &0), ("c", &2)]);
        assert_eq!((named.len(), named.names().collect::<String>()), (3, "abc".to_owned()));
        let found = ["", "a", "b", "bb", "c", "d"].map(|name| named.get(name).copied());
        assert_eq!(found, [None, Some(1), Some(0), None, Some(2), None]);
        assert!(named.contains("c") && !named.contains("d"));
    }

    #[test]
    fn nothing_has_no_names() {
        let nothing = Named::<()>::default();
        assert!(nothing.is_empty() && nothing.get("").is_none());
    }
}
