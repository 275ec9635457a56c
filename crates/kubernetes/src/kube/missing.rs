//! Suggestions for an unresolved name: a similar one, or the same one in another namespace.

use std::cell::RefCell;

use super::ObjectSet;
use crate::diag::{Message, message, nearest};
use crate::limits::Fuel;
use crate::sorted::SortedMap;

/// The steps of the comparison of two names.
const OF_COMPARISON: usize = 20;

/// Searches for suggestions.
#[derive(Debug)]
pub struct Missing<'s, 'o> {
    set: &'s ObjectSet<'o>,
    fuel: Fuel<'static>,
    kinds: RefCell<SortedMap<(&'static str, &'static str), Names<'o>>>,
}

/// The names of one kind, indexed in both directions.
#[derive(Debug, Default)]
struct Names<'o> {
    by_namespace: SortedMap<&'o str, Vec<&'o str>>,
    /// The first namespace that has the name.
    namespace_of: SortedMap<&'o str, &'o str>,
    /// The suggestions so far, by namespace and name: thousands of references can miss one name.
    known: SortedMap<String, SortedMap<String, Option<Hint<'o>>>>,
}

/// A name that the author may have meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hint<'o> {
    /// An object with a similar name in the same namespace.
    NearName(&'o str),
    /// The object exists in this namespace; empty if it has none.
    OtherNamespace(&'o str),
}

impl<'s, 'o> Missing<'s, 'o> {
    /// Searches among the objects of `set`.
    pub const fn new(set: &'s ObjectSet<'o>) -> Self {
        Self { set, fuel: Fuel::of_advice(), kinds: RefCell::new(SortedMap::new()) }
    }

    /// A suggestion for `name`, which is not in `namespace`.
    pub fn hint(
        &self,
        group: &'static str,
        kind: &'static str,
        namespace: &str,
        name: &str,
    ) -> Option<Hint<'o>> {
        let mut kinds = self.kinds.borrow_mut();
        let names =
            kinds.entry((group, kind)).or_insert_with(|| index_names(self.set, group, kind));
        if let Some(hint) = names.known.get(namespace).and_then(|it| it.get(name)) {
            return *hint;
        }
        let hint = self.search(names, namespace, name);
        names.known.entry(namespace.to_owned()).or_default().insert(name.to_owned(), hint);
        hint
    }

    fn search(&self, names: &Names<'o>, namespace: &str, name: &str) -> Option<Hint<'o>> {
        if let Some(other) = names.namespace_of.get(name).filter(|other| **other != namespace) {
            return Some(Hint::OtherNamespace(other));
        }
        let candidates = names.by_namespace.get(namespace)?;
        let has_fuel = self.fuel.spend(candidates.len() * OF_COMPARISON);
        has_fuel.then(|| nearest(name, candidates.iter().copied()))?.map(Hint::NearName)
    }
}

impl Hint<'_> {
    /// The suggestion as help: "did you mean `x`?", or the namespace of the object, which cannot be
    /// referenced from there.
    pub fn to_help(self, kind: &str, name: &str) -> Message {
        match self {
            Self::NearName(near) => message!("did you mean `{near}`?"),
            Self::OtherNamespace("") => message!(
                "{kind} `{name}` has no namespace: set the same namespace on both objects, or on \
                neither"
            ),
            Self::OtherNamespace(namespace) => message!(
                "{kind} `{name}` exists in namespace `{namespace}`: move both objects to one \
                namespace, because references cannot cross namespaces"
            ),
        }
    }
}

fn index_names<'o>(set: &ObjectSet<'o>, group: &'static str, kind: &'static str) -> Names<'o> {
    let mut names = Names::default();
    for object in set.of_kind(group, kind).filter(|object| !object.name.is_empty()) {
        let (namespace, name) = (object.namespace.as_str(), object.name.as_str());
        names.by_namespace.entry(namespace).or_default().push(name);
        names.namespace_of.entry(name).or_insert(namespace);
    }
    for (namespace, name) in set.external_names(group, kind) {
        names.by_namespace.entry(namespace).or_default().push(name);
    }
    names
}
