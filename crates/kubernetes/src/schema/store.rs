//! The built-in kinds of all target versions: compiled-in tables, generated from
//! `schemas/kubernetes.json`. A lookup is a binary search; nothing is parsed at startup.

use super::{
    EnumValue, List, ListType, Object, PatchStrategy, Property, StringFormat, Type, Versions,
    prefix,
};
use crate::scalar::is_same;

include!(concat!(env!("OUT_DIR"), "/kubernetes.rs"));

/// A built-in kind: one that can be created in some target version, or that was removed earlier.
#[derive(Debug)]
pub struct Kind {
    /// `apps`; empty for the core group.
    pub group: &'static str,
    /// `v1`.
    pub version: &'static str,
    /// `Deployment`.
    pub kind: &'static str,
    /// What [`prefix`] returns for it.
    pub(super) prefix: u64,
    /// Its fields; `None` where no target version has the kind.
    pub definition: Option<&'static Object<'static>>,
    /// Whether its objects are namespaced.
    pub is_namespaced: bool,
    /// The target versions that have it.
    pub versions: Versions,
    /// The version that deprecated it, `1.31`.
    pub deprecated: Option<&'static str>,
    /// The first version without it, `1.25`; can be newer than all target versions.
    pub removed: Option<&'static str>,
    /// Its replacement: `apps/v1 Deployment`.
    pub replacement: Option<&'static str>,
}

/// The `apiVersion` of a group and a version: `apps/v1`, or `v1` for the core group.
pub fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

impl Kind {
    /// The `apiVersion` field of its objects: `apps/v1`, or `v1` for the core group.
    pub fn api_version(&self) -> String {
        api_version(self.group, self.version)
    }

    /// Whether an API server serves it by default: true for stable versions, while alpha and beta
    /// versions need `--runtime-config` (for versions added since 1.24; no older exception remains
    /// in the target versions).
    pub fn is_served_by_default(&self) -> bool {
        !self.version.contains("alpha") && !self.version.contains("beta")
    }
}

/// Whether some definition has both fields.
pub fn are_together(field: &str, other: &str) -> bool {
    let have =
        |object: &&Object<'_>| object.property(field).is_some() && object.property(other).is_some();
    DEFINITIONS.iter().any(have)
}

/// The definition called `name`, e.g. `io.k8s.api.core.v1.PodSpec`.
pub fn definition(name: &str) -> Option<&'static Object<'static>> {
    let at = DEFINITIONS.binary_search_by(|definition| definition.name.cmp(name)).ok()?;
    DEFINITIONS.get(at).copied()
}

/// The kind of a group (empty for the core group) and version, in any target version.
pub fn kind(group: &str, version: &str, kind: &str) -> Option<&'static Kind> {
    kinds_named(kind)
        .iter()
        .find(|candidate| candidate.group == group && candidate.version == version)
}

/// All kinds with this name, in all groups and versions, including those removed long ago.
pub fn kinds_named(kind: &str) -> &'static [Kind] {
    let wanted = prefix(kind);
    let is_it = |candidate: &&Kind| candidate.prefix == wanted && is_same(candidate.kind, kind);
    let (_, rest) = KINDS.split_at(KINDS.partition_point(|candidate| candidate.prefix < wanted));
    // Few kinds have the first eight bytes of another one.
    let others = rest.iter().take_while(|other| other.prefix == wanted && !is_it(other)).count();
    let (_, rest) = rest.split_at(others);
    rest.split_at(rest.iter().take_while(is_it).count()).0
}

/// All kinds, sorted by kind, group and version.
pub const fn kinds() -> &'static [Kind] {
    KINDS
}

/// The names of all fields, in no order, some of them many times.
pub fn field_names() -> impl Iterator<Item = &'static str> {
    DEFINITIONS.iter().flat_map(|it| it.properties).map(|it| it.name)
}

/// All definitions, sorted by name.
#[cfg(test)]
pub const fn definitions() -> &'static [&'static Object<'static>] {
    DEFINITIONS
}

/// Whether strategic merge of this field of a definition keeps only the members of the union that
/// the patch names: `strategy` of a Deployment.
#[must_use]
pub fn retains_keys(definition: &str, field: &str) -> bool {
    RETAINS_KEYS.binary_search(&(definition, field)).is_ok()
}

/// Whether server-side apply treats this map or object as one value although its type is not atomic
/// elsewhere: `nodeSelector`, `selector` of a Service.
pub fn is_atomic_field(definition: &str, field: &str) -> bool {
    ATOMIC_FIELDS.binary_search(&(definition, field)).is_ok()
}

/// Whether the API server accepts a built-in object without this field although it is marked as
/// required, because the zero value of its Go type is valid.
pub fn zero_is_good(definition: &str, field: &str) -> bool {
    ZERO_IS_GOOD.binary_search(&(definition, field)).is_ok()
}
