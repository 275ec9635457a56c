//! `Node`: a value, its origin, and the accessors that the stages use.

use lean_string::LeanStr;
use thin_vec::ThinVec;

use super::{Key, Map, Origin};
use crate::source::Span;

/// A number as Kubernetes reads it from YAML.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer that fits `i64`.
    Int(i64),
    /// A positive integer above `i64::MAX`.
    UInt(u64),
    /// Anything else; always finite.
    Float(f64),
}

impl Number {
    /// The integer, if the number is one; a float without a fraction is not.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(value),
            Self::UInt(_) | Self::Float(_) => None,
        }
    }
}

/// The borrowed value of a node: see [`Node::content`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Content<'n> {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(&'n str),
    /// A list.
    List(&'n [Node]),
    /// A map, in source order.
    Map(&'n [Entry]),
}

/// The value of a node. It has the size of two words, because a tree consists of many.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer that fits `i64`.
    Int(i64),
    /// A positive integer above `i64::MAX`.
    UInt(u64),
    /// Any other number; always finite.
    Float(f64),
    /// A string.
    String(LeanStr),
    /// A list.
    List(ThinVec<Node>),
    /// A map; keys are strings and keep their order.
    Map(Map),
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        match number {
            Number::Int(value) => Self::Int(value),
            Number::UInt(value) => Self::UInt(value),
            Number::Float(value) => Self::Float(value),
        }
    }
}

impl Value {
    /// The number, if the value is one.
    #[must_use]
    pub const fn as_number(&self) -> Option<Number> {
        match *self {
            Self::Int(value) => Some(Number::Int(value)),
            Self::UInt(value) => Some(Number::UInt(value)),
            Self::Float(value) => Some(Number::Float(value)),
            _ => None,
        }
    }

    /// A description of the type for messages: `a string`, `a list`, ...
    #[must_use]
    pub const fn describe(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::UInt(_) => "an integer",
            Self::Float(_) => "a number",
            Self::String(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

/// A value with its origin.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The origin, which is marked if the value is ambiguous.
    origin: Origin,
}

/// One `key: value` of a map.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key, with its origin.
    pub key: Key,
    /// The value.
    pub value: Node,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.key_origin() == other.key_origin()
            && self.value == other.value
    }
}

impl Entry {
    /// An entry of a map.
    #[must_use]
    pub fn new(key: impl Into<LeanStr>, key_origin: Origin, value: Node) -> Self {
        Self { key: Key::new(key, key_origin), value }
    }

    /// Changes the origin of the key.
    pub fn set_key_origin(&mut self, origin: Origin) {
        self.key = Key::new(self.key.text().clone(), origin);
    }

    /// Changes the key; its origin stays.
    pub fn rename(&mut self, key: impl Into<LeanStr>) {
        self.key = Key::new(key, self.key.origin());
    }

    /// The same entry under another key.
    #[must_use]
    pub fn renamed(mut self, key: impl Into<LeanStr>) -> Self {
        self.rename(key);
        self
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The origin of the key.
    #[must_use]
    pub const fn key_origin(&self) -> Origin {
        self.key.origin()
    }

    /// The value.
    #[must_use]
    pub const fn value(&self) -> &Node {
        &self.value
    }
}

impl Node {
    /// Creates an unambiguous node.
    #[must_use]
    pub const fn new(value: Value, origin: Origin) -> Self {
        Self { value, origin: origin.marked(false) }
    }

    /// The origin of the node.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin.marked(false)
    }

    /// Whether the author wrote a plain scalar that YAML readers interpret differently (`yes`,
    /// `012`, `12:30:45`); `value` is the one that Kubernetes reads.
    #[must_use]
    pub const fn is_ambiguous(&self) -> bool {
        self.origin.is_marked()
    }

    /// The same node, ambiguous or not.
    #[must_use]
    pub fn with_ambiguity(self, is_ambiguous: bool) -> Self {
        Self { origin: self.origin.marked(is_ambiguous), ..self }
    }

    /// Replaces the value.
    #[must_use]
    pub const fn with_value(&self, value: Value) -> Self {
        Self { value, origin: self.origin }
    }

    /// A string node.
    #[must_use]
    pub fn string(text: impl Into<LeanStr>, origin: Origin) -> Self {
        Self::new(Value::String(text.into()), origin)
    }

    /// An integer node.
    #[must_use]
    pub const fn int(value: i64, origin: Origin) -> Self {
        Self::new(Value::Int(value), origin)
    }

    /// A boolean node.
    #[must_use]
    pub const fn bool(value: bool, origin: Origin) -> Self {
        Self::new(Value::Bool(value), origin)
    }

    /// An empty map.
    #[must_use]
    pub fn map(origin: Origin) -> Self {
        Self::new(Value::Map(Map::default()), origin)
    }

    /// A list.
    #[must_use]
    pub fn list(items: impl IntoIterator<Item = Self>, origin: Origin) -> Self {
        Self::new(Value::List(items.into_iter().collect()), origin)
    }

    /// The value, borrowed.
    #[must_use]
    pub fn content(&self) -> Content<'_> {
        match &self.value {
            Value::Null => Content::Null,
            Value::Bool(value) => Content::Bool(*value),
            Value::Int(value) => Content::Number(Number::Int(*value)),
            Value::UInt(value) => Content::Number(Number::UInt(*value)),
            Value::Float(value) => Content::Number(Number::Float(*value)),
            Value::String(text) => Content::String(text),
            Value::List(items) => Content::List(items),
            Value::Map(map) => Content::Map(map.entries()),
        }
    }

    /// The span of this value in the source.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.origin.span()
    }

    /// The string, if the value is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean, if the value is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The integer, if the value is one.
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        match self.value {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The number, if the value is one.
    #[must_use]
    pub const fn as_number(&self) -> Option<Number> {
        self.value.as_number()
    }

    /// The map, if the value is one.
    #[must_use]
    pub const fn as_map(&self) -> Option<&Map> {
        match &self.value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The map, mutable.
    pub const fn as_map_mut(&mut self) -> Option<&mut Map> {
        match &mut self.value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The items; empty if the value is not a list.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The entries; empty if the value is not a map.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        self.as_map().map_or(&[], Map::entries)
    }

    /// The value under `key`. `null` counts as absent, as it does for the API server.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.get(key).filter(|node| !node.is_null())
    }

    /// The entry under `key`, with the origin of the key. `null` counts as absent.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.as_map()?.entry(key).filter(|entry| !entry.value.is_null())
    }

    /// The value at the end of a chain of keys.
    #[must_use]
    pub fn at(&self, keys: &[&str]) -> Option<&Self> {
        keys.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The string at the end of a chain of keys.
    #[must_use]
    pub fn str_at(&self, keys: &[&str]) -> Option<&str> {
        self.at(keys)?.as_str()
    }

    /// The string at the end of a chain of keys; empty if it is absent or not a string.
    #[must_use]
    pub fn text_at(&self, keys: &[&str]) -> &str {
        self.str_at(keys).unwrap_or("")
    }

    /// The items of the list at a path; empty if it is absent or not a list.
    #[must_use]
    pub fn items_at(&self, keys: &[&str]) -> &[Self] {
        self.at(keys).map_or(&[], Self::items)
    }

    /// The entries of the map at a path; empty if it is absent or not a map.
    #[must_use]
    pub fn entries_at(&self, keys: &[&str]) -> &[Entry] {
        self.at(keys).map_or(&[], Self::entries)
    }

    /// Whether a field is `true`.
    #[must_use]
    pub fn is_true(&self, key: &str) -> bool {
        self.get(key).and_then(Self::as_bool) == Some(true)
    }

    /// Whether it is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// Whether it is a map or a list.
    #[inline]
    #[must_use]
    pub const fn is_collection(&self) -> bool {
        matches!(self.value, Value::Map(_) | Value::List(_))
    }

    /// Sets `key` of a map, with this origin for key and value; has no effect on other values.
    pub fn set(&mut self, key: impl Into<LeanStr>, value: Self) {
        let origin = value.origin();
        if let Some(map) = self.as_map_mut() {
            map.insert(key, origin, value);
        }
    }

    /// Sets each key of a map, like [`set`](Self::set).
    pub fn set_all<K: Into<LeanStr>>(&mut self, pairs: impl IntoIterator<Item = (K, Self)>) {
        let Some(map) = self.as_map_mut() else { return };
        map.insert_all(
            pairs.into_iter().map(|(key, value)| Entry::new(key, value.origin(), value)),
        );
    }

    /// Sets `key` of a map if there is a value.
    pub fn set_some(&mut self, key: impl Into<LeanStr>, value: Option<Self>) {
        let Some(value) = value else { return };
        self.set(key, value);
    }

    /// The value under `key`, mutable, if the node is a map.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        self.as_map_mut()?.get_mut(key)
    }

    /// The map under `key`, mutable. One that is absent or null is added, with this origin.
    pub fn map_mut(&mut self, key: &str, origin: Origin) -> Option<&mut Self> {
        let map = self.as_map_mut()?;
        if map.get(key).is_none_or(Self::is_null) {
            map.insert(key, origin, Self::map(origin));
        }
        map.get_mut(key)
    }

    /// Consumes the node and returns its entries; empty if it is not a map.
    #[must_use]
    pub fn into_entries(self) -> ThinVec<Entry> {
        match self.value {
            Value::Map(map) => map.into_entries(),
            _ => ThinVec::new(),
        }
    }

    /// Consumes the node and returns its items; empty if it is not a list.
    #[must_use]
    pub fn into_items(self) -> ThinVec<Self> {
        match self.value {
            Value::List(items) => items,
            _ => ThinVec::new(),
        }
    }

    /// A description of the type for messages: `a string`, `a list`, ...
    #[must_use]
    pub const fn describe(&self) -> &'static str {
        self.value.describe()
    }

    /// Releases the spare capacity of lists and maps. Most maps have one or two entries and a
    /// capacity of four, so a tree that is kept takes half the memory after this.
    pub fn shrink_to_fit(&mut self) {
        match &mut self.value {
            Value::List(items) => {
                move_to_exact_room(items);
                items.iter_mut().for_each(Self::shrink_to_fit);
            }
            Value::Map(map) => {
                map.move_to_exact_room();
                map.fields_mut().for_each(|field| field.value.shrink_to_fit());
            }
            _ => {}
        }
    }

    /// Whether a value of the tree is such a value.
    pub fn has(&self, is_it: impl Fn(&Value) -> bool + Copy) -> bool {
        is_it(&self.value)
            || match &self.value {
                Value::List(items) => items.iter().any(|it| it.has(is_it)),
                Value::Map(map) => map.entries().iter().any(|entry| entry.value.has(is_it)),
                _ => false,
            }
    }

    /// The number of nodes in the tree.
    #[must_use]
    pub fn count(&self) -> usize {
        let below: usize = match &self.value {
            Value::List(items) => items.iter().map(Self::count).sum(),
            Value::Map(map) => map.entries().iter().map(|entry| entry.value.count()).sum(),
            _ => 0,
        };
        below + 1
    }

    /// The number of levels of the tree; 1 if it is a scalar.
    pub fn levels(&self) -> usize {
        let below = match &self.value {
            Value::List(items) => items.iter().map(Self::levels).max(),
            Value::Map(map) => map.entries().iter().map(|entry| entry.value.levels()).max(),
            _ => None,
        };
        below.unwrap_or(0) + 1
    }

    /// The size of the tree: the number of values, plus one for each 64 bytes of a key or string.
    /// Copies of a string share its bytes, but each of them is checked and printed.
    #[must_use]
    pub fn weight(&self) -> usize {
        const BYTES: usize = 64;
        1 + match &self.value {
            Value::String(text) => text.len() / BYTES,
            Value::List(items) => items.iter().map(Self::weight).sum(),
            Value::Map(map) => map
                .entries()
                .iter()
                .map(|entry| entry.key.len() / BYTES + entry.value.weight())
                .sum(),
            _ => 0,
        }
    }

    /// Whether the values are equal, ignoring their origins.
    #[must_use]
    pub fn same_value(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_value(b))
            }
            (Value::Map(a), Value::Map(b)) => {
                let is_same =
                    |(a, b): (&Entry, &Entry)| a.key == b.key && a.value.same_value(&b.value);
                let mut pairs = a.entries().iter().zip(b.entries());
                a.entries().len() == b.entries().len()
                    && if pairs.clone().all(|(a, b)| a.key == b.key) {
                        pairs.all(is_same)
                    } else {
                        sorted_entries(a).zip(sorted_entries(b)).all(is_same)
                    }
            }
            (a, b) => a == b,
        }
    }
}

/// The entries of a map, sorted by key.
fn sorted_entries(map: &Map) -> impl Iterator<Item = &Entry> {
    let mut entries: Vec<_> = map.entries().iter().collect();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    entries.into_iter()
}

/// Moves the items to a new vector. `shrink_to_fit` would split the old allocation, and the
/// remainders are too small to be reused for the next map.
pub(super) fn move_to_exact_room<T>(items: &mut ThinVec<T>) {
    if items.capacity() > items.len() {
        let mut exact = ThinVec::with_capacity(items.len());
        exact.append(items);
        *items = exact;
    }
}

/// The items of a list field; empty if it is absent or not a list.
pub fn items<'n>(node: &'n Node, field: &str) -> &'n [Node] {
    node.items_at(&[field])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    /// The memory of a run is trees before all else.
    #[test]
    fn trees_are_small() {
        assert!(size_of::<Value>() <= 16);
        assert!(size_of::<Node>() <= 24);
        assert!(size_of::<Entry>() <= 48);
    }

    #[test]
    fn no_room_is_left_after_shrinking() {
        let origin = Origin::source(Span::new(Workspace::new().add("x.yaml", ""), 0, 0));
        let mut tree = Node::map(origin);
        tree.set("list", Node::new(Value::List(ThinVec::with_capacity(9)), origin));
        tree.set("map", tree.clone());
        let before = tree.clone();
        tree.shrink_to_fit();
        assert_eq!(tree, before);
        let room = |node: &Node| match &node.value {
            Value::List(items) => items.capacity() - items.len(),
            Value::Map(map) => map.spare_room(),
            _ => 0,
        };
        assert_eq!(room(&tree), 0);
        for entry in tree.entries() {
            assert_eq!(room(&entry.value), 0, "{}", entry.key);
        }
    }
}
