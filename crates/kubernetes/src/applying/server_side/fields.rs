//! Sets of fields, as `metadata.managedFields` has them: `fieldpath.Set` in Go.

use std::fmt::{self, Display, Formatter};

use serde_json::Value as Json;

use super::typed::Typed;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Node;

/// A scalar that identifies an item of a list, in the order of Go.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scalar {
    /// An integer.
    Int(i64),
    /// A string.
    Text(String),
    /// A boolean.
    Bool(bool),
    /// Another value, as JSON.
    Other(String),
}

impl Scalar {
    pub(super) fn of(json: &Json) -> Self {
        match (json.as_i64(), json) {
            (Some(number), _) => Self::Int(number),
            (_, Json::String(text)) => Self::Text(text.clone()),
            (_, Json::Bool(is_set)) => Self::Bool(*is_set),
            _ => Self::Other(json.to_string()),
        }
    }
}

impl Display for Scalar {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(out, "{number}"),
            Self::Text(text) => write!(out, "{text:?}"),
            Self::Bool(is_set) => write!(out, "{is_set}"),
            Self::Other(json) => out.write_str(json),
        }
    }
}

/// A step of the path of a field: `fieldpath.PathElement` in Go.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    /// A field of a map.
    Field(String),
    /// The item of a list with these keys, sorted by their names.
    Keys(Vec<(String, Scalar)>),
    /// The item of a set.
    Value(Scalar),
    /// The item at an index.
    Index(i64),
}

impl Step {
    /// Reads a step as `fieldsV1` has it: `f:spec`, `k:{"name":"a"}`.
    fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(':')?;
        let json = || serde_json::from_str::<Json>(rest).ok();
        match kind {
            "f" => Some(Self::Field(rest.to_owned())),
            "v" => Some(Self::Value(Scalar::of(&json()?))),
            "i" => rest.parse().ok().map(Self::Index),
            "k" => {
                let json = json()?;
                let keys = json.as_object()?.iter();
                let mut keys: Vec<_> =
                    keys.map(|(name, value)| (name.clone(), Scalar::of(value))).collect();
                keys.sort();
                Some(Self::Keys(keys))
            }
            _ => None,
        }
    }
}

impl Display for Step {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(out, ".{name}"),
            Self::Value(value) => write!(out, "[={value}]"),
            Self::Index(index) => write!(out, "[{index}]"),
            Self::Keys(keys) => {
                let keys: Vec<_> =
                    keys.iter().map(|(name, value)| format!("{name}={value}")).collect();
                write!(out, "[{}]", keys.join(","))
            }
        }
    }
}

/// A path as the API server prints it: `.spec.containers[name="c"].image`.
pub(super) fn shown_path(path: &[Step]) -> String {
    path.iter().map(ToString::to_string).collect()
}

/// A set of fields. A field is a member alone: not what is below or above it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FieldSet {
    members: SortedSet<Step>,
    children: SortedMap<Step, Self>,
}

impl FieldSet {
    /// Reads `fieldsV1`; `None` if it is not a set of fields.
    #[must_use]
    pub fn parse(fields: &Node) -> Option<Self> {
        let mut set = Self::default();
        for entry in fields.as_map()?.entries() {
            // A dot is the field itself, which the owner of this set has read.
            if entry.key() == "." {
                continue;
            }
            let (step, below) = (Step::parse(entry.key())?, entry.value());
            let child = Self::parse(below)?;
            if below.entries().is_empty() || below.get(".").is_some() {
                set.members.insert(step.clone());
            }
            if !child.is_empty() {
                set.children.insert(step, child);
            }
        }
        Some(set)
    }

    /// Whether it has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.iter().next().is_none() && self.children.values().all(Self::is_empty)
    }

    /// Adds a field. The whole object is not a field.
    pub(super) fn insert(&mut self, path: &[Step]) {
        match path {
            [] => {}
            [step] => drop(self.members.insert(step.clone())),
            [step, rest @ ..] => self.children.entry(step.clone()).or_default().insert(rest),
        }
    }

    pub(super) fn has(&self, step: &Step) -> bool {
        self.members.contains(step)
    }

    /// Whether it has the field with a path.
    #[must_use]
    pub fn contains(&self, path: &[Step]) -> bool {
        match path {
            [] => false,
            [step] => self.has(step),
            [step, rest @ ..] => self.below(step).is_some_and(|below| below.contains(rest)),
        }
    }

    /// The fields below a step.
    pub(super) fn below(&self, step: &Step) -> Option<&Self> {
        self.children.get(step).filter(|below| !below.is_empty())
    }

    pub(super) fn union(mut self, other: &Self) -> Self {
        for step in &other.members {
            self.members.insert(step.clone());
        }
        for (step, below) in &other.children {
            let mine = self.children.entry(step.clone()).or_default();
            *mine = std::mem::take(mine).union(below);
        }
        self
    }

    pub(super) fn intersection(&self, other: &Self) -> Self {
        let members = self.members.intersection(&other.members).cloned().collect();
        let both = self.children.iter().filter_map(|(step, below)| {
            let both = below.intersection(other.children.get(step)?);
            (!both.is_empty()).then(|| (step.clone(), both))
        });
        Self { members, children: both.collect() }
    }

    pub(super) fn difference(&self, other: &Self) -> Self {
        let members = self.members.difference(&other.members).cloned().collect();
        let rest = self.children.iter().filter_map(|(step, below)| {
            let rest = match other.children.get(step) {
                Some(other) => below.difference(other),
                None => below.clone(),
            };
            (!rest.is_empty()).then(|| (step.clone(), rest))
        });
        Self { members, children: rest.collect() }
    }

    /// The set with the fields of structs that only have members below them
    /// (`EnsureNamedFieldsAreMembers`).
    pub(super) fn with_named_fields(&self, ty: Typed<'_>) -> Self {
        let mut members = self.members.clone();
        let children = self.children.iter().map(|(step, below)| {
            let (ty, is_named) = ty.below(step);
            if is_named {
                members.insert(step.clone());
            }
            (step.clone(), below.with_named_fields(ty))
        });
        let children = children.collect();
        Self { members, children }
    }

    /// Calls a function with the path of each field.
    pub(super) fn for_each(&self, visit: &mut impl FnMut(&[Step])) {
        self.walk(&mut Vec::new(), visit);
    }

    fn walk(&self, path: &mut Vec<Step>, visit: &mut impl FnMut(&[Step])) {
        for step in &self.members {
            path.push(step.clone());
            visit(path);
            path.pop();
        }
        for (step, below) in &self.children {
            path.push(step.clone());
            below.walk(path, visit);
            path.pop();
        }
    }
}
