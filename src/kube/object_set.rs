//! `ObjectSet`: all objects of a run, found by kind and name.

use std::collections::{BTreeMap, BTreeSet};

use super::{Hidden, Object};

/// All objects of a run with an index, and what is declared to exist in the cluster already.
#[derive(Debug)]
pub(crate) struct ObjectSet<'o> {
    objects: &'o [Object],
    by_kind: BTreeMap<(&'o str, &'o str), Vec<u32>>,
    by_name: BTreeMap<Key<'o>, u32>,
    external: BTreeSet<Key<'o>>,
    hidden: Option<&'o Hidden<'o>>,
}

/// Group, kind, namespace, name.
type Key<'o> = (&'o str, &'o str, &'o str, &'o str);

impl<'o> ObjectSet<'o> {
    /// Indexes `objects`. Of two objects with the same name the first is found.
    pub(crate) fn new(objects: &'o [Object]) -> Self {
        let mut set = Self {
            objects,
            by_kind: BTreeMap::new(),
            by_name: BTreeMap::new(),
            external: BTreeSet::new(),
            hidden: None,
        };
        for (index, object) in (0_u32..).zip(objects) {
            let (group, kind) = (object.gvk.group.as_str(), object.gvk.kind.as_str());
            set.by_kind.entry((group, kind)).or_default().push(index);
            let key = (group, kind, object.namespace.as_str(), object.name.as_str());
            set.by_name.entry(key).or_insert(index);
        }
        set
    }

    /// Declares an object that exists in the cluster already.
    pub(crate) fn declare_external(
        &mut self,
        group: &'o str,
        kind: &'o str,
        namespace: &'o str,
        name: &'o str,
    ) {
        self.external.insert((group, kind, namespace, name));
    }

    /// Declares what documents may define that are no objects because of a fault.
    pub(crate) const fn declare_hidden(&mut self, hidden: &'o Hidden<'o>) {
        self.hidden = Some(hidden);
    }

    /// What is declared to exist in the cluster already: group, kind, namespace.
    pub(crate) fn external_kinds(&self) -> impl Iterator<Item = (&'o str, &'o str, &'o str)> {
        self.external.iter().map(|(group, kind, namespace, _)| (*group, *kind, *namespace))
    }

    /// Whether a document could not be made an object because of a fault.
    pub(crate) fn has_hidden(&self) -> bool {
        self.hidden.is_some_and(|hidden| !hidden.is_empty())
    }

    /// All objects, in the order given.
    pub(crate) const fn all(&self) -> &'o [Object] {
        self.objects
    }

    /// The objects of one kind (any version), in the order given.
    pub(crate) fn of_kind(
        &self,
        group: &'static str,
        kind: &'static str,
    ) -> impl Iterator<Item = &'o Object> {
        let indexes = self.by_kind.get(&(group, kind)).map_or(&[][..], Vec::as_slice);
        indexes.iter().filter_map(|index| self.objects.get(*index as usize))
    }

    /// The object with this name; `namespace` is empty for cluster-scoped kinds.
    pub(crate) fn find(
        &self,
        group: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Option<&'o Object> {
        let index = self.by_name.get(&(group, kind, namespace, name))?;
        self.objects.get(*index as usize)
    }

    /// Whether this object is declared to exist in the cluster already, or may be in a document that
    /// is no object because of a fault.
    pub(crate) fn is_external(&self, group: &str, kind: &str, namespace: &str, name: &str) -> bool {
        self.external.contains(&(group, kind, namespace, name))
            || self.hidden.is_some_and(|hidden| hidden.may_define(name))
    }
}
