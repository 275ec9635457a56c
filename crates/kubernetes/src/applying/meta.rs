//! How a field is patched: its type, its strategy and the key of its items. `LookupPatchMeta` in Go.

use super::Cause;
use crate::schema::{Object, PatchStrategy, Type, store};

/// The type in which fields are looked up.
#[derive(Clone, Copy)]
pub(super) enum PatchMeta {
    /// A struct.
    Object(&'static Object<'static>),
    /// A map, with the type of its values.
    Map(Type<'static>),
    /// A type without fields that are known.
    Opaque,
}

/// How a list is patched.
#[derive(Clone, Copy)]
pub(super) struct ListMeta {
    /// The type of its items.
    pub(super) items: PatchMeta,
    /// Whether items are merged; else the list is replaced.
    pub(super) is_merged: bool,
    /// The field that identifies an item; empty for scalars.
    pub(super) key: &'static str,
    /// Whether a merged item only keeps the fields that the patch names.
    pub(super) retains_keys: bool,
}

impl PatchMeta {
    pub(super) fn of_object(object: &'static Object<'static>) -> Self {
        Self::Object(object)
    }

    fn of_type(value: Type<'static>) -> Self {
        match value.resolve() {
            Type::Object(object) => Self::Object(object),
            Type::Map(values) => Self::Map(*values),
            _ => Self::Opaque,
        }
    }

    fn field(self, name: &str) -> Result<Type<'static>, Cause> {
        let unknown = || Cause::UnknownField(name.to_owned());
        match self {
            Self::Object(object) => {
                object.property(name).map(|property| property.value.resolve()).ok_or_else(unknown)
            }
            Self::Map(values) => Ok(values.resolve()),
            Self::Opaque => Err(unknown()),
        }
    }

    /// The type of a map field, and whether a merge only keeps the fields that the patch names.
    pub(super) fn map_field(self, name: &str) -> Result<(Self, bool), Cause> {
        let retains_keys =
            matches!(self, Self::Object(object) if store::retains_keys(object.name, name));
        Ok((Self::of_type(self.field(name)?), retains_keys))
    }

    /// Whether a patch replaces a map field: no other field of a type has this strategy.
    pub(super) fn replaces(self, name: &str) -> bool {
        const SPEC: &str = "io.k8s.api.policy.v1.PodDisruptionBudgetSpec";
        name == "selector" && matches!(self, Self::Object(object) if object.name == SPEC)
    }

    pub(super) fn list_field(self, name: &str) -> Result<ListMeta, Cause> {
        let Type::List(list) = self.field(name)? else {
            return Err(Cause::UnknownField(name.to_owned()));
        };
        let items = Self::of_type(list.items);
        let (is_merged, key, retains_keys) = match list.patch {
            PatchStrategy::Replace => (false, "", false),
            PatchStrategy::MergeScalars => (true, "", false),
            PatchStrategy::MergeByKey(key) => (true, key, false),
            PatchStrategy::MergeByKeyRetainKeys(key) => (true, key, true),
        };
        Ok(ListMeta { items, is_merged, key, retains_keys })
    }
}
