//! `Instances`: the definitions that others can refer to, found by kind, namespace and name.

use std::sync::OnceLock;

use lean_string::LeanStr;

use super::chains::Chains;
use super::{API_GROUP, Data, DataKind, DeclaredData, Definition, Kind};
use crate::decode::{Field, Record, Text};
use crate::diag::{
    About, Diagnostic, Message, ObjectName, Reported, Sink, declare_rules, did_you_mean, message,
};
use crate::kube::{Hidden, Object};
use crate::limits::Fuel;
use crate::parallel::ordered_map;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    DEFINITION_NOT_FOUND = "definition-not-found", Error, follows = [ObjectName];
}

/// The number of names that are searched for a similar one. Thousands of references may be
/// unresolved among thousands of names.
const NEAR_NAMES: usize = 500;

/// One definition after expansion, checked but not yet read.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// Its kind.
    pub(crate) kind: &'static Kind,
    /// The whole document.
    pub(crate) root: Node,
    /// The span of the document.
    pub(crate) document: Span,
}

impl Instance {
    /// Its name.
    pub(crate) fn name(&self) -> &str {
        self.root.text_at(&["metadata", "name"])
    }

    /// Its namespace; empty if absent.
    pub(crate) fn namespace(&self) -> &str {
        self.root.text_at(&["metadata", "namespace"])
    }

    /// The definition as its type; `None` where `S` is the type of another kind.
    pub(crate) fn read<S: Record + Field>(&self) -> Option<Definition<S>> {
        let is_it = self.kind.name == kind_name::<S>();
        is_it.then(|| Definition::read(self.root.clone(), self.document)).flatten()
    }

    /// What is kept of it while it is compiled, which consumes it: the whole, or its metadata.
    pub(super) fn kept(&self) -> Self {
        if self.kind.can_fail {
            return self.clone();
        }
        let mut root = Node::map(self.root.origin());
        root.set_some("metadata", self.root.get("metadata").cloned());
        Self { root, ..*self }
    }

    pub(super) fn key(&self) -> Key {
        (self.kind.name, self.namespace().into(), self.name().into())
    }
}

/// Kind, namespace, name.
pub(super) type Key = (&'static str, LeanStr, LeanStr);

/// The name of the kind whose spec is `S`: the part before `.spec` in the name of the record.
pub(super) fn kind_name<S: Record>() -> &'static str {
    S::OBJECT.name.strip_suffix(".spec").unwrap_or(S::OBJECT.name)
}

/// The definitions of a run that others can refer to.
#[derive(Debug, Default)]
pub(crate) struct Instances<'h> {
    all: Vec<Instance>,
    by_name: SortedMap<Key, usize>,
    /// The kinds of all of them, by name.
    kinds: SortedMap<&'static str, &'static Kind>,
    broken: SortedSet<Key>,
    hidden: Option<(&'h Hidden<'h>, Reported)>,
    /// Those without their faulty fields.
    partial: SortedSet<Key>,
    chains: Chains,
    /// The first namespace that has the name, by kind and name; computed at the first missing name.
    namespaces: OnceLock<SortedMap<(&'static str, LeanStr), LeanStr>>,
    /// The data of Secrets and ConfigMaps, by kind, namespace and name.
    data: SortedMap<(DataKind, LeanStr, LeanStr), Data>,
}

impl<'h> Instances<'h> {
    /// Indexes the definitions. Of two with the same kind, namespace and name the first is found.
    pub(crate) fn new(instances: Vec<Instance>) -> Self {
        // Of equal keys, a map that is collected keeps the last one.
        let last_first = instances.iter().enumerate().rev();
        let by_name = last_first.map(|(index, instance)| (instance.key(), index)).collect();
        let kinds = instances.iter().map(|instance| (instance.kind.name, instance.kind)).collect();
        Self { all: instances, by_name, kinds, ..Self::default() }
    }

    /// Declares definitions with a reported fault, and documents that may define any name in them.
    pub(super) fn declare_broken(
        &mut self,
        broken: impl IntoIterator<Item = Key>,
        hidden: &'h Hidden<'h>,
        reported: Reported,
    ) {
        self.broken = broken.into_iter().collect();
        self.hidden = Some((hidden, reported));
    }

    /// Adds definitions without their faulty fields, which those compiled like them can refer to.
    pub(super) fn add_rests<'i>(
        &mut self,
        rests: impl Iterator<Item = &'i Instance>,
        sink: &mut Sink,
    ) {
        for instance in rests {
            let key = instance.key();
            if instance.kind.is_referenced && !self.by_name.contains_key(&key) {
                self.partial.insert(key.clone());
                self.by_name.insert(key, self.all.len());
                self.kinds.insert(instance.kind.name, instance.kind);
                self.all.push(instance.clone());
            }
        }
        self.chains = self.chains_of(std::iter::empty(), &Fuel::of(u64::MAX), sink);
    }

    /// Declares which chains of `extends` are over a limit.
    pub(super) fn declare_chains(&mut self, chains: Chains) {
        self.chains = chains;
    }

    /// The chains of `extends` that are over a limit.
    pub(super) fn chains(&self) -> &Chains {
        &self.chains
    }

    /// The object of a missing definition, under which other objects refer to it.
    pub(super) fn absent_object(&self, kind: &str, namespace: &str, name: &str) -> About {
        let object = self.kinds.get(kind).and_then(|kind| kind.compiles_to.first()).copied();
        // A definition that compiles to nothing is named as itself.
        let (group, kind) = object.unwrap_or((API_GROUP, kind));
        About::AbsentObject(ObjectName::new(group, kind, namespace, name))
    }

    /// The names of the kinds of all of them, sorted.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.kinds.keys().copied()
    }

    /// Declares the Secrets and ConfigMaps that exist in the cluster, and those of the input.
    pub(crate) fn declare_data(&mut self, external: &[DeclaredData], objects: &[Object]) {
        for DeclaredData { kind, namespace, name, keys } in external {
            let key = (*kind, namespace.clone(), name.clone());
            self.data.insert(key, Data::declared(keys));
        }
        for object in objects {
            if let Some((kind, data)) = Data::of(object) {
                self.data.insert((kind, object.namespace.clone(), object.name.clone()), data);
            }
        }
    }

    /// The data of a Secret or ConfigMap; `None` where its keys are unknown.
    pub(crate) fn data(&self, kind: DataKind, namespace: &str, name: &str) -> Option<&Data> {
        self.data.get(&(kind, namespace.into(), name.into()))
    }

    /// Whether there is a definition of this name whose spec is `S`, or one with a reported fault.
    /// One that cannot be read is not found: a resource of a system can have faults that its schema
    /// reports.
    pub(crate) fn can_read<S: Record + Field>(&self, namespace: &str, name: &str) -> bool {
        match self.position(kind_name::<S>(), namespace, name) {
            Ok(Some(at)) => self.all.get(at).and_then(Instance::read::<S>).is_some(),
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// Whether the definition of this name whose spec is `S` lacks its faulty fields: one that is
    /// absent may be set.
    pub(crate) fn is_partial<S: Record>(&self, namespace: &str, name: &str) -> bool {
        self.partial.contains(&(kind_name::<S>(), namespace.into(), name.into()))
    }

    /// All definitions, in input order.
    pub(crate) fn all(&self) -> &[Instance] {
        &self.all
    }

    /// The document of an instance, for changes. The name must not change.
    pub(super) fn root_mut(&mut self, at: usize) -> Option<&mut Node> {
        self.all.get_mut(at).map(|it| &mut it.root)
    }

    /// Copies of the definitions of the kind whose spec is `S`, in input order.
    pub(crate) fn of_kind<S: Record + Field>(&self) -> impl Iterator<Item = Definition<S>> {
        self.all.iter().filter_map(Instance::read)
    }

    /// Applies `work` to a copy of each definition of the kind whose spec is `S`; the results are in
    /// input order.
    pub(crate) fn map_kind<S: Record + Field, R: Send>(
        &self,
        work: impl Fn(Definition<S>) -> R + Send + Sync,
    ) -> Vec<R> {
        let of_kind =
            self.all.iter().filter(|instance| instance.kind.name == kind_name::<S>()).collect();
        let results = ordered_map(of_kind, |instance: &Instance| instance.read().map(&work));
        results.into_iter().flatten().collect()
    }

    /// A copy of the definition with this name whose spec is `S`. Reports a missing one, unless an
    /// invalid definition has the name.
    ///
    /// # Errors
    /// If the definition does not exist.
    pub(crate) fn find<S: Record + Field>(
        &self,
        namespace: &str,
        name: &Text,
        sink: &mut Sink,
    ) -> Result<Definition<S>, Reported> {
        let at = self.position(kind_name::<S>(), namespace, name.as_str())?;
        let definition = at.and_then(|at| self.all.get(at)).and_then(Instance::read);
        definition.ok_or_else(|| self.missing::<S>(namespace, name, sink))
    }

    /// Reports a missing definition as [`find`](Self::find) does, without a copy of one that exists.
    ///
    /// # Errors
    /// If the definition does not exist.
    pub(crate) fn require<S: Record>(
        &self,
        namespace: &str,
        name: &Text,
        sink: &mut Sink,
    ) -> Result<(), Reported> {
        let found = self.position(kind_name::<S>(), namespace, name.as_str())?;
        found.map(|_| ()).ok_or_else(|| self.missing::<S>(namespace, name, sink))
    }

    fn missing<S: Record>(&self, namespace: &str, name: &Text, sink: &mut Sink) -> Reported {
        let kind = kind_name::<S>();
        let near = if sink.is_terse() { None } else { self.near(kind, namespace, name.as_str()) };
        sink.error(self.not_found(kind, namespace, name, near))
    }

    /// The definition with this name whose spec is `S`; `None` if it is not in the input, or has a
    /// fault.
    pub(crate) fn get<S: Record>(&self, namespace: &str, name: &str) -> Option<&Instance> {
        let found = self.position(kind_name::<S>(), namespace, name).ok().flatten();
        found.and_then(|at| self.all.get(at))
    }

    /// The index of the definition; `None` if it does not exist.
    ///
    /// # Errors
    /// If it has a fault that was reported.
    pub(super) fn position(
        &self,
        kind: &'static str,
        namespace: &str,
        name: &str,
    ) -> Result<Option<usize>, Reported> {
        let key = (kind, LeanStr::from(namespace), LeanStr::from(name));
        if let Some(at) = self.by_name.get(&key) {
            return Ok(Some(*at));
        }
        match self.hidden {
            Some((hidden, reported)) if self.broken.contains(&key) || hidden.may_define(name) => {
                Err(reported)
            }
            _ => Ok(None),
        }
    }

    /// The indexes of the definitions with this name, of all kinds that others can refer to.
    pub(super) fn named(&self, namespace: &str, name: &str) -> impl Iterator<Item = usize> {
        let (namespace, name) = (LeanStr::from(namespace), LeanStr::from(name));
        let kinds = self.kinds.values().filter(|it| it.is_referenced);
        kinds.filter_map(move |kind| {
            self.by_name.get(&(kind.name, namespace.clone(), name.clone())).copied()
        })
    }

    /// A similar name in the namespace, for help.
    pub(super) fn near(&self, kind: &'static str, namespace: &str, name: &str) -> Option<Message> {
        let from = (kind, LeanStr::from(namespace), LeanStr::default());
        let valid = self.by_name.starting_at(&from).take(NEAR_NAMES).map(|(key, _)| key);
        let all = valid.chain(self.broken.starting_at(&from).take(NEAR_NAMES));
        let here = all.filter(|(of, space, _)| *of == kind && space == namespace);
        did_you_mean(name, here.map(|(_, _, name)| name.as_str()))
    }

    /// The first namespace that has the name.
    pub(super) fn elsewhere(&self, kind: &'static str, name: &str) -> Option<&str> {
        let namespaces = self.namespaces.get_or_init(|| {
            let mut namespaces = SortedMap::new();
            for (kind, space, name) in self.by_name.keys() {
                namespaces.entry((*kind, name.clone())).or_insert_with(|| space.clone());
            }
            namespaces
        });
        namespaces.get(&(kind, LeanStr::from(name))).map(LeanStr::as_str)
    }

    fn not_found(
        &self,
        kind: &'static str,
        namespace: &str,
        name: &Text,
        near: Option<Message>,
    ) -> Diagnostic {
        let text = name.as_str();
        let finding = Diagnostic::new(
            &DEFINITION_NOT_FOUND,
            name.span(),
            message!("{kind} `{text}` not found in the input"),
        )
        .at(message!("no such {kind} in the input"))
        .about(self.absent_object(kind, namespace, text))
        .help_if(near);
        match self.elsewhere(kind, text) {
            Some(space) => finding
                .note(message!(
                    "a {kind} with this name exists {}, but a definition only refers to its own namespace",
                    describe_namespace(space)
                ))
                .help("move both definitions to one namespace"),
            None => finding,
        }
    }
}

fn describe_namespace(namespace: &str) -> String {
    if namespace.is_empty() {
        "without a namespace".to_owned()
    } else {
        format!("in namespace `{namespace}`")
    }
}
