//! The conversion of a system's objects of old versions.

use crate::convert::{Edits, Refused};
use crate::diag::{Diagnostic, declare_rules};
use crate::kube::Object;
use crate::sorted::SortedSet;
use crate::tree::Node;

declare_rules! {
    MIGRATION_DEFAULT = "migration-default", Note;
    MIGRATION_DOUBTFUL = "migration-doubtful", Warning;
    NOT_MIGRATED = "not-migrated", Error;
}

/// The conversion of a system's objects of old versions to the current one.
#[derive(Debug)]
pub(crate) struct Migration {
    /// Converts an object of the system. Returns whether it has an old version; if it cannot be
    /// converted, the object must not be used.
    pub(crate) convert: fn(&Object, &mut Edits<'_>, &mut MigrationCx<'_>) -> Result<bool, Refused>,
    /// The old versions that it converts.
    pub(crate) old_kinds: &'static [OldKind],
}

/// An old version of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OldKind {
    pub(crate) group: &'static str,
    pub(crate) version: &'static str,
    pub(crate) kind: &'static str,
    /// The version that replaces it.
    pub(crate) new_version: &'static str,
    /// Fields that have another path in the new version.
    pub(crate) moved: &'static [&'static str],
}

/// An object that the Project declares to exist in the cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ExternalObject {
    pub(crate) kind: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

/// The input of a conversion in addition to the object, and its results.
#[derive(Debug)]
pub(crate) struct MigrationCx<'i> {
    /// All objects of the input, in their versions.
    pub(crate) objects: &'i [Object],
    /// The objects that exist in the cluster.
    pub(crate) external: &'i [ExternalObject],
    /// The names of objects that were added for other objects of the run, by namespace.
    pub(crate) known: &'i SortedSet<(String, String)>,
    /// The objects that the converted one requires, as whole objects.
    pub(crate) added: Vec<Node>,
    /// What the author should review in the result.
    pub(crate) doubts: Vec<Diagnostic>,
}

impl MigrationCx<'_> {
    /// Whether the Project declares an object.
    pub(crate) fn is_external(&self, kind: &str, namespace: &str, name: &str) -> bool {
        self.external.iter().any(|external| {
            external.kind == kind
                && external.name == name
                && same_namespace(&external.namespace, namespace)
        })
    }
}

/// Whether two namespaces are the same; without one, an object is in the default namespace.
pub(crate) fn same_namespace(a: &str, b: &str) -> bool {
    let named = |text: &str| if text.is_empty() { "default".to_owned() } else { text.to_owned() };
    named(a) == named(b)
}
