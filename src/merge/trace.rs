//! The values that a merge replaced, with the origins of both values.

use crate::tree::{Origin, Path};

/// One replaced value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Replaced {
    /// The field: `spec.containers[0].image`.
    pub(crate) path: String,
    /// The origin of the old value.
    pub(crate) old: Origin,
    /// The origin of the new value; for a union, of the member that excluded it.
    pub(crate) new: Origin,
}

/// A record of replacements, in the order in which they happened.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// The replacements; several layers can replace one field in turn.
    pub(crate) replaced: Vec<Replaced>,
}

impl Trace {
    pub(super) fn record(&mut self, path: &Path<'_>, old: Origin, new: Origin) {
        self.replaced.push(Replaced { path: path.to_string(), old, new });
    }
}
