//! What is known of a definition whose expressions cannot be evaluated.

use super::parts::is_expression;
use crate::diag::{Diagnostic, PathStep};
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::{Entry, Node, Value};

/// A definition without the fields and items whose expressions cannot be evaluated.
#[derive(Debug)]
pub(crate) struct Unevaluated {
    /// The rest of the definition.
    pub(crate) root: Node,
    /// Where fields and items are absent.
    pub(crate) gaps: Gaps,
}

/// The maps and lists that lack a field or an item, and their keys.
#[derive(Clone, Default, Debug)]
pub(crate) struct Gaps(SortedSet<Span>);

impl Unevaluated {
    /// Removes the expressions that are left in a definition.
    pub(crate) fn new(mut root: Node) -> Self {
        let mut incomplete = SortedSet::new();
        is_kept(&mut root, &mut incomplete);
        Self { root, gaps: Gaps(incomplete) }
    }
}

impl Gaps {
    /// Whether a finding about the rest is true of the whole definition: it is not about a map or
    /// list that is incomplete.
    pub(crate) fn is_certain(&self, finding: &Diagnostic) -> bool {
        !self.0.contains(&finding.primary.span)
    }

    /// Removes the field or item at a path, and returns its value.
    pub(crate) fn take_out(&mut self, root: &mut Node, path: &[PathStep]) -> Option<Node> {
        let mut incomplete = Vec::new();
        for length in 0..path.len() {
            let (owner, step) = (path.get(..length)?, path.get(length)?);
            let owner = root.at_path_mut(owner)?;
            incomplete.push(owner.span());
            if let Some(entry) = step.name().and_then(|it| owner.entry(it)) {
                incomplete.push(entry.key_origin().span());
            }
        }
        let removed = root.remove_at(path)?;
        self.0.extend(incomplete);
        Some(removed)
    }

    /// Adds a place where something may be absent.
    pub(crate) fn add(&mut self, place: Span) {
        self.0.insert(place);
    }

    /// Adds the gaps of another definition.
    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

/// Removes the expressions in a node; returns `false` if it is an expression itself.
fn is_kept(node: &mut Node, incomplete: &mut SortedSet<Span>) -> bool {
    let before = incomplete.len();
    match &mut node.value {
        Value::String(text) if is_expression(text) => {
            incomplete.insert(node.span());
            return false;
        }
        Value::List(items) => items.retain_mut(|item| is_kept(item, incomplete)),
        Value::Map(map) => map.edit(|entries| {
            entries.retain_mut(|Entry { key, value }| {
                let before = incomplete.len();
                let is_kept = is_kept(value, incomplete);
                if incomplete.len() > before {
                    incomplete.insert(key.span());
                }
                is_kept
            });
        }),
        _ => {}
    }
    if incomplete.len() > before {
        incomplete.insert(node.span());
    }
    true
}
