//! What a merge replaced, for "who set this field, and what did it replace?".

use crate::tree::{Origin, Path};

/// One value that gave way to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Replaced {
    /// The field: `spec.containers[0].image`.
    pub(crate) path: String,
    /// Who had set it.
    pub(crate) old: Origin,
    /// Who set it instead; for a union the member that drove it out.
    pub(crate) new: Origin,
}

/// A record of replacements, in the order in which they happened.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// The replacements; one field may be replaced by several layers in turn.
    pub(crate) replaced: Vec<Replaced>,
}

impl Trace {
    pub(super) fn record(&mut self, path: &Path<'_>, old: Origin, new: Origin) {
        self.replaced.push(Replaced { path: path.to_string(), old, new });
    }
}
