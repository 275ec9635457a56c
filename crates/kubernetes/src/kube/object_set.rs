//! `ObjectSet`: all objects of a run, found by kind and name.

use super::{ByName, Hidden, KindFacts, Object, SharedKinds};
use crate::limits::Fuel;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, Workspace};

/// All objects of a run with an index, and the objects declared to exist in the cluster.
#[derive(Debug)]
pub struct ObjectSet<'o> {
    objects: &'o [Object],
    by_kind: SortedMap<(&'o str, &'o str), OfKind<'o>>,
    kinds: &'o SharedKinds,
    texts: &'o Workspace,
    /// Names and namespaces by group and kind. The name is compared first: of many objects, most
    /// have the same namespace.
    external: SortedMap<(&'o str, &'o str), SortedSet<(&'o str, &'o str)>>,
    hidden: Option<&'o Hidden<'o>>,
    fuel: &'o Fuel<'o>,
}

/// The objects of one kind.
#[derive(Debug)]
struct OfKind<'o> {
    in_order: Vec<u32>,
    by_name: ByName<'o, Object>,
}

/// The namespace of an object that sets none: that of the command line, which is `default` by
/// default.
pub fn meeting_namespace(namespace: &str) -> &str {
    if namespace.is_empty() { "default" } else { namespace }
}

impl<'o> ObjectSet<'o> {
    /// Indexes `objects`, which were read from `texts` and whose kinds are among `kinds`. Their comparisons
    /// spend `fuel`.
    pub fn new(
        objects: &'o [Object],
        kinds: &'o SharedKinds,
        texts: &'o Workspace,
        fuel: &'o Fuel<'o>,
    ) -> Self {
        let mut positions: SortedMap<_, Vec<u32>> = SortedMap::new();
        for (position, object) in (0_u32..).zip(objects) {
            let kind = (object.gvk.group.as_str(), object.gvk.kind.as_str());
            positions.entry(kind).or_default().push(position);
        }
        let of_kind = |mut in_order: Vec<u32>| {
            in_order.shrink_to_fit();
            OfKind { by_name: ByName::among(objects, in_order.iter().copied()), in_order }
        };
        let by_kind =
            positions.into_iter().map(|(kind, in_order)| (kind, of_kind(in_order))).collect();
        Self { objects, by_kind, kinds, texts, external: SortedMap::new(), hidden: None, fuel }
    }

    /// The fuel for comparisons of the objects.
    pub const fn fuel(&self) -> &'o Fuel<'o> {
        self.fuel
    }

    /// Declares an object that exists in the cluster.
    pub fn declare_external(
        &mut self,
        group: &'o str,
        kind: &'o str,
        namespace: &'o str,
        name: &'o str,
    ) {
        self.external.entry((group, kind)).or_default().insert((name, namespace));
    }

    /// Declares the names that invalid documents may define.
    pub const fn declare_hidden(&mut self, hidden: &'o Hidden<'o>) {
        self.hidden = Some(hidden);
    }

    /// The group, kind and namespace of objects declared to exist in the cluster.
    pub fn external_kinds(&self) -> impl Iterator<Item = (&'o str, &'o str, &'o str)> {
        let all = self.external.iter();
        all.flat_map(|((group, kind), names)| {
            names.iter().map(|(_, namespace)| (*group, *kind, *namespace))
        })
    }

    /// Whether a document is not an object because of a fault.
    pub fn has_hidden(&self) -> bool {
        self.hidden.is_some_and(|hidden| !hidden.is_empty())
    }

    /// All objects, in the given order.
    pub const fn all(&self) -> &'o [Object] {
        self.objects
    }

    /// The objects of one kind (any version), in the given order.
    pub fn of_kind(
        &self,
        group: &'static str,
        kind: &'static str,
    ) -> impl Iterator<Item = &'o Object> {
        let positions = self.by_kind.get(&(group, kind)).map_or(&[][..], |it| &it.in_order);
        positions.iter().filter_map(|position| self.at(*position))
    }

    /// The facts of a system about a kind, whether or not it has objects.
    pub fn facts(&self, group: &str, kind: &str) -> Option<&'static KindFacts> {
        self.kinds.facts(group, kind)
    }

    /// The facts of the systems about their kinds.
    pub fn kind_facts(&self) -> &'o [&'static KindFacts] {
        self.kinds.all_facts()
    }

    /// The objects that share kind, namespace and name with others, in the given order.
    pub fn repeated(&self) -> impl Iterator<Item = Vec<&'o Object>> {
        let repeated = self.by_kind.values().flat_map(|objects| objects.by_name.repeated());
        repeated.map(|same| same.iter().filter_map(|position| self.at(*position)).collect())
    }

    /// The object with this name, the first if there are several; `namespace` is empty for
    /// cluster-scoped kinds. No namespace is the same as `default`.
    pub fn find(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<&'o Object> {
        let of_kind = self.by_kind.get(&(group, kind))?;
        self.at(of_kind.by_name.find(namespace, name)?)
    }

    /// As [`find`](Self::find), for a reference in `from`: the object in the same file comes first.
    pub fn find_from(
        &self,
        from: &Object,
        group: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Option<&'o Object> {
        let of_kind = self.by_kind.get(&(group, kind))?;
        let file = self.file_of(from);
        self.at(of_kind.by_name.find_near(namespace, name, file, |object| self.file_of(object))?)
    }

    /// All objects with this name: files can be alternatives.
    pub fn find_all<'s>(
        &'s self,
        group: &'s str,
        kind: &'s str,
        namespace: &'s str,
        name: &'s str,
    ) -> impl DoubleEndedIterator<Item = &'o Object> + Clone + use<'s, 'o> {
        let of_kind = self.by_kind.get(&(group, kind));
        let positions =
            of_kind.map_or(&[][..], |objects| objects.by_name.find_all(namespace, name));
        positions.iter().filter_map(|position| self.at(*position))
    }

    /// The object with this name, if it is the only one.
    pub fn find_only(
        &self,
        group: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Option<&'o Object> {
        let mut all = self.find_all(group, kind, namespace, name);
        all.next().filter(|_| all.next().is_none())
    }

    /// Whether two objects were read from one file.
    pub fn are_in_one_file(&self, one: &Object, other: &Object) -> bool {
        self.file_of(one) == self.file_of(other)
    }

    /// The file of an object.
    pub fn file_of(&self, object: &Object) -> FileId {
        self.texts.file_at(object.document).id()
    }

    fn at(&self, position: u32) -> Option<&'o Object> {
        self.objects.get(position as usize)
    }

    /// The namespaces and names of the objects of a kind that are declared to exist.
    pub fn external_names<'s>(
        &'s self,
        group: &'s str,
        kind: &'s str,
    ) -> impl Iterator<Item = (&'o str, &'o str)> + 's {
        let of_kind = self.external.get(&(group, kind)).into_iter().flatten();
        of_kind.map(|(name, namespace)| (*namespace, *name))
    }

    /// Whether this object is declared to exist in the cluster, or may be in an invalid document.
    pub fn is_external(&self, group: &str, kind: &str, namespace: &str, name: &str) -> bool {
        let meeting = match namespace {
            "" => "default",
            "default" => "",
            other => other,
        };
        let of_kind = self.external.get(&(group, kind));
        of_kind.is_some_and(|names| {
            names.contains(&(name, namespace)) || names.contains(&(name, meeting))
        }) || self.hidden.is_some_and(|hidden| hidden.may_define(name))
    }
}
