//! Merges the Projects of several imported files, because an input can have only one.

use lean_string::LeanStr;

use crate::kube::Object;
use crate::lower::API_VERSION;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Entry, Node, Value};

/// Whether an object is a Project.
pub(crate) fn is_project(object: &Object) -> bool {
    object.gvk().kind() == "Project" && object.gvk().api_version() == API_VERSION
}

/// Merges the Projects into the first one. A Project with a different value for a field is kept.
pub(crate) fn merge(objects: &mut Vec<Object>) {
    let mut first: Option<(usize, Contents)> = None;
    for object in std::mem::take(objects) {
        let is_a_project = is_project(&object);
        match &mut first {
            Some((at, contents)) if is_a_project && contents.accepts(&object.root) => {
                if let Some(project) = objects.get_mut(*at) {
                    contents.add(&mut project.root, object.root);
                }
            }
            None if is_a_project => {
                first = Some((objects.len(), Contents::of(&object.root)));
                objects.push(object);
            }
            _ => objects.push(object),
        }
    }
}

/// The content of a Project, indexed so that merging many takes linear time.
enum Contents {
    /// The positions and contents of the entries, by key.
    Map(SortedMap<LeanStr, (usize, Self)>),
    /// The items of a list, by [`Node::identity`].
    List(SortedSet<String>),
    Scalar(String),
}

impl Contents {
    fn of(node: &Node) -> Self {
        match &node.value {
            Value::Map(map) => {
                let contents = |(at, entry): (usize, &Entry)| {
                    (entry.key.text().clone(), (at, Self::of(&entry.value)))
                };
                Self::Map(map.entries().iter().enumerate().map(contents).collect())
            }
            Value::List(items) => Self::List(items.iter().map(Node::identity).collect()),
            _ => Self::Scalar(node.identity()),
        }
    }

    /// Whether no field of the other Project has a different value.
    fn accepts(&self, other: &Node) -> bool {
        match (self, &other.value) {
            (Self::Map(known), Value::Map(others)) => others.entries().iter().all(|entry| {
                known.get(entry.key.text()).is_none_or(|(_, own)| own.accepts(&entry.value))
            }),
            (Self::List(_), Value::List(_)) => true,
            (Self::Scalar(own), _) => *own == other.identity(),
            _ => false,
        }
    }

    /// Adds what the other Project has in addition.
    fn add(&mut self, own: &mut Node, other: Node) {
        match (self, &mut own.value, other.value) {
            (Self::Map(known), Value::Map(map), Value::Map(others)) => {
                for entry in others.into_entries() {
                    if let Some((at, contents)) = known.get_mut(entry.key.text()) {
                        if let Some(value) = map.value_at(*at) {
                            contents.add(value, entry.value);
                        }
                    } else {
                        let contents = (map.entries().len(), Self::of(&entry.value));
                        known.insert(entry.key.text().clone(), contents);
                        map.push(entry);
                    }
                }
            }
            (Self::List(known), Value::List(items), Value::List(others)) => {
                let is_new = |node: &Node| !known.contains(&node.identity());
                let new: Vec<_> = others.into_iter().filter(is_new).collect();
                known.extend(new.iter().map(Node::identity));
                items.extend(new);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::import::{ImportOptions, import};
    use crate::source::Workspace;

    /// The specs of the Projects after the import of Projects with these specs.
    fn merged(specs: &[&str]) -> Vec<String> {
        let mut workspace = Workspace::new();
        for spec in specs {
            let envelope = "apiVersion: sandboxc.dev/v1alpha1, kind: Project, metadata: {name: p}";
            workspace.add("a.yaml", format!("{{{envelope}, spec: {spec}}}"));
        }
        let objects = import(&workspace, &ImportOptions::default()).objects;
        objects
            .iter()
            .map(|object| object.root().get("spec").unwrap().to_json().to_string())
            .collect()
    }

    #[test]
    fn projects_without_conflicts_become_one() {
        assert_eq!(
            merged(&["{a: {b: 1}, l: [{p: 1, q: 2}]}", "{a: {c: 2}, l: [3, {q: 2, p: 1}, 3]}"]),
            [r#"{"a":{"b":1,"c":2},"l":[{"p":1,"q":2},3,3]}"#]
        );
        assert_eq!(
            merged(&["{a: 1}", "{b: 2, a: 2}", "{c: 3}", "{a: [1]}", "{a: null}", "{c: 3, a: 1}"]),
            [r#"{"a":1,"c":3}"#, r#"{"b":2,"a":2}"#, r#"{"a":[1]}"#, r#"{"a":null}"#]
        );
    }
}
