//! What a custom resource definition says of a value beyond its type.

use std::fmt;

use super::{Pattern, Type};
use crate::tree::{Node, Number};

/// A type of a custom resource definition together with everything else its schema says.
#[derive(Debug)]
pub(crate) struct Constrained<'s> {
    /// The type; checked first.
    pub(crate) base: Type<'s>,
    /// `null` is a value like any other.
    pub(crate) is_nullable: bool,
    /// All must hold. They say nothing of a value that has another type than they speak of.
    pub(crate) constraints: &'s [Constraint<'s>],
}

/// One keyword of a schema that narrows the values of a type.
#[derive(Debug)]
pub(crate) enum Constraint<'s> {
    /// `minimum`, and whether the limit itself is excluded.
    Minimum(Number, Bound),
    /// `maximum`, and whether the limit itself is excluded.
    Maximum(Number, Bound),
    /// `multipleOf`.
    MultipleOf(Number),
    /// `minLength`, in code points.
    MinLength(i64),
    /// `maxLength`, in code points.
    MaxLength(i64),
    /// `minItems`.
    MinItems(i64),
    /// `maxItems`.
    MaxItems(i64),
    /// `minProperties`.
    MinProperties(i64),
    /// `maxProperties`.
    MaxProperties(i64),
    /// `pattern`.
    Pattern(&'s Pattern),
    /// `format`, where the API server enforces it.
    Format(Format),
    /// `enum`.
    OneOfValues(&'s [Node]),
    /// `required`: keys that must be there though no property declares them, or inside a junctor.
    Required(&'s [&'s str]),
    /// `properties` inside a junctor: what must hold for the value of a key that is there.
    Properties(&'s [(&'s str, Constraints<'s>)]),
    /// `items` inside a junctor.
    Items(Constraints<'s>),
    /// `x-kubernetes-embedded-resource`: a whole object with `apiVersion` and `kind`.
    EmbeddedResource,
    /// `allOf`.
    AllOf(&'s [Constraints<'s>]),
    /// `anyOf`.
    AnyOf(&'s [Constraints<'s>]),
    /// `oneOf`: exactly one.
    ExactlyOneOf(&'s [Constraints<'s>]),
    /// `not`.
    Not(Constraints<'s>),
}

/// Constraints that must all hold.
pub(crate) type Constraints<'s> = &'s [Constraint<'s>];

/// Whether a limit is itself allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The limit is the last good value.
    Inclusive,
    /// The limit is the first bad value.
    Exclusive,
}

/// A format that the API server enforces on text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// `date-time`: RFC 3339 with seconds, letters in either case.
    DateTime,
    /// `date`: `2026-01-31`.
    Date,
    /// `byte`: base64.
    Byte,
    /// `uuid`.
    Uuid,
    /// `ipv4`.
    Ipv4,
    /// `ipv6`.
    Ipv6,
    /// `cidr`.
    Cidr,
    /// `mac`.
    Mac,
}

impl Format {
    /// Whether `text` has the format, as the API server sees it.
    pub(crate) fn accepts(self, text: &str) -> bool {
        super::format::matches(self, text)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DateTime => "date-time",
            Self::Date => "date",
            Self::Byte => "byte",
            Self::Uuid => "uuid",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::Cidr => "cidr",
            Self::Mac => "mac",
        })
    }
}
