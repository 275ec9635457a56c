//! The import of a system's custom resources as definitions.

use crate::convert::Refused;
use crate::diag::{Diagnostic, declare_rules};
use crate::tree::Node;

declare_rules! {
    IMPORT_DEFAULT = "import-default", Note;
    IMPORT_KEPT = "import-kept", Note;
}

/// The import of custom resources as definitions. The result is built and compared with the resource, so
/// a definition that would be another object is not used.
#[derive(Debug)]
pub(crate) struct Adoption {
    /// The groups of the custom resources.
    pub(crate) groups: &'static [&'static str],
    /// The kind of a resource that controllers create, whose owner is this resource.
    pub(crate) owners: &'static [&'static str],
    /// The definition of a resource in its current version. Writes out in the resource what a definition
    /// always has, with findings. If there is no definition, the resource is kept.
    pub(crate) definition: fn(&mut Node, &mut Vec<Diagnostic>) -> Result<Node, Refused>,
    /// The labels and annotations that controllers set, which are left out.
    pub(crate) set_by_controllers: &'static [&'static str],
    /// The kind of definitions that others can extend.
    pub(crate) base: &'static str,
}
