//! What a finding is about and what it can follow from, as data.
//!
//! `consequence.rs` decides by these alone which findings are left out. Messages are for readers.

use super::field_path::FieldPath;
use crate::source::Span;

/// What a finding is about, as far as other findings can follow from it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum About {
    /// Nothing that another finding follows from.
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
    /// A key that its map has more than once.
    DuplicateKey {
        /// The key.
        key: Box<str>,
        /// The first entry, which counts.
        kept: Span,
    },
    /// A key of labels or annotations that Kubernetes rejects.
    InvalidKey,
    /// The kind or the version of the object: its fields are unknown.
    UnknownKind,
    /// An object that has the kind, the namespace and the name of another one.
    DuplicateObject(ObjectName),
    /// An object with an invalid name, and the valid name that is nearest to it.
    InvalidName(ObjectName),
    /// A reference to an object that is not in the input.
    AbsentObject(ObjectName),
    /// A mount of a volume that the Pod does not have.
    AbsentVolume(Box<str>),
    /// A volume claim template without a usable name, and the valid name that is nearest to it.
    UnnamedVolumeClaim(Option<Box<str>>),
}

/// What the author of an unknown field meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meant {
    /// Another field of the same object.
    Field(Box<str>),
    /// A field with the same name below another field of the same object: the path to that.
    Inside(FieldPath),
    /// A field of another object.
    Elsewhere,
}

/// What identifies an object in a cluster.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ObjectName {
    /// The API group, empty for the core group.
    pub(crate) group: Box<str>,
    /// The kind.
    pub(crate) kind: Box<str>,
    /// The namespace, empty for none.
    pub(crate) namespace: Box<str>,
    /// The name.
    pub(crate) name: Box<str>,
}

impl ObjectName {
    /// The name of an object.
    pub(crate) fn new(group: &str, kind: &str, namespace: &str, name: &str) -> Self {
        let [group, kind, namespace, name] = [group, kind, namespace, name].map(Box::from);
        Self { group, kind, namespace, name }
    }
}

/// What a finding of a rule can follow from. Each of these is an error in an object that the finding
/// points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// What is missing was written elsewhere: a field that is misspelled or at the wrong level, a value of
    /// the wrong type, a duplicate key, or a kind whose fields are unknown.
    Misplaced,
    /// A part of the object that cannot be understood: an unknown field of which it is known what was
    /// meant, a value of the wrong type, a duplicate key, a mount without a volume.
    Structure,
    /// A selector, or labels that can be selected.
    Selection,
    /// A selector, or labels other than those of the object itself: a workload selects the labels of its
    /// template.
    TemplateSelection,
    /// A second object with the same name.
    DuplicateObject,
    /// Another error at the same place.
    SamePlace,
    /// A volume claim template of which it is unknown which volume it makes.
    VolumeClaim,
    /// The object that a reference names, under an invalid or a duplicate name.
    ObjectName,
}
