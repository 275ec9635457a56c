//! `InputObject`: the kind and name of a document in the input, before it is processed.

use std::sync::Arc;

use lean_string::LeanStr;

use super::{GroupVersionKind, SharedKinds};
use crate::diag::brief;
use crate::scalar::SUBDOMAIN_LIMIT;
use crate::source::Span;
use crate::tree::Node;

/// An object or definition of the input; an item of a `List` is its own object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputObject {
    /// Its group, version and kind, which all objects of a kind share.
    pub gvk: Arc<GroupVersionKind>,
    /// `metadata.namespace`; empty if absent. Only the beginning of one that is too long for any API
    /// server: each reference in the object is searched in its namespace.
    pub namespace: LeanStr,
    /// `metadata.name`; empty if absent.
    pub name: LeanStr,
    /// The span of the whole object.
    pub place: Span,
}

impl InputObject {
    /// Its group, version and kind.
    #[must_use]
    pub fn gvk(&self) -> &GroupVersionKind {
        &self.gvk
    }

    /// `metadata.name`; empty if absent.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `metadata.namespace`; empty if absent.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The span of the whole object.
    #[must_use]
    pub const fn place(&self) -> Span {
        self.place
    }

    /// Reads the names of a document.
    pub fn of(root: &Node, place: Span, kinds: &SharedKinds) -> Self {
        let text = |keys: &[&str]| root.text_at(keys);
        Self {
            gvk: kinds.get(text(&["apiVersion"]), text(&["kind"])),
            namespace: truncate_namespace(text(&["metadata", "namespace"])).into(),
            name: text(&["metadata", "name"]).into(),
            place,
        }
    }

    /// The one of `all` that contains a span. They must be sorted by position, as in a compilation.
    #[must_use]
    pub fn index_at(all: &[Self], place: Span) -> Option<usize> {
        let behind =
            all.partition_point(|object| object.place.start_point() <= place.start_point());
        let index = behind.checked_sub(1)?;
        let before = all.get(index)?.place;
        before.contains(place.start_point()).then_some(index)
    }

    /// `Kind/namespace/name`, without absent parts.
    #[must_use]
    pub fn describe(&self) -> String {
        let parts = [&self.gvk.kind, &self.namespace, &self.name];
        let given: Vec<_> =
            parts.into_iter().filter(|part| !part.is_empty()).map(|part| brief(part)).collect();
        given.join("/")
    }
}

/// The length in bytes to which a namespace is truncated: longer than messages show.
const LONGEST_NAMESPACE: usize = 2 * SUBDOMAIN_LIMIT;

fn truncate_namespace(namespace: &str) -> &str {
    namespace.split_at(namespace.floor_char_boundary(LONGEST_NAMESPACE)).0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::Workspace;
    use crate::tree::Origin;

    fn object(place: Span) -> InputObject {
        let gvk = GroupVersionKind::new("v1", "Pod").into();
        InputObject { gvk, namespace: "ns".into(), name: LeanStr::default(), place }
    }

    #[test]
    fn a_span_belongs_to_the_enclosing_object() {
        let mut workspace = Workspace::new();
        let text = " ".repeat(60);
        let (a, b) = (workspace.add("a", text.as_str()), workspace.add("b", text.as_str()));
        let all = [(a, 10, 20), (a, 30, 40), (b, 5, 9)];
        let all = all.map(|(file, start, end)| object(Span::new(file, start, end)));
        let found = |file, start| InputObject::index_at(&all, Span::new(file, start, start + 1));
        let at: Vec<_> = [9, 10, 19, 20, 25, 30, 50].into_iter().map(|at| found(a, at)).collect();
        assert_eq!(at, [None, Some(0), Some(0), Some(0), None, Some(1), None]);
        assert_eq!([found(b, 4), found(b, 5)], [None, Some(2)]);
    }

    #[test]
    fn a_long_namespace_is_truncated() {
        for (length, kept) in [(253, 253), (1_000_000, 506)] {
            let root = json!({"metadata": {"namespace": "n".repeat(length)}});
            let place = Workspace::new().start();
            let root = Node::from_json(root, Origin::source(place));
            let object = InputObject::of(&root, place, &SharedKinds::default());
            assert_eq!(object.namespace.len(), kept);
        }
    }

    #[test]
    fn missing_parts_are_omitted() {
        assert_eq!(object(Workspace::new().start()).describe(), "Pod/ns");
    }
}
