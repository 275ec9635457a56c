//! Outlines: reduced trees of objects of which an input may have thousands.
//!
//! A tree takes several times the memory of its source. If only findings are required, a Pod or a
//! Job is reduced to the fields that the rules for all objects together read, and its source is
//! parsed again when the object is checked.

use std::borrow::Cow;
use std::sync::Arc;

use super::Object;
use crate::source::Workspace;
use crate::tree::{Node, Value};
use crate::yaml;

/// The parts of a value that are kept.
enum Kept {
    /// All of it.
    All,
    /// These fields of a map.
    Fields(&'static [(&'static str, Self)]),
    /// The items of a list, and this of each.
    Items(&'static Self),
}
use Kept::{All, Fields, Items};

const METADATA: Kept = Fields(&[("name", All), ("namespace", All), ("labels", All)]);
/// Services refer to the ports of Pods by name.
const CONTAINER: Kept = Fields(&[("ports", Items(&Fields(&[("name", All)])))]);
const POD_SPEC: Kept = Fields(&[
    ("initContainers", Items(&CONTAINER)),
    ("containers", Items(&CONTAINER)),
    ("ephemeralContainers", Items(&CONTAINER)),
]);
const TEMPLATE: Kept = Fields(&[("metadata", METADATA), ("spec", POD_SPEC)]);
const POD: Kept =
    Fields(&[("apiVersion", All), ("kind", All), ("metadata", METADATA), ("spec", POD_SPEC)]);
const JOB: Kept = Fields(&[
    ("apiVersion", All),
    ("kind", All),
    ("metadata", METADATA),
    ("spec", Fields(&[("template", TEMPLATE)])),
]);

/// Reduces a document to its outline, if its kind has one. Returns whether it did.
pub fn outline(root: &mut Node) -> bool {
    let text = |key| root.str_at(&[key]).unwrap_or_default();
    let (kept, spec) = match (text("apiVersion"), text("kind")) {
        ("v1", "Pod") => (&POD, root.get("spec")),
        ("batch/v1", "Job") => (&JOB, root.at(&["spec", "template", "spec"])),
        _ => return false,
    };
    // Selectors in it are about other objects.
    let is_about_others = |spec: &Node| {
        ["affinity", "topologySpreadConstraints"].iter().any(|field| spec.get(field).is_some())
    };
    if spec.is_none_or(is_about_others) {
        return false;
    }
    reduce(root, kept);
    root.shrink_to_fit();
    true
}

fn reduce(node: &mut Node, kept: &Kept) {
    match (&mut node.value, kept) {
        (Value::Map(map), Fields(fields)) => map.edit(|entries| {
            entries.retain_mut(|entry| {
                let field = fields.iter().find(|(name, _)| entry.key == *name);
                field.inspect(|(_, kept)| reduce(&mut entry.value, kept)).is_some()
            });
        }),
        (Value::List(items), Items(kept)) => items.iter_mut().for_each(|item| reduce(item, kept)),
        _ => {}
    }
}

impl Object {
    /// The complete object, parsed again if `root` is an outline.
    pub fn whole(&self, texts: &Workspace) -> Cow<'_, Self> {
        let read = self.outline_of.and_then(|body| {
            let body = texts.locate(body);
            yaml::read_again(texts.file(body.file).text(), body)
        });
        match read {
            None => Cow::Borrowed(self),
            Some(root) => Cow::Owned(Self {
                gvk: Arc::clone(&self.gvk),
                name: self.name.clone(),
                namespace: self.namespace.clone(),
                root,
                document: self.document,
                outline_of: None,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sink;
    use crate::source::Span;

    fn read(text: &str) -> Node {
        let mut workspace = Workspace::new();
        let file = workspace.add("x.yaml", text);
        let mut documents = yaml::documents(file, text, |_| {}, &mut Sink::unused()).read;
        documents.remove(0).root
    }

    #[test]
    fn an_outline_has_names_labels_and_named_ports() {
        let mut pod = read(
            "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {b: c}, annotations: {d: e}}\n\
             spec: {hostNetwork: true, containers: [{image: f, ports: [{name: g, hostPort: 1}]}]}\n",
        );
        assert!(outline(&mut pod));
        let expected = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {b: c}}\n\
                        spec: {containers: [{ports: [{name: g}]}]}\n";
        assert!(pod.same_value(&read(expected)), "{pod:?}");
    }

    #[test]
    fn objects_that_affect_others_are_kept_whole() {
        for text in [
            "apiVersion: v1\nkind: Pod\nspec: {affinity: {}}\n",
            "apiVersion: v1\nkind: Pod\n",
            "apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: {}}}\n",
            "apiVersion: batch/v1\nkind: Job\n\
             spec: {template: {spec: {topologySpreadConstraints: []}}}\n",
        ] {
            let whole = read(text);
            let mut node = whole.clone();
            assert!(!outline(&mut node));
            assert_eq!(node, whole);
        }
    }

    #[test]
    fn reading_again_returns_the_same_object() {
        let text = "# a\n---\n# b\n  apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n  spec: {a: |+\n   \n\n";
        for text in [text, "---\nkind: Pod\napiVersion: v1\nspec:\n  a: |+\n    x\n\n\n---\na: b\n"]
        {
            let mut workspace = Workspace::new();
            let file = workspace.add("x.yaml", text);
            for document in yaml::documents(file, text, |_| {}, &mut Sink::unused()).read {
                let Some(body) = document.body else { continue };
                assert_eq!(yaml::read_again(text, body.within(file)), Some(document.root));
                assert_ne!(body, Span::new(file, 0, 0));
            }
        }
    }
}
