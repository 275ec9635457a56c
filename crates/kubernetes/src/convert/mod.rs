//! Conversion of objects of removed and deprecated versions to the version that replaces them.
//!
//! The changes are those of Kubernetes' own conversion (`pkg/apis/*/*/conversion.go`), which the API
//! server applied while it served both versions. If the new version has another default for an absent
//! field, the old default is written, so the object keeps its meaning. The nodes of the source keep their
//! origins: only what changes is new.

mod access;
mod admission;
mod autoscaler;
mod definition;
mod devices;
mod edits;
mod ingress;
mod small;
mod table;
mod workloads;

use crate::scalar::KubernetesVersion;
use crate::schema::store;

pub use self::edits::{Edits, Refused};
pub use self::table::{conversion, current, groups, is_gone, replacement};

/// The conversion of the objects of a kind in one version.
#[derive(Debug)]
pub struct Conversion {
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    /// The `apiVersion` of the result.
    pub to: &'static str,
    change: fn(&mut Edits<'_>) -> Result<(), Refused>,
}

impl Conversion {
    /// Whether a target version has the result.
    #[must_use]
    pub fn is_in(&self, target: KubernetesVersion) -> bool {
        let (group, version) = self.to.split_once('/').unwrap_or(("", self.to));
        store::kind(group, version, self.kind).is_some_and(|kind| kind.versions.contains(target))
    }

    /// Converts an object.
    ///
    /// # Errors
    /// If the new version cannot express it. The object must not be used then.
    pub fn convert(&self, edits: &mut Edits<'_>) -> Result<(), Refused> {
        edits.set_text(&["apiVersion"], self.to);
        (self.change)(edits)
    }
}
