//! `FieldPath`: the path of a field, as a list of steps.

use std::fmt;
use std::sync::Arc;

/// The path from an object's root to a field, written as `spec.containers[0].image`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FieldPath(Arc<[PathStep]>);

/// One step of a [`FieldPath`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PathStep {
    /// A field of a type: `.image`.
    Field(Box<str>),
    /// A key that the author chose: `[example.com/team]`.
    Key(Box<str>),
    /// An item of a list: `[0]`.
    Index(usize),
}

impl FieldPath {
    /// The steps from the root.
    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.0
    }

    /// Appends the path of a nested field.
    #[must_use]
    pub fn join(&self, below: &Self) -> Self {
        self.0.iter().chain(&*below.0).cloned().collect()
    }

    /// The path of the object with the last field, without indexes and keys after that field.
    #[must_use]
    pub fn owner(&self) -> &[PathStep] {
        owner(&self.0)
    }

    /// The name of the last field.
    #[must_use]
    pub fn last_field(&self) -> Option<&str> {
        self.fields().next_back()
    }

    /// The names of the fields on the path.
    pub fn fields(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().filter_map(PathStep::field)
    }

    /// Whether the path begins with these fields.
    #[must_use]
    pub fn starts_with(&self, fields: &[&str]) -> bool {
        let mut steps = self.0.iter().map(PathStep::field);
        fields.iter().all(|field| steps.next() == Some(Some(*field)))
    }

    /// Whether the path consists of these fields.
    #[must_use]
    pub fn is(&self, fields: &[&str]) -> bool {
        self.0.len() == fields.len() && self.starts_with(fields)
    }
}

/// The part of a path before its last field.
pub fn owner(steps: &[PathStep]) -> &[PathStep] {
    let last = steps.iter().rposition(|step| step.field().is_some());
    last.and_then(|last| steps.get(..last)).unwrap_or_default()
}

impl PathStep {
    /// The name of the field or the key.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Field(name) | Self::Key(name) => Some(name),
            Self::Index(_) => None,
        }
    }

    /// The name of the field, if the step is a field.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Field(name) => Some(name),
            Self::Key(_) | Self::Index(_) => None,
        }
    }
}

impl FromIterator<PathStep> for FieldPath {
    fn from_iter<I: IntoIterator<Item = PathStep>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl From<&str> for FieldPath {
    /// Parses a path. A key ends at the first `]` before a `.`, a `[` or the end.
    fn from(text: &str) -> Self {
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let step = if let Some(inside) = rest.strip_prefix('[') {
                let end = end_of_key(inside);
                let key = inside.get(..end).unwrap_or(inside);
                rest = inside.get(end + 1..).unwrap_or("");
                key.parse().map_or_else(|_| PathStep::Key(key.into()), PathStep::Index)
            } else {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                rest = after;
                PathStep::Field(name.into())
            };
            steps.push(step);
            rest = rest.strip_prefix('.').unwrap_or(rest);
        }
        steps.into_iter().collect()
    }
}

fn end_of_key(text: &str) -> usize {
    let ends = text.match_indices(']').map(|(at, _)| at);
    let mut ends = ends.filter(|at| {
        text.get(at + 1..).is_none_or(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    });
    ends.next().unwrap_or(text.len())
}

impl From<&&str> for FieldPath {
    fn from(text: &&str) -> Self {
        Self::from(*text)
    }
}

impl From<&String> for FieldPath {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&Self> for FieldPath {
    fn from(path: &Self) -> Self {
        path.clone()
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                PathStep::Field(name) if at == 0 => f.write_str(name)?,
                PathStep::Field(name) => write!(f, ".{name}")?,
                PathStep::Key(key) => write!(f, "[{key}]")?,
                PathStep::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_display_as_they_were_parsed() {
        for text in [
            "",
            "spec",
            "spec.containers[0].image",
            "metadata.labels[example.com/team]",
            "spec.matrix[0][1].x",
            "metadata.annotations[a]b]",
            "[0].name",
        ] {
            assert_eq!(FieldPath::from(text).to_string(), text);
        }
    }

    #[test]
    fn a_path_knows_its_owner() {
        let owner = |text: &str| {
            FieldPath::from(text).owner().iter().cloned().collect::<FieldPath>().to_string()
        };
        assert_eq!(owner("spec.containers[0].image"), "spec.containers[0]");
        assert_eq!(owner("spec.containers[0]"), "spec");
        assert_eq!(owner("metadata.labels[example.com/team]"), "metadata");
        assert_eq!(owner("spec"), "");
    }

    #[test]
    fn a_path_knows_its_fields() {
        let path = FieldPath::from("spec.template.metadata.labels[app]");
        assert!(path.starts_with(&["spec", "template"]) && !path.starts_with(&["template"]));
        assert!(!path.is(&["spec", "template", "metadata", "labels"]));
        assert!(FieldPath::from("metadata.name").is(&["metadata", "name"]));
        assert_eq!(path.last_field(), Some("labels"));
    }
}
