//! `Test`: expectations on the output of definitions. It compiles to nothing; `testing` runs it.

mod declare;
mod form;

pub(crate) use declare::{Case, Expect, Expected, Given, Level, TestSpec};
pub(crate) use form::check;

use crate::decode::{Field as _, Fields};
use crate::diag::declare_rules;
use crate::kube::{GroupVersionKind, items_of_list};
use crate::lower::API_GROUP;
use crate::project::GivenValue;
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    TEST_FAILED = "test-failed", Error;
    TEST_INVALID = "test-invalid", Error;
}

/// The kind of the documents.
pub(crate) const KIND: &str = "Test";

/// The end of the name of a snapshot.
pub(crate) const SNAPSHOT: &str = ".snap.yaml";

/// Whether a kind is that of a test.
pub(crate) fn is_test(gvk: &GroupVersionKind) -> bool {
    gvk.is(API_GROUP, KIND)
}

/// Whether a document is a test.
pub(crate) fn is_document(root: &Node) -> bool {
    let type_meta = root.str_at(&["apiVersion"]).zip(root.str_at(&["kind"]));
    type_meta.is_some_and(|(api_version, kind)| is_test(&GroupVersionKind::new(api_version, kind)))
}

/// The spec of a document, as far as it is valid.
pub(crate) fn read(root: Node) -> Option<TestSpec> {
    Fields::of(root).take("spec").and_then(TestSpec::read)
}

/// The objects in a document. Of a test, these are the ones that the case at `case` adds to its
/// input; none if it has no such case.
pub(crate) fn objects(root: Node, document: Span, case: Option<Span>) -> Vec<(Node, Span)> {
    let Some(case) = case.filter(|_| is_document(&root)) else {
        return items_of_list(root, document);
    };
    let definitions = given(&root, case).filter_map(|it| it.get("definitions"));
    let definitions = definitions.flat_map(Node::items).filter(|it| !it.is_null()).cloned();
    definitions
        .flat_map(|it| {
            let place = it.span();
            items_of_list(it, place)
        })
        .collect()
}

/// The values of a case of a test, those with precedence last.
pub(crate) fn values(root: &Node, case: Span) -> Vec<GivenValue> {
    let values = given(root, case).filter_map(|it| it.get("values")).filter(|it| !it.is_null());
    values.map(|it| GivenValue { path: Vec::new(), value: it.clone() }).collect()
}

/// The maps with the input of a case: that of all cases, and its own.
fn given(root: &Node, case: Span) -> impl Iterator<Item = &Node> {
    let spec = root.get("spec").filter(|_| is_document(root));
    let cases = spec.and_then(|it| it.get("cases")).map_or(&[][..], Node::items);
    let own = cases.iter().find(|it| it.span() == case);
    spec.filter(|_| own.is_some()).into_iter().chain(own)
}
