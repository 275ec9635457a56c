//! The values and keys of a file by their spans.

use crate::sorted::CompactSort as _;
use crate::source::Span;
use crate::tree::{Entry, Node};

/// The values and keys of the documents of a file, so that each is found by a binary search. The
/// entries of a map are not in the order of the source if they are merged from another one.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// In the order of the documents, a value before the values in it.
    all: Vec<Part>,
    /// The indexes of all parts, sorted by span. Of equal spans, as aliases have, the first counts.
    by_span: Vec<u32>,
}

#[derive(Debug)]
struct Part {
    span: Span,
    /// The index of the map or list that it is in; its own index for a document.
    parent: u32,
    /// The position among the entries or items of the parent, or of the document in the file.
    position: u32,
    is_key: bool,
}

/// One step from a value to a part of it.
pub(super) enum Step<'n> {
    /// An entry of a map.
    Entry(&'n Entry),
    /// The position of an item in a list.
    Item(usize),
}

impl Parts {
    pub(super) fn of(roots: &[Node]) -> Self {
        let mut parts = Self::default();
        for (position, root) in (0..).zip(roots) {
            let own = parts.len();
            parts.add(root, own, position);
        }
        let mut by_span: Vec<_> = (0..parts.len()).collect();
        by_span.compact_sort_by_key(|at| parts.get(*at).map(|it| it.span));
        Self { by_span, ..parts }
    }

    fn len(&self) -> u32 {
        u32::try_from(self.all.len()).unwrap_or(u32::MAX)
    }

    fn get(&self, at: u32) -> Option<&Part> {
        self.all.get(at as usize)
    }

    fn add(&mut self, node: &Node, parent: u32, position: u32) {
        let own = self.len();
        self.all.push(Part { span: node.span(), parent, position, is_key: false });
        for (position, entry) in (0..).zip(node.entries()) {
            let span = entry.key_origin().span();
            self.all.push(Part { span, parent: own, position, is_key: true });
            self.add(&entry.value, own, position);
        }
        for (position, item) in (0..).zip(node.items()) {
            self.add(item, own, position);
        }
    }

    /// The index of the part with exactly this span.
    fn find(&self, place: Span) -> Option<u32> {
        let is_before = |at: &u32| self.get(*at).is_some_and(|part| part.span < place);
        let first = *self.by_span.get(self.by_span.partition_point(is_before))?;
        (self.get(first)?.span == place).then_some(first)
    }

    /// The value with exactly this span.
    pub(super) fn value_at<'n>(&self, roots: &'n [Node], place: Span) -> Option<&'n Node> {
        let at = self.find(place).filter(|at| self.get(*at).is_some_and(|it| !it.is_key))?;
        Some(self.route(roots, at)?.1)
    }

    /// The steps from the document to the value or key with exactly this span.
    pub(super) fn steps_to<'n>(&self, roots: &'n [Node], place: Span) -> Option<Vec<Step<'n>>> {
        Some(self.route(roots, self.find(place)?)?.0)
    }

    /// The steps from the document to a part, and the value at their end.
    fn route<'n>(&self, roots: &'n [Node], at: u32) -> Option<(Vec<Step<'n>>, &'n Node)> {
        let (mut at, mut part) = (at, self.get(at)?);
        let mut positions = Vec::new();
        while part.parent != at {
            positions.push(part.position as usize);
            (at, part) = (part.parent, self.get(part.parent)?);
        }
        let mut node = roots.get(part.position as usize)?;
        let mut steps = Vec::with_capacity(positions.len());
        for position in positions.into_iter().rev() {
            if let Some(entry) = node.entries().get(position) {
                steps.push(Step::Entry(entry));
                node = &entry.value;
            } else {
                steps.push(Step::Item(position));
                node = node.items().get(position)?;
            }
        }
        Some((steps, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sink;
    use crate::source::Workspace;
    use crate::yaml;

    fn each_part_is_found(parts: &Parts, roots: &[Node], node: &Node) {
        let found = parts.value_at(roots, node.span()).expect("a value");
        assert!(found.same_value(node), "{found:?}, not {node:?}");
        for Entry { key, value } in node.entries() {
            let steps = parts.steps_to(roots, key.span()).expect("a key");
            assert!(matches!(steps.last(), Some(Step::Entry(it)) if it.key == *key), "{key}");
            assert!(parts.value_at(roots, key.span()).is_none(), "{key} is not a value");
            each_part_is_found(parts, roots, value);
        }
        for (position, item) in node.items().iter().enumerate() {
            let steps = parts.steps_to(roots, item.span()).expect("an item");
            assert!(matches!(steps.last(), Some(Step::Item(it)) if *it == position), "{position}");
            each_part_is_found(parts, roots, item);
        }
    }

    #[test]
    fn each_value_and_key_is_found_by_its_span() {
        let mut workspace = Workspace::new();
        let text = "a: &x {b: [1, {c: 2}]}\nd: *x\ne:\n  f: 3\n  <<: *x\n---\n- {g: h}\n- i\n";
        let file = workspace.add("a.yaml", text);
        let read = yaml::documents(file, text, &mut Sink::new()).read;
        let roots: Vec<_> = read.into_iter().map(|it| it.root).collect();
        assert_eq!(roots.len(), 2);
        let parts = Parts::of(&roots);
        for root in &roots {
            each_part_is_found(&parts, &roots, root);
        }
        assert!(parts.value_at(&roots, Span::new(file, 1, 2)).is_none());
    }
}
