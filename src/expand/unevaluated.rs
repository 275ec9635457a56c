//! What is known of a definition whose expressions cannot be evaluated.

use std::collections::BTreeSet;

use super::expression::is_expression;
use crate::diag::{About, Diagnostic};
use crate::source::Span;
use crate::tree::{Entry, Node, Value};

/// A definition without the fields and items that are expressions.
#[derive(Debug)]
pub(crate) struct Unevaluated {
    /// The rest of the definition.
    pub(crate) root: Node,
    /// Where fields and items are absent.
    pub(crate) gaps: Gaps,
}

/// The maps and lists that lack a field or an item, and their keys.
#[derive(Debug)]
pub(crate) struct Gaps(BTreeSet<Span>);

impl Unevaluated {
    /// Removes the expressions of a definition.
    pub(super) fn new(mut root: Node) -> Self {
        let mut incomplete = BTreeSet::new();
        is_kept(&mut root, &mut incomplete);
        Self { root, gaps: Gaps(incomplete) }
    }
}

impl Gaps {
    /// Whether a finding about the rest is true of the whole definition: it is not about a missing
    /// field, nor about a map or list that is incomplete.
    pub(crate) fn is_certain(&self, finding: &Diagnostic) -> bool {
        !matches!(finding.about, About::MissingField(_)) && !self.0.contains(&finding.primary.span)
    }
}

/// Removes the expressions in a node; returns `false` if it is an expression itself.
fn is_kept(node: &mut Node, incomplete: &mut BTreeSet<Span>) -> bool {
    let before = incomplete.len();
    match &mut node.value {
        Value::String(text) if is_expression(text) => {
            incomplete.insert(node.span());
            return false;
        }
        Value::List(items) => items.retain_mut(|item| is_kept(item, incomplete)),
        Value::Map(map) => map.entries.retain_mut(|Entry { key_origin, value, .. }| {
            let before = incomplete.len();
            let is_kept = is_kept(value, incomplete);
            if incomplete.len() > before {
                incomplete.insert(key_origin.span());
            }
            is_kept
        }),
        _ => {}
    }
    if incomplete.len() > before {
        incomplete.insert(node.span());
    }
    true
}
