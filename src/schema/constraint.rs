//! What a custom resource definition says of a value beyond its type.

use super::{Format, Pattern, Type};
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

impl Constrained<'_> {
    /// Whether only the names of fields count.
    pub(crate) fn is_of_any_type(&self) -> bool {
        self.constraints.iter().any(|it| matches!(it, Constraint::AnyType))
    }

    /// The values of `enum` as messages show them, where the schema has one.
    pub(crate) fn enum_values(&self) -> Option<Vec<String>> {
        let listed = self.constraints.iter().find_map(|it| match it {
            Constraint::OneOfValues(values) => {
                Some(values.iter().map(|value| value.to_json().to_string()).collect())
            }
            _ => None,
        });
        match self.base {
            Type::Enum(values) => Some(values.iter().map(|it| it.value.to_owned()).collect()),
            _ => listed,
        }
    }
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
    /// `additionalProperties: true`: the value is free, and has no fields that are known.
    NoFields,
    /// A value that the server drops: it may be of any type, and only the names of its fields count.
    AnyType,
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
