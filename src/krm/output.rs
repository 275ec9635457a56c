//! Writes the list that a function returns.

use serde_json::json;

use super::annotations::{self, KUSTOMIZE_ID, PATHS};
use super::function::API_VERSION;
use super::list::{ItemPart, ResourceList, print_to_text};
use super::results::ListResults;
use crate::diag::Sink;
use crate::kube::{GroupVersionKind, Object};
use crate::lower::is_of_language;
use crate::rewrite::{new_origin, rewrite};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, Workspace};
use crate::tree::{Node, Origin, Value};
use crate::yaml;

/// What the items and the function compiled to.
#[derive(Clone, Copy, Debug)]
pub struct Built<'b> {
    workspace: &'b Workspace,
    parts: &'b [ItemPart],
    objects: &'b [Object],
}

impl<'b> Built<'b> {
    /// The objects of a compilation whose first files are the items, in order.
    #[must_use]
    pub const fn new(
        workspace: &'b Workspace,
        parts: &'b [ItemPart],
        objects: &'b [Object],
    ) -> Self {
        Self { workspace, parts, objects }
    }

    /// The positions of the items by their files.
    pub(super) fn items(workspace: &Workspace, parts: &[ItemPart]) -> SortedMap<FileId, usize> {
        workspace.ids().zip(parts).map(|(file, part)| (file, part.index)).collect()
    }

    /// The objects of each item, and those of the function.
    fn by_item(&self) -> (SortedMap<usize, Vec<&'b Object>>, Vec<&'b Object>) {
        let items = Self::items(self.workspace, self.parts);
        let (mut of_items, mut others) = (SortedMap::<_, Vec<_>>::new(), Vec::new());
        for object in self.objects {
            match items.get(&self.workspace.file_at(object.document()).id()) {
                Some(index) => of_items.entry(*index).or_default().push(object),
                None => others.push(object),
            }
        }
        (of_items, others)
    }
}

/// Group, kind, namespace and name of an object.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key([String; 4]);

impl Key {
    fn of(object: &Object) -> Self {
        let gvk = object.gvk();
        Self([gvk.group(), gvk.kind(), object.namespace(), object.name()].map(str::to_owned))
    }

    fn of_node(root: &Node) -> Self {
        let text = |path: &[&str]| root.text_at(path);
        let gvk = GroupVersionKind::new(text(&["apiVersion"]), text(&["kind"]));
        let [namespace, name] = ["namespace", "name"].map(|field| text(&["metadata", field]));
        Self([gvk.group(), gvk.kind(), namespace, name].map(str::to_owned))
    }
}

impl ResourceList {
    /// The list with its items as they are.
    #[must_use]
    pub fn unchanged(&self, results: &ListResults) -> String {
        let items = self.items().to_vec();
        self.written(items, results)
    }

    /// The result of a check without errors.
    ///
    /// kustomize adds an annotation to each item that a function returns, and then rejects its own
    /// change by a validator. It ignores other objects that a validator returns, and keeps its own.
    /// A transformer would replace all objects with those: an object that no cluster accepts is safer
    /// than none, which would be pruned.
    #[must_use]
    pub fn checked(&self, results: &ListResults) -> String {
        let is_of_kustomize = |node: &Node| annotations::first_of(node, &[KUSTOMIZE_ID]).is_some();
        if !self.items().iter().any(is_of_kustomize) {
            return self.unchanged(results);
        }
        let marker = json!({
            "apiVersion": API_VERSION,
            "kind": "Check",
            "metadata": {"name": "list-this-function-under-validators-not-transformers"},
        });
        self.written(vec![Node::from_json(marker, self.origin())], results)
    }

    /// The list with each definition replaced by its objects, and with those of the function at its
    /// end. A definition that is never applied stays. `earlier` are the positions of items that objects
    /// replace.
    #[must_use]
    pub fn built(&self, built: Built<'_>, earlier: &[usize], results: &ListResults) -> String {
        let (of_items, others) = built.by_item();
        let earlier: SortedMap<_, _> = earlier
            .iter()
            .filter_map(|at| self.items().get(*at))
            .map(|item| (Key::of_node(item), annotations::first_of(item, &PATHS)))
            .collect();
        let path = |object: &Object| earlier.get(&Key::of(object)).copied().flatten();
        let mut items = Vec::new();
        for (index, item) in self.items().iter().enumerate() {
            let objects = of_items.get(&index).map_or(&[][..], Vec::as_slice);
            if self.is_kept(item) {
                items.push(item.clone());
                items.extend(objects.iter().map(|object| self.item(object, path(object))));
            } else if is_of_language(item) {
                let path = annotations::first_of(item, &PATHS);
                items.extend(objects.iter().map(|object| self.item(object, path)));
            } else if let [object] = objects
                && !object.root.same_value(item)
            {
                // Its expressions were evaluated.
                items.push(Node::from_json(object.root.to_json(), self.origin()));
            } else if earlier.is_empty() || !earlier.contains_key(&Key::of_node(item)) {
                items.push(item.clone());
            }
        }
        items.extend(others.iter().map(|other| self.item(other, path(other))));
        self.written(items, results)
    }

    /// The positions of the items that objects of an earlier run are: the function, and definitions that
    /// stay, compile to objects with their names.
    #[must_use]
    pub fn earlier(&self, built: Built<'_>) -> Vec<usize> {
        let (of_items, others) = built.by_item();
        let kept = self.items().iter().enumerate().filter(|(_, item)| self.is_kept(item));
        let of_kept = kept.filter_map(|(index, _)| of_items.get(&index)).flatten();
        let names: SortedSet<_> = others.iter().chain(of_kept).copied().map(Key::of).collect();
        let is_earlier = |(_, objects): &(&usize, &Vec<&Object>)| match objects[..] {
            [only] => !only.is_compiled() && names.contains(&Key::of(only)),
            _ => false,
        };
        of_items.iter().filter(is_earlier).map(|(index, _)| *index).collect()
    }

    /// Whether an item stays although it is a definition: it is never applied.
    fn is_kept(&self, item: &Node) -> bool {
        self.is_config(item) || annotations::is_local(item)
    }

    /// A compiled object as an item, in the file of its definition if that is known. Who runs the
    /// function sets the position in it.
    fn item(&self, object: &Object, path: Option<&str>) -> Node {
        let mut node = Node::from_json(object.root.to_json(), self.origin());
        annotations::remove_of_run(&mut node);
        let Some(path) = path else { return node };
        let Some(metadata) = node.get_mut("metadata") else { return node };
        if metadata.get("annotations").is_none() {
            metadata.set("annotations", Node::map(self.origin()));
        }
        if let Some(annotations) = metadata.get_mut("annotations") {
            annotations.set_all(PATHS.map(|key| (key, Node::string(path, self.origin()))));
        }
        node
    }

    fn origin(&self) -> Origin {
        new_origin(self.root.span())
    }

    /// The text with other items: what is kept keeps its comments and its layout, because who reads it
    /// writes it back to files.
    fn written(&self, items: Vec<Node>, ListResults { results }: &ListResults) -> String {
        let mut root = self.root.clone();
        let old = self.root.entry("items");
        let mut list = Node::list(items, old.map_or(self.origin(), |entry| entry.value.origin()));
        let is_rewritten = !self.items().is_empty() && !list.items().is_empty();
        if !is_rewritten {
            list = Node::list(list.into_items(), self.origin());
        }
        if let Some(Value::List(_)) = root.get("items").map(|it| &it.value)
            && let Some(items) = root.get_mut("items")
        {
            *items = list;
        } else {
            root.set("items", list);
        }
        if let Some(map) = root.as_map_mut() {
            map.remove("results");
        }
        if !results.is_empty() {
            root.set("results", Node::from_json(json!(results), self.origin()));
        }
        if root.same_value(&self.root) {
            return self.source.text.clone();
        }
        self.rewritten(&root).filter(|_| is_rewritten).unwrap_or_else(|| print_to_text(&root))
    }

    /// The text after the edit that makes it `root`, if the source can be edited.
    fn rewritten(&self, root: &Node) -> Option<String> {
        let edit = rewrite(self.source.file, &self.source.text, &self.root, root)?;
        let mut text = self.source.text.clone();
        text.replace_range(edit.range, &edit.text);
        let mut sink = Sink::new();
        let read = yaml::documents(self.source.file, &text, &mut sink).read;
        let is_intended = matches!(read.as_slice(), [only] if only.root.same_value(root));
        (is_intended && sink.reported().is_none()).then_some(text)
    }
}
