//! The subject of a finding and its possible causes, as data.
//!
//! `consequence.rs` only uses these to decide which findings are left out. Messages are for
//! readers.

use lean_string::LeanStr;

use super::field_path::{FieldPath, PathStep, owner};
use crate::source::Span;

/// The subject of a finding, as far as other findings can follow from it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum About {
    /// A subject from which no other finding follows.
    #[default]
    Other,
    /// A required field that the object at the finding's path does not have.
    MissingField(Box<str>),
    /// `metadata.name`, which the object does not have.
    MissingName,
    /// The last field of the finding's path, which its owner does not have.
    UnknownField(Option<Meant>),
    /// The value at the finding's path, which is of another type.
    WrongType,
    /// A duplicate key in a map.
    DuplicateKey {
        /// The key.
        key: Box<str>,
        /// The first entry, which is used.
        kept: Span,
    },
    /// A key of labels or annotations that Kubernetes rejects.
    InvalidKey,
    /// The kind or the version of the object: its fields are unknown.
    UnknownKind,
    /// An object with the kind, namespace and name of another one.
    DuplicateObject(ObjectName),
    /// An object with an invalid name, and the nearest valid name.
    InvalidName(ObjectName),
    /// A reference to an object that is not in the input.
    AbsentObject(ObjectName),
    /// A reference to a key that the data of an object of the input does not have.
    AbsentDataKey,
    /// A name in an expression that no value defines.
    UndefinedName,
    /// A mount of a volume that the Pod does not have.
    AbsentVolume(Box<str>),
    /// A volume claim template without a valid name, and the nearest valid name.
    UnnamedVolumeClaim(Option<Box<str>>),
}

/// The intended field of an unknown one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meant {
    /// Another field of the same object.
    Field(Box<str>),
    /// A field with the same name below another field of the same object, with the path of that
    /// one.
    Inside(FieldPath),
    /// A field of this object next to the one that has the unknown field: `spec` for a field in
    /// `metadata`.
    Sibling(Box<str>),
    /// A field of another object.
    Elsewhere,
}

impl Meant {
    /// Whether a path leads into the field that is misspelled in the object at path `at`, or into
    /// the field next to that object.
    #[must_use]
    pub fn contains(&self, at: &[PathStep], path: &FieldPath) -> bool {
        let (name, at) = match self {
            Self::Field(name) => (name, at),
            Self::Sibling(name) => (name, owner(at)),
            Self::Inside(_) | Self::Elsewhere => return false,
        };
        let below = path.steps().strip_prefix(at);
        below.and_then(|it| it.first()).is_some_and(|step| step.field() == Some(name))
    }

    /// Whether correcting the unknown field sets this field.
    #[must_use]
    pub fn brings(&self, field: &str) -> bool {
        match self {
            Self::Field(name) | Self::Sibling(name) => **name == *field,
            Self::Inside(path) => path.fields().next() == Some(field),
            Self::Elsewhere => false,
        }
    }
}

/// The identity of an object in a cluster.
///
/// The name is compared first: of many objects, most have the same group, kind and namespace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ObjectName {
    /// The name.
    pub name: LeanStr,
    /// The namespace, empty for none.
    pub namespace: LeanStr,
    /// The kind.
    pub kind: LeanStr,
    /// The API group, empty for the core group.
    pub group: LeanStr,
}

impl ObjectName {
    /// The name of an object.
    pub fn new(group: &str, kind: &str, namespace: &str, name: &str) -> Self {
        let [name, namespace, kind, group] = [name, namespace, kind, group].map(LeanStr::from);
        Self { name, namespace, kind, group }
    }
}

/// A common cause of several findings of a rule, whose correction resolves all of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CommonCause {
    /// The value here.
    Value(Span),
    /// A kind: its group and its name.
    Kind(Box<str>, Box<str>),
    /// A key of labels or annotations.
    Key(Box<str>),
    /// A variable that is still to be substituted.
    Placeholder(Box<str>),
    /// An expression of a policy, and the message of its decision.
    Decision(Span, Box<str>),
    /// What a kustomization can add to its resources.
    Kustomization,
    /// The program that wrote the file here. Each finding has its own edit.
    Writer(Span),
}

/// The errors that a finding of a rule can follow from. Each of these is an error in an object that
/// the finding points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The missing field was written elsewhere: a misspelled field or one at the wrong level, a
    /// value of the wrong type, a duplicate key, or a kind whose fields are unknown.
    Misplaced,
    /// A part of the object that cannot be interpreted: an unknown field with a known correction, a
    /// value of the wrong type, a duplicate key, a mount without a volume.
    Structure,
    /// A selector, or labels that can be selected.
    Selection,
    /// A selector, or labels other than those of the object itself: a workload selects the labels of its
    /// template.
    TemplateSelection,
    /// A second object with the same name.
    DuplicateObject,
    /// Another error at the same span.
    SamePlace,
    /// A volume claim template whose volume is unknown.
    VolumeClaim,
    /// The object that a reference names, under an invalid or a duplicate name.
    ObjectName,
    /// A setting of a Project that cannot be read.
    Project,
}
