//! The types of fields. References are plain borrows: `'static` for the compiled-in kinds, of an
//! arena for custom resource definitions.

use std::cmp::Ordering;

use super::{Constrained, KubernetesVersion, Versions};
use crate::scalar::is_same;

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub enum Type<'s> {
    /// Any value; unknown fields are kept.
    Any,
    /// A boolean.
    Bool,
    /// An integer of 32 bits.
    Int32,
    /// An integer of 64 bits.
    Int64,
    /// Any number.
    Number,
    /// A string.
    String(StringFormat),
    /// A string from a closed list, which the API server enforces in its Go validation.
    Enum(&'s [EnumValue<'s>]),
    /// One of the language's own values: unlike in a Go type, the empty string is not among them.
    Choice(&'s [EnumValue<'s>]),
    /// An integer or a string: ports, `maxUnavailable`.
    IntOrString,
    /// A quantity: `500m`, `1Gi`; a string or a number.
    Quantity,
    /// A list.
    List(&'s List<'s>),
    /// A map with arbitrary keys.
    Map(&'s Type<'s>),
    /// A map with known keys.
    Object(&'s Object<'s>),
    /// A name or a value of another type: the name of a definition, or the contents of its `spec`.
    NameOr(&'s Type<'s>),
    /// A type that is looked up on demand. The language's own schemas are constants and refer to
    /// compiled-in types this way. See [`Type::resolve`].
    Reference(fn() -> Type<'s>),
    /// A type with constraints that only custom resource definitions have: limits, patterns,
    /// `nullable`.
    Constrained(&'s Constrained<'s>),
}

impl Type<'_> {
    /// Follows references to the type itself. Every use of a type calls this first.
    #[inline]
    #[must_use]
    pub fn resolve(self) -> Self {
        match self {
            Self::Reference(target) => target().resolve(),
            other => other,
        }
    }

    /// The type without the constraints of a custom resource definition.
    #[must_use]
    pub fn base(self) -> Self {
        match self.resolve() {
            Self::Constrained(constrained) => constrained.base.base(),
            other => other,
        }
    }

    /// Whether a custom resource definition allows `null`.
    #[must_use]
    pub fn is_nullable(self) -> bool {
        matches!(self.resolve(), Self::Constrained(constrained) if constrained.is_nullable)
    }
}

/// The format of a string that the decoder requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StringFormat {
    /// Any string.
    Plain,
    /// Base64.
    Byte,
    /// RFC 3339 with at least seconds.
    DateTime,
    /// An RFC 3339 time with six digits after the seconds.
    MicroTime,
}

/// One value of an enum.
#[derive(Clone, Copy, Debug)]
pub struct EnumValue<'s> {
    /// The value.
    pub value: &'s str,
    /// The versions that have it.
    pub versions: Versions,
}

/// A list and how it is merged.
#[derive(Debug)]
pub struct List<'s> {
    /// The type of each item.
    pub items: Type<'s>,
    /// The identity of items, for server-side apply and for uniqueness in custom resources.
    pub identity: ListType<'s>,
    /// Strategic merge patch: what `kubectl patch` and `kubectl edit` do.
    pub patch: PatchStrategy<'s>,
}

/// The identity of a list's items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListType<'s> {
    /// The list is one value.
    Atomic,
    /// Scalars, each at most once.
    Set,
    /// Items identified by these fields.
    Map(&'s [&'s str]),
}

/// How strategic merge patch treats a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatchStrategy<'s> {
    /// The list of the patch replaces the other one.
    Replace,
    /// The scalars of both lists are combined.
    MergeScalars,
    /// Items with the same value of this field are merged.
    MergeByKey(&'s str),
    /// Like `MergeByKey`, but a merged item keeps only the union members that the patch names.
    MergeByKeyRetainKeys(&'s str),
}

/// A map with known keys.
#[derive(Debug)]
pub struct Object<'s> {
    /// The name of the type: `io.k8s.api.core.v1.PodSpec`; for custom resources the path in the
    /// schema.
    pub name: &'s str,
    /// The properties, sorted by name. A property whose type differs between versions occurs once
    /// per variant, newest first; the versions of its variants are disjoint.
    pub properties: &'s [Property<'s>],
    /// Whether server-side apply treats the object as one value.
    pub is_atomic: bool,
    /// The type of the fields that are not among the properties; `None` if these are unknown.
    pub others: Option<Type<'s>>,
}

/// One known key.
#[derive(Clone, Copy, Debug)]
pub struct Property<'s> {
    /// The key.
    pub name: &'s str,
    /// What [`prefix`] returns for the key.
    pub prefix: u64,
    /// The type of its value.
    pub value: Type<'s>,
    /// Whether the field is required.
    pub is_required: bool,
    /// The default that the API server sets, as JSON.
    pub default: Option<&'s str>,
    /// The versions that have the field.
    pub versions: Versions,
}

impl<'s> Property<'s> {
    /// A property of the language's own schemas: in all versions, without a default.
    pub const fn new(name: &'s str, value: Type<'s>, is_required: bool) -> Self {
        let versions = Versions::ALL;
        Self { name, prefix: prefix(name), value, is_required, default: None, versions }
    }

    /// Whether it has this name, which has this prefix.
    #[inline]
    fn is(&self, name: &str, prefix: u64) -> bool {
        self.prefix == prefix && is_same(self.name, name)
    }
}

/// The first eight bytes of a name, as a number with the order of the names: a search among the properties
/// rarely compares more.
#[must_use]
pub const fn prefix(name: &str) -> u64 {
    let bytes = name.as_bytes();
    if let Some(first) = bytes.first_chunk() {
        return u64::from_be_bytes(*first);
    }
    // Of five to seven bytes, both halves contain the ones in the middle.
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = (u32::from_be_bytes(*last) as u64) << (8 * (8 - bytes.len()));
        return (u32::from_be_bytes(*first) as u64) << 32 | last;
    }
    match *bytes {
        [] => 0,
        [first] => u64::from_be_bytes([first, 0, 0, 0, 0, 0, 0, 0]),
        [first, second] => u64::from_be_bytes([first, second, 0, 0, 0, 0, 0, 0]),
        [first, second, third, ..] => u64::from_be_bytes([first, second, third, 0, 0, 0, 0, 0]),
    }
}

/// The order of two names with their prefixes.
pub(super) fn compare(one: (u64, &str), other: (u64, &str)) -> Ordering {
    one.0.cmp(&other.0).then_with(|| {
        // A short name with the same prefix is the start of the other one.
        let are_short = one.1.len() <= 8 && other.1.len() <= 8;
        if are_short { one.1.len().cmp(&other.1.len()) } else { one.1.cmp(other.1) }
    })
}

impl<'s> Object<'s> {
    /// An object of the language's own schemas. `properties` must be sorted by name.
    pub const fn new(name: &'s str, properties: &'s [Property<'s>]) -> Self {
        Self { name, properties, is_atomic: false, others: None }
    }

    /// The property called `name` in any version; the newest of several variants.
    pub fn property(&self, name: &str) -> Option<&'s Property<'s>> {
        let wanted = prefix(name);
        self.from(name, wanted).first().filter(|it| it.is(name, wanted))
    }

    /// The property called `name` in `version`.
    pub fn property_in(&self, name: &str, version: KubernetesVersion) -> Option<&'s Property<'s>> {
        let wanted = prefix(name);
        let mut variants = self.from(name, wanted).iter().take_while(|it| it.is(name, wanted));
        variants.find(|property| property.versions.contains(version))
    }

    /// The properties from the first one called `name` on, or from another one if there is none.
    #[inline]
    fn from(&self, name: &str, wanted: u64) -> &'s [Property<'s>] {
        let from = |at| self.properties.split_at(at).1;
        let found = from(self.properties.partition_point(|property| property.prefix < wanted));
        // Few names have the first eight bytes of another one.
        match found.first() {
            Some(first) if first.prefix == wanted && !is_same(first.name, name) => {
                let is_before = |property: &Property<'_>| {
                    compare((property.prefix, property.name), (wanted, name)).is_lt()
                };
                from(self.properties.partition_point(is_before))
            }
            _ => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn property(name: &str) -> Property<'_> {
        Property::new(name, Type::Any, false)
    }

    #[test]
    fn a_prefix_has_the_order_of_the_names() {
        let name = "abcdefghij";
        for length in 0..=name.len() {
            let mut bytes = [0; 8];
            let count = length.min(8);
            bytes[..count].copy_from_slice(&name.as_bytes()[..count]);
            assert_eq!(prefix(&name[..length]), u64::from_be_bytes(bytes), "{length}");
        }
    }

    #[test]
    fn properties_with_one_prefix_are_told_apart() {
        let names = ["a", "claimed", "claimedBy", "claimedByAll", "claimedByOne", "name"];
        let properties = names.map(property);
        let object = Object::new("Any", &properties);
        for name in names {
            assert_eq!(object.property(name).map(|it| it.name), Some(name));
        }
        for name in ["", "b", "claimed\0", "claimedB", "claimedByNone", "claimedByZ", "z"] {
            assert!(object.property(name).is_none(), "{name}");
        }
    }
}
