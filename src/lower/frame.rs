//! `Frame`: the metadata that the objects of one definition share. `Lowering`: the context of a
//! lowering and its results.

use lean_string::LeanStr;

use serde::Serialize;
use thin_vec::ThinVec;

use super::{Draft, Instances, Metadata, Setup};
use crate::diag::Sink;
use crate::kube::{Object, SharedKinds};
use crate::limits::Fuel;
use crate::schema::Versions;
use crate::source::Span;
use crate::tree::{Entry, Layer, Node, Origin, Value};

/// Name, namespace, labels and annotations for the objects of one definition, and the origin of
/// nodes that the compiler generates for it.
#[derive(Debug)]
pub(crate) struct Frame {
    metadata: Metadata,
    document: Span,
}

impl Frame {
    /// The frame of the objects of a definition.
    pub(crate) fn new(metadata: Metadata, document: Span) -> Self {
        Self { metadata, document }
    }

    /// The origin of nodes of the managed layer; its span is the definition's name.
    pub(crate) fn managed(&self) -> Origin {
        Origin::of_layer(Layer::Managed, self.metadata.name.span())
    }

    /// The definition's name, as a node.
    pub(crate) fn name(&self) -> Node {
        self.metadata.name.clone().into_node()
    }

    /// The definition's namespace; empty if absent.
    pub(crate) fn namespace(&self) -> &str {
        self.metadata.namespace.as_ref().map_or("", |it| it.as_str())
    }

    /// An empty map of the managed layer.
    pub(crate) fn map(&self) -> Node {
        Node::map(self.managed())
    }

    /// A map of the managed layer with one entry.
    pub(crate) fn map_of(&self, key: &'static str, value: Node) -> Node {
        self.map_with([(key, Some(value))])
    }

    /// A map of the managed layer with those of these fields that have a value. Keys differ. It has no spare room, which
    /// would be removed at the end.
    pub(crate) fn map_with<const N: usize>(
        &self,
        fields: [(&'static str, Option<Node>); N],
    ) -> Node {
        let count = fields.iter().filter(|field| field.1.is_some()).count();
        let mut entries = ThinVec::with_capacity(count);
        for (key, value) in fields {
            let key = LeanStr::from_static_str(key);
            entries.extend(value.map(|value| Entry::new(key, value.origin(), value)));
        }
        Node::new(Value::Map(entries.into()), self.managed())
    }

    /// A string of the managed layer.
    pub(crate) fn string(&self, text: &'static str) -> Node {
        Node::string(LeanStr::from_static_str(text), self.managed())
    }

    /// A generated string of the managed layer.
    pub(crate) fn text(&self, text: impl Into<LeanStr>) -> Node {
        Node::string(text, self.managed())
    }

    /// A name derived from the definition's: `frame.name_with(|name| format!("{name}-egress"))`.
    pub(crate) fn name_with(&self, make: impl FnOnce(&str) -> String) -> Node {
        self.text(make(self.metadata.name.as_str()))
    }

    /// An integer of the managed layer.
    pub(crate) fn int(&self, value: i64) -> Node {
        Node::int(value, self.managed())
    }

    /// A list of the managed layer.
    pub(crate) fn list(&self, items: impl IntoIterator<Item = Node>) -> Node {
        Node::list(items, self.managed())
    }

    /// A typed Kubernetes struct as a tree of the managed layer.
    pub(crate) fn typed<T: Serialize>(&self, value: &T) -> Node {
        Node::built_in(value, self.managed())
    }

    /// Name, namespace, labels and annotations.
    pub(crate) const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The document of the definition.
    pub(crate) const fn document(&self) -> Span {
        self.document
    }
}

/// The context of a kind's lowering, with its objects and findings.
#[derive(Debug)]
pub(crate) struct Lowering<'l, 's> {
    /// The versions whose API servers must accept the objects.
    pub(crate) targets: Versions,
    /// The kinds of the run.
    pub(super) kinds: &'l SharedKinds,
    /// The definitions that others can refer to.
    pub(crate) instances: &'l Instances<'l>,
    /// The settings of the system.
    pub(crate) setup: &'l Setup,
    /// The sink for findings.
    pub(crate) sink: &'s mut Sink,
    /// The objects so far.
    pub(crate) objects: Vec<Object>,
    /// The fuel of the definition.
    pub(super) fuel: &'s Fuel<'s>,
}

impl Lowering<'_, '_> {
    /// Creates an object with the name, namespace, labels and annotations of the definition.
    pub(crate) fn object<'d>(
        &'d mut self,
        frame: &'d Frame,
        api_version: &'static str,
        kind: &'static str,
    ) -> Draft<'d> {
        Draft::new(self, frame, api_version, kind)
    }

    /// Announces the number of objects of a definition that can have any number of them. Returns
    /// whether there is fuel for them.
    pub(crate) fn announce(&self, objects: usize) -> bool {
        self.fuel.make(objects)
    }

    /// Adds an object with the metadata of the frame and a `spec` to the output.
    pub(crate) fn emit(
        &mut self,
        frame: &Frame,
        api_version: &'static str,
        kind: &'static str,
        spec: Node,
    ) {
        self.object(frame, api_version, kind).set("spec", spec).emit();
    }
}
