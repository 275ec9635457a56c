//! The second stage: sorts documents into objects, definitions, tests and the Project.

use crate::dialect::DIALECTS;
use crate::folder::{self, Skipped};
use crate::kube::{GroupVersionKind, Hidden, InputObject, Object, SharedKinds};
use crate::lower::{self, API_GROUP};
use crate::parallel::Blocks;
use crate::source::{FileRole, Span, Workspace};
use crate::test_case;
use crate::tree::Node;
use crate::yaml::Document;

/// The documents, sorted by their use.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) inputs: Vec<InputObject>,
    pub(super) projects: Vec<Node>,
    pub(super) tests: Vec<Node>,
    pub(super) definitions: Blocks<(Node, Span)>,
    pub(super) objects: Vec<Object>,
}

/// Sorts the documents of the files; the names in a document without a known kind are hidden. `case` is
/// the case of a test that is compiled.
pub(super) fn sort<'w>(
    workspace: &'w Workspace,
    (documents, case): (Vec<Vec<Document>>, Option<Span>),
    kinds: &SharedKinds,
    skipped: &mut Skipped,
    hidden: &mut Hidden<'w>,
) -> Sorted {
    let mut sorted = Sorted::default();
    let has_definitions = documents.iter().flatten().any(|it| lower::is_of_language(&it.root));
    // Most documents are one object, or become one. A growing list leaves unused memory.
    let count = documents.iter().map(Vec::len).sum();
    sorted.inputs.reserve_exact(count);
    sorted.objects.reserve_exact(count);
    let documents = documents.into_iter().flatten();
    for (root, span) in documents.flat_map(|it| test_case::objects(it.root, it.span, case)) {
        // Files with custom resource definitions can also contain other documents.
        match workspace.role_at(span) {
            FileRole::KnownKinds if !is_definition(&root) => continue,
            FileRole::Policies if !is_object(&root) => continue,
            _ => {}
        }
        if folder::is_kustomization(&root) {
            skipped.add_kustomization(workspace, span);
            continue;
        }
        let input = InputObject::of(&root, span, kinds);
        sorted.inputs.push(input.clone());
        let InputObject { gvk, name, namespace, place: document } = input;
        if gvk.is(API_GROUP, "Project") {
            sorted.projects.push(root);
        } else if test_case::is_test(&gvk) {
            sorted.tests.push(root);
        } else if gvk.group == API_GROUP || has_definitions && lower::is_slip(DIALECTS, &gvk) {
            sorted.definitions.push((root, document));
        } else {
            sorted.objects.push(Object { gvk, name, namespace, root, document });
        }
    }
    for object in sorted.objects.iter().filter(|it| it.gvk.version.is_empty()) {
        hidden.add(workspace.slice(object.document));
    }
    sorted.inputs.shrink_to_fit();
    sorted
}

/// Whether the document is an object of Kubernetes.
fn is_object(root: &Node) -> bool {
    let version = root.str_at(&["apiVersion"]);
    let is_own = version.is_some_and(|it| it.split('/').next() == Some(API_GROUP));
    version.is_some() && root.str_at(&["kind"]).is_some() && !is_own
}

fn is_definition(root: &Node) -> bool {
    let (api_version, kind) = (root.str_at(&["apiVersion"]), root.str_at(&["kind"]));
    api_version.zip(kind).is_some_and(|(api_version, kind)| {
        GroupVersionKind::new(api_version, kind)
            .is("apiextensions.k8s.io", "CustomResourceDefinition")
    })
}

/// The object of a document, in the form in which it is printed.
pub(super) fn object(root: Node, span: Span, kinds: &SharedKinds) -> Object {
    let InputObject { gvk, name, namespace, place } = InputObject::of(&root, span, kinds);
    Object { gvk, name, namespace, root, document: place }
}
