//! `Plant`: builds trees of generated nodes.

use lean_string::LeanStr;

use super::description::System;
use crate::schema::KubernetesVersion;
use crate::sorted::CompactSort as _;
use crate::source::{Span, Workspace};
use crate::tree::{Entry, Layer, Node, Origin, Value};

/// Builds nodes with one origin.
#[derive(Clone, Copy)]
pub(super) struct Plant {
    origin: Origin,
    /// The Kubernetes release whose types are embedded.
    pub(super) embeds: KubernetesVersion,
}

impl Plant {
    /// Builds nodes of a built-in object. Their span is in an empty source called `name`, which
    /// belongs to no input file, so no message points at them.
    pub(super) fn new(name: &str) -> Self {
        let file = Workspace::new().add(name, "");
        let origin = Origin::of_layer(Layer::Managed, Span::new(file, 0, 0));
        Self { origin, embeds: KubernetesVersion::NEWEST }
    }

    /// Builds nodes of the definitions of a system.
    pub(super) fn of(system: &System) -> Self {
        Self { embeds: system.embeds, ..Self::new(system.name) }
    }

    /// The span of all nodes.
    pub(super) const fn span(self) -> Span {
        self.origin.span()
    }

    /// A map with its keys in alphabetical order.
    pub(super) fn map<K: Into<LeanStr>>(
        self,
        entries: impl IntoIterator<Item = (K, Node)>,
    ) -> Node {
        let entry = |(key, value): (K, _)| Entry::new(key, self.origin, value);
        self.sorted(entries.into_iter().map(entry).collect())
    }

    fn sorted(self, mut entries: Vec<Entry>) -> Node {
        entries.compact_sort_by(|a, b| a.key.cmp(&b.key));
        Node::new(Value::Map(entries.into_iter().collect()), self.origin)
    }

    /// A list.
    pub(super) fn list(self, items: impl IntoIterator<Item = Node>) -> Node {
        Node::list(items, self.origin)
    }

    /// A list of strings.
    pub(super) fn texts<'t>(self, items: impl IntoIterator<Item = &'t str>) -> Node {
        self.list(items.into_iter().map(|text| self.text(text)))
    }

    /// A string.
    pub(super) fn text(self, text: &str) -> Node {
        Node::string(text, self.origin)
    }

    /// An integer.
    pub(super) const fn int(self, value: i64) -> Node {
        Node::int(value, self.origin)
    }

    /// A boolean.
    pub(super) const fn bool(self, value: bool) -> Node {
        Node::bool(value, self.origin)
    }

    /// Parses JSON; `None` if it is invalid.
    pub(super) fn json(self, text: &str) -> Option<Node> {
        serde_json::from_str(text).ok().map(|json| Node::from_json(json, self.origin))
    }
}
