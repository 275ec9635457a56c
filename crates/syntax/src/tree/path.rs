//! `Path`: the path from an object's root to a node, as Kubernetes writes it.

use std::fmt;

use super::{Node, Value};
use crate::diag::{FieldPath, PathStep};

/// A path that grows and shrinks while a tree is traversed: `spec.containers[0].image`. It is only
/// formatted when a message needs it.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Root,
    Field(&'p str),
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    /// The root of an object, an empty path.
    #[must_use]
    pub const fn root() -> Self {
        Self { parent: None, step: Step::Root }
    }

    /// A field of a type: `.name`. An empty name means the object itself.
    #[must_use]
    pub fn field(&'p self, name: &'p str) -> Self {
        Self { parent: Some(self), step: Step::Field(shortened(name)) }
    }

    /// A key that the user chose: `[example.com/team]`.
    #[must_use]
    pub fn key(&'p self, name: &'p str) -> Self {
        Self { parent: Some(self), step: Step::Key(shortened(name)) }
    }

    /// An item of a list: `[0]`.
    #[must_use]
    pub const fn index(&'p self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index) }
    }
}

/// The maximum length of a step, in bytes. Reports truncate longer paths, and thousands of findings
/// can have the same steps.
const LONGEST_STEP: usize = 2_048;

/// The part of a step that a path has.
pub fn shortened(name: &str) -> &str {
    name.split_at(name.floor_char_boundary(LONGEST_STEP)).0
}

impl From<&Path<'_>> for FieldPath {
    fn from(path: &Path<'_>) -> Self {
        let parts = std::iter::successors(Some(path), |path| path.parent);
        // The innermost one is first.
        let mut parts: Vec<_> = parts.map(|path| path.step).collect();
        let mut steps = Vec::with_capacity(parts.len());
        while let Some(part) = parts.pop() {
            match part {
                Step::Root => {}
                Step::Field(name) if !name.is_empty() && !name.contains(['.', '[']) => {
                    steps.push(PathStep::Field(name.into()));
                }
                // A rule can name several fields at once: `template.metadata`.
                Step::Field(name) => steps.extend_from_slice(Self::from(name).steps()),
                Step::Key(name) => steps.push(PathStep::Key(name.into())),
                Step::Index(index) => steps.push(PathStep::Index(index)),
            }
        }
        steps.into_iter().collect()
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root | Step::Field("") => Ok(()),
            Step::Field(name) => {
                let is_first = self
                    .parent
                    .is_none_or(|parent| matches!(parent.step, Step::Root | Step::Field("")));
                if is_first { f.write_str(name) } else { write!(f, ".{name}") }
            }
            Step::Key(name) => write!(f, "[{name}]"),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl Node {
    /// The node at the end of a path.
    #[must_use]
    pub fn at_path(&self, path: &[PathStep]) -> Option<&Self> {
        path.iter().try_fold(self, |node, step| match step {
            PathStep::Field(key) | PathStep::Key(key) => node.get(key),
            PathStep::Index(index) => node.items().get(*index),
        })
    }

    /// The node at the end of a path, mutable.
    pub fn at_path_mut(&mut self, path: &[PathStep]) -> Option<&mut Self> {
        path.iter().try_fold(self, |node, step| match (&mut node.value, step) {
            (Value::Map(map), PathStep::Field(key) | PathStep::Key(key)) => map.get_mut(key),
            (Value::List(items), PathStep::Index(index)) => items.get_mut(*index),
            _ => None,
        })
    }

    /// Removes the entry or item at the end of a path, and returns its value.
    pub fn remove_at(&mut self, path: &[PathStep]) -> Option<Self> {
        let (last, owner) = path.split_last()?;
        match (&mut self.at_path_mut(owner)?.value, last) {
            (Value::Map(map), PathStep::Field(key) | PathStep::Key(key)) => {
                map.remove(key).map(|entry| entry.value)
            }
            (Value::List(items), PathStep::Index(index)) => {
                (*index < items.len()).then(|| items.remove(*index))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_fields_indexes_and_keys_as_kubernetes_does() {
        let root = Path::root();
        let spec = root.field("spec");
        let containers = spec.field("containers");
        let first = containers.index(0);
        assert_eq!(first.field("image").to_string(), "spec.containers[0].image");
        let metadata = root.field("metadata");
        let labels = metadata.field("labels");
        let label = labels.key("a/b");
        assert_eq!(label.to_string(), "metadata.labels[a/b]");
        assert_eq!(FieldPath::from(&label).to_string(), "metadata.labels[a/b]");
    }

    #[test]
    fn long_steps_are_truncated() {
        let root = Path::root();
        for (length, expected) in [(2_047, 2_047), (2_048, 2_048), (2_049, 2_048), (6_000, 2_048)] {
            let name = "x".repeat(length);
            assert_eq!(root.field(&name).to_string().len(), expected);
            assert_eq!(root.key(&name).to_string().len(), expected + "[]".len());
        }
        let accents = "é".repeat(2_048);
        assert_eq!(root.field(&accents).to_string(), "é".repeat(1_024));
    }
}
