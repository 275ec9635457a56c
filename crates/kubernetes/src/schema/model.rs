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
}

/// The first eight bytes of a name, as a number with the order of the names: a search among the properties
/// rarely compares more.
#[must_use]
pub const fn prefix(name: &str) -> u64 {
    if let Some(first) = name.as_bytes().first_chunk() {
        return u64::from_be_bytes(*first);
    }
    let (mut prefix, mut rest) = (0, name.as_bytes());
    let mut bits = u64::BITS;
    while let [first, after @ ..] = rest {
        bits -= 8;
        prefix |= (*first as u64) << bits;
        rest = after;
    }
    prefix
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
    pub fn property(&self, name: &str) -> Option<&Property<'s>> {
        self.variants(name).next()
    }

    /// The property called `name` in `version`.
    pub fn property_in(&self, name: &str, version: KubernetesVersion) -> Option<&Property<'s>> {
        self.variants(name).find(|property| property.versions.contains(version))
    }

    /// The properties called `name`, newest first.
    fn variants(&self, name: &str) -> impl Iterator<Item = &Property<'s>> {
        let key = (prefix(name), name);
        let at = self.properties.partition_point(|it| compare((it.prefix, it.name), key).is_lt());
        let variants = self.properties.get(at..).unwrap_or_default().iter();
        variants.take_while(move |it| is_same(it.name, name))
    }
}
