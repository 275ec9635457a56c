//! What happens in a cluster once a changed object is applied.

use crate::diag::FieldPath;
use crate::kube::Object;

/// The effect of a change on what runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Effect {
    /// The object is created.
    Created,
    /// The object stays in the cluster until it is deleted.
    Stays,
    /// Nothing that runs changes.
    Nothing,
    /// The change acts at once, and no Pod restarts.
    AtOnce,
    /// Pods restart.
    Restarts,
    /// Only what starts later uses the change.
    Later,
    /// The change waits for a person.
    Waits,
    /// The API server rejects the change: the object has to be replaced.
    Replaced,
    /// A controller that is not known here decides.
    Unknown,
}

impl Effect {
    /// A word for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Stays => "stays",
            Self::Nothing => "nothing",
            Self::AtOnce => "at-once",
            Self::Restarts => "restarts",
            Self::Later => "later",
            Self::Waits => "waits",
            Self::Replaced => "replaced",
            Self::Unknown => "unknown",
        }
    }
}

/// What happens once a changed object is applied.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The effect.
    pub effect: Effect,
    /// One line for people: `Pods restart`.
    pub text: String,
    /// What the line summarizes, one line for each fact.
    pub details: Vec<String>,
    /// The commands that a person runs, in order.
    pub commands: Vec<String>,
}

impl Outcome {
    /// An outcome without details and commands.
    pub(crate) fn new(effect: Effect, text: impl Into<String>) -> Self {
        Self { effect, text: text.into(), details: Vec::new(), commands: Vec::new() }
    }

    /// The same outcome with details.
    pub(crate) fn with_details(self, details: Vec<String>) -> Self {
        Self { details, ..self }
    }

    /// Adds a command, if there is one.
    pub(crate) fn run_some(mut self, command: Option<String>) -> Self {
        self.commands.extend(command);
        self
    }
}

/// A changed object: both forms of it, what differs, and all objects after the change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed<'c> {
    /// The object before.
    pub(crate) old: &'c Object,
    /// The object after.
    pub(crate) new: &'c Object,
    /// The paths of the fields that differ. A field of a list has the path of its item.
    pub(crate) paths: &'c [&'c FieldPath],
    /// All objects after the change.
    pub(crate) all: &'c [Object],
}

impl Changed<'_> {
    /// Whether a field at or below a path differs, or one that contains it.
    pub(crate) fn touches(&self, fields: &[&str]) -> bool {
        self.paths.iter().any(|path| path.starts_with(fields) || is_above(path, fields))
    }

    /// Whether each difference is at or below one of the paths.
    pub(crate) fn is_within(&self, allowed: &[&[&str]]) -> bool {
        self.paths.iter().all(|path| allowed.iter().any(|fields| path.starts_with(fields)))
    }
}

/// Whether a path leads to a value that contains the one at `fields`.
fn is_above(path: &FieldPath, fields: &[&str]) -> bool {
    let above = fields.get(..path.steps().len());
    above.is_some_and(|above| path.is(above))
}
