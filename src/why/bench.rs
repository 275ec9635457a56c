//! Compiles one object of a definition again, without parts of its definitions.

use lean_string::LeanStr;

use crate::kube::{GroupVersionKind, Object};
use crate::lower::Trials;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::{Node, Value};

/// One step from a document to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum At {
    /// The position of an entry in a map.
    Entry(usize),
    /// The position of an item in a list.
    Item(usize),
}

/// A part of a definition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Part {
    /// The index of the definition.
    pub(super) definition: usize,
    /// The steps from the document to the part.
    pub(super) route: Vec<At>,
}

impl Part {
    /// The part that contains both; it is of this part's definition.
    pub(super) fn shared(&self, other: &Self) -> Self {
        let equal = self.route.iter().zip(&other.route).take_while(|(a, b)| a == b);
        Self { definition: self.definition, route: equal.map(|it| *it.0).collect() }
    }
}

/// The object and its definitions.
pub(super) struct Bench<'b, 'c> {
    trials: &'b mut Trials<'c>,
    /// The definition of the object.
    own: usize,
    /// All definitions that can affect the object, its own first.
    definitions: Vec<usize>,
    gvk: GroupVersionKind,
    namespace: LeanStr,
    name: LeanStr,
    /// The objects compiled without one part, and with all others.
    known: SortedMap<Part, Option<Node>>,
}

impl<'b, 'c> Bench<'b, 'c> {
    /// Returns `None` if no definition generates the object.
    pub(super) fn new(trials: &'b mut Trials<'c>, object: &Object) -> Option<Self> {
        let is_it = |other: &Object| {
            *other.gvk == *object.gvk
                && (&other.namespace, &other.name) == (&object.namespace, &object.name)
        };
        let own = (0..trials.all().len()).find(|at| {
            trials.all().get(*at).is_some_and(|trial| trial.document == object.document)
                && trials.objects(*at).iter().any(is_it)
        })?;
        let definitions = affecting_definitions(trials, own, object);
        Some(Self {
            trials,
            own,
            definitions,
            gvk: (*object.gvk).clone(),
            namespace: object.namespace.clone(),
            name: object.name.clone(),
            known: SortedMap::new(),
        })
    }

    /// The definition of the object.
    pub(super) const fn own(&self) -> usize {
        self.own
    }

    /// All definitions that can affect the object, its own first.
    pub(super) fn definitions(&self) -> &[usize] {
        &self.definitions
    }

    /// The current document of a definition.
    pub(super) fn root(&self, definition: usize) -> Option<&Node> {
        self.trials.all().get(definition).map(|it| &it.root)
    }

    /// The kind of a definition.
    pub(super) fn kind_of_own(&self) -> Option<&'static crate::lower::Kind> {
        self.trials.all().get(self.own).map(|it| it.kind)
    }

    /// Compiles the object from the current definitions.
    pub(super) fn object(&self) -> Option<Node> {
        let objects = self.trials.objects(self.own).into_iter();
        let mut found = objects.filter(|object| {
            *object.gvk == self.gvk
                && (&object.namespace, &object.name) == (&self.namespace, &self.name)
        });
        found.next().map(|it| it.root)
    }

    /// The parts of definitions at this span that are below `spec`.
    pub(super) fn parts_at(&self, place: Span) -> Vec<Part> {
        let mut parts = Vec::new();
        self.visit_parts(|span, definition, route| {
            if span == place {
                parts.push(Part { definition, route: route.to_vec() });
            }
        });
        parts.retain(|part| self.is_in_spec(part));
        parts
    }

    /// All parts of definitions that are below `spec`, by span.
    pub(super) fn parts(&self) -> SortedMap<Span, Vec<Part>> {
        let mut parts: SortedMap<_, Vec<_>> = SortedMap::new();
        self.visit_parts(|span, definition, route| {
            let part = Part { definition, route: route.to_vec() };
            if self.is_in_spec(&part) {
                parts.entry(span).or_default().push(part);
            }
        });
        parts
    }

    fn visit_parts(&self, mut visit: impl FnMut(Span, usize, &[At])) {
        for definition in &self.definitions {
            let Some(root) = self.root(*definition) else { continue };
            visit_nodes(root, &mut Vec::new(), &mut |span, route| visit(span, *definition, route));
        }
    }

    fn is_in_spec(&self, part: &Part) -> bool {
        let first = part.route.first().and_then(|step| match step {
            At::Entry(at) => self.root(part.definition)?.entries().get(*at),
            At::Item(_) => None,
        });
        first.is_some_and(|entry| entry.key == "spec") && part.route.len() > 1
    }

    /// Replaces the document of a definition and returns the old one.
    pub(super) fn replace(&mut self, definition: usize, root: Node) -> Option<Node> {
        self.trials.replace(definition, root)
    }

    /// Removes parts. Pass the result to [`restore`](Self::restore).
    pub(super) fn take(&mut self, parts: &[Part]) -> Vec<(usize, Node)> {
        let mut changed: SortedMap<usize, Node> = SortedMap::new();
        for part in parts {
            let Some(root) = self.root(part.definition) else { continue };
            let root = changed.entry(part.definition).or_insert_with(|| root.clone());
            null_out(root, &part.route);
        }
        let replaced = changed.into_iter().filter_map(|(definition, mut root)| {
            // Remove the nulls, because not every lowering treats null as absent.
            drop_marked(&mut root);
            Some((definition, self.trials.replace(definition, root)?))
        });
        replaced.collect()
    }

    /// Undoes [`take`](Self::take).
    pub(super) fn restore(&mut self, before: Vec<(usize, Node)>) {
        for (definition, root) in before.into_iter().rev() {
            self.trials.replace(definition, root);
        }
    }

    /// The object without one part, compiled from otherwise unchanged definitions.
    pub(super) fn without(&mut self, part: &Part) -> Option<Node> {
        if let Some(known) = self.known.get(part) {
            return known.clone();
        }
        let before = self.take(std::slice::from_ref(part));
        let object = self.object();
        self.restore(before);
        self.known.insert(part.clone(), object.clone());
        object
    }
}

/// The definitions that affect the object: its own and all that it refers to, directly ones first, then
/// those that set one of its values, and all that these refer to.
fn affecting_definitions(trials: &Trials<'_>, own: usize, object: &Object) -> Vec<usize> {
    let mut places = SortedSet::new();
    collect_origins(&object.root, &mut places);
    let mut setters = Vec::new();
    for (at, instance) in trials.all().iter().enumerate() {
        let document = instance.document;
        let first = places.starting_at(&document.start_point()).next();
        let sets = first.is_some_and(|span| document.has_begin_of(*span));
        // Of a document with `expand`, only the object's own definition counts.
        let is_sibling = trials.all().get(own).is_some_and(|trial| trial.document == document);
        if sets && !is_sibling {
            setters.push(at);
        }
    }
    let mut is_found = vec![false; trials.all().len()];
    let mut add =
        |at: usize| is_found.get_mut(at).is_some_and(|is_found| !std::mem::replace(is_found, true));
    let mut found = Vec::new();
    let mut next = 0;
    for first in [vec![own], setters] {
        found.extend(first.into_iter().filter(|definition| add(*definition)));
        while let Some(at) = found.get(next).copied() {
            next += 1;
            let Some(instance) = trials.all().get(at) else { continue };
            let mut names = SortedSet::new();
            if let Some(spec) = instance.root.get("spec") {
                collect_strings(spec, &mut names);
            }
            let referred = names.iter().flat_map(|name| trials.named(instance.namespace(), name));
            let others: SortedSet<_> = referred.collect();
            found.extend(others.into_iter().filter(|other| add(*other)));
        }
    }
    found
}

fn collect_origins(node: &Node, places: &mut SortedSet<Span>) {
    if node.origin().layer().is_none() {
        places.insert(node.span());
    }
    node.entries().iter().for_each(|entry| collect_origins(&entry.value, places));
    node.items().iter().for_each(|item| collect_origins(item, places));
}

fn collect_strings<'n>(node: &'n Node, names: &mut SortedSet<&'n str>) {
    names.extend(node.as_str());
    node.entries().iter().for_each(|entry| collect_strings(&entry.value, names));
    node.items().iter().for_each(|item| collect_strings(item, names));
}

fn visit_nodes(node: &Node, route: &mut Vec<At>, visit: &mut impl FnMut(Span, &[At])) {
    visit(node.span(), route);
    for (at, entry) in node.entries().iter().enumerate() {
        route.push(At::Entry(at));
        visit_nodes(&entry.value, route, visit);
        route.pop();
    }
    for (at, item) in node.items().iter().enumerate() {
        route.push(At::Item(at));
        visit_nodes(item, route, visit);
        route.pop();
    }
}

/// The node at the end of a route.
pub(super) fn node_at<'n>(root: &'n Node, route: &[At]) -> Option<&'n Node> {
    route.iter().try_fold(root, |node, step| match step {
        At::Entry(at) => node.entries().get(*at).map(|it| &it.value),
        At::Item(at) => node.items().get(*at),
    })
}

/// Sets a part to null, so that the positions of the other parts do not change. It can be in another part
/// that already is.
fn null_out(root: &mut Node, route: &[At]) {
    let mut node = root;
    for step in route {
        let next = match (&mut node.value, step) {
            (Value::Map(map), At::Entry(at)) => map.value_at(*at),
            (Value::List(items), At::Item(at)) => items.get_mut(*at),
            _ => None,
        };
        let Some(next) = next else { return };
        node = next;
    }
    node.value = Value::Null;
}

/// Removes all nulls.
fn drop_marked(node: &mut Node) {
    match &mut node.value {
        Value::Map(map) => {
            map.retain(|entry| !entry.value.is_null());
            map.fields_mut().for_each(|field| drop_marked(field.value));
        }
        Value::List(items) => {
            items.retain(|it| !it.is_null());
            items.iter_mut().for_each(drop_marked);
        }
        _ => {}
    }
}
