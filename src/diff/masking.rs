//! What reports of differences show in place of secret values.

use lean_string::LeanStr;

use crate::diag::PathStep;
use crate::findings::secrecy::{SecretValues, Veil};
use crate::source::Workspace;
use crate::tree::{Node, Value};

/// The text in the place of a secret value.
pub(super) const MASK: &str = "\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}";

/// The rules by which the secrets of the objects of a workspace are hidden.
#[derive(Clone, Debug)]
pub(crate) struct Masking<'w> {
    values: SecretValues<'w>,
}

impl<'w> Masking<'w> {
    pub(super) const fn of(workspace: &'w Workspace) -> Self {
        Self { values: SecretValues::of(workspace) }
    }

    /// A copy of a value at a position without secrets.
    pub(super) fn masked(&self, node: &Node, veil: Veil) -> Node {
        match &node.value {
            Value::Null => node.clone(),
            // The keys in it are a part of the secret.
            _ if veil.hides_all(node) => hidden(node),
            Value::Map(_) => {
                let mut copy = node.clone();
                let inside = veil.inside(node);
                for entry in node.entries() {
                    let below = inside.below(&entry.key, Some(&entry.value));
                    let value = self.masked(&entry.value, below);
                    if let Some(place) = copy.get_mut(&entry.key) {
                        *place = value;
                    }
                }
                copy
            }
            Value::List(items) => {
                let items = items.iter().map(|item| self.masked(item, veil.item()));
                Node::list(items, node.origin())
            }
            _ if veil.hides_scalar(node) || self.values.are_in(node) => hidden(node),
            _ => node.clone(),
        }
    }

    /// A copy of a value at a path of an object without secrets. The object may lack the end of the path.
    pub(crate) fn at_path<'p>(
        &self,
        root: &Node,
        path: impl IntoIterator<Item = &'p PathStep>,
        node: &Node,
    ) -> Node {
        let absent = Node::map(root.origin());
        let (mut at, mut veil) = (root, Veil::of_root());
        for step in path {
            (at, veil) = match step {
                PathStep::Index(index) => (at.items().get(*index).unwrap_or(&absent), veil.item()),
                PathStep::Field(key) | PathStep::Key(key) => {
                    (at.get(key).unwrap_or(&absent), veil.inside(at).below(key, at.get(key)))
                }
            };
        }
        self.masked(node, veil)
    }
}

/// What is shown in place of a secret value.
pub(super) fn hidden(node: &Node) -> Node {
    node.with_value(Value::String(LeanStr::from(MASK)))
}

/// Whether a part of a value is masked.
pub(super) fn is_masked(node: &Node) -> bool {
    match &node.value {
        Value::String(text) => text == MASK,
        Value::List(items) => items.iter().any(is_masked),
        Value::Map(map) => map.entries().iter().any(|it| is_masked(&it.value)),
        _ => false,
    }
}
