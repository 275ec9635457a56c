//! The constraints of a custom resource definition on a value, beyond its type.

use super::{Format, KubernetesVersion, Pattern, Type};
use crate::diag::MAX_LISTED;
use crate::tree::{Node, Number};

/// A type of a custom resource definition with the constraints of its schema.
#[derive(Debug)]
pub struct Constrained<'s> {
    /// The type; checked first.
    pub base: Type<'s>,
    /// Whether `null` is allowed.
    pub is_nullable: bool,
    /// The constraints, which must all be satisfied. A constraint does not apply to values of other
    /// types.
    pub constraints: &'s [Constraint<'s>],
}

impl Constrained<'_> {
    /// The type of values that are neither a map nor a list as the base requires, if these are
    /// allowed.
    pub fn otherwise(&self) -> Option<Type<'_>> {
        self.constraints.iter().find_map(|constraint| match constraint {
            Constraint::Otherwise(ty) => Some(*ty),
            _ => None,
        })
    }

    /// The number of values of `enum`, and the first ones as shown in messages, if the schema has any.
    pub fn enum_values(&self) -> Option<(usize, Vec<String>)> {
        let listed = self.constraints.iter().find_map(|constraint| match constraint {
            Constraint::OneOfValues(values) => {
                let first = values.iter().take(MAX_LISTED).map(|value| value.to_json().to_string());
                Some((values.len(), first.collect()))
            }
            _ => None,
        });
        match self.base {
            Type::Enum(values) | Type::Choice(values) => {
                let first = values.iter().take(MAX_LISTED).map(|value| value.value.to_owned());
                Some((values.len(), first.collect()))
            }
            _ => listed,
        }
    }
}

/// One keyword of a schema that narrows the values of a type.
#[derive(Debug)]
pub enum Constraint<'s> {
    /// `minimum`, and whether the limit itself is excluded.
    Minimum(Number, Bound),
    /// `maximum`, and whether the limit itself is excluded.
    Maximum(Number, Bound),
    /// `multipleOf`.
    MultipleOf(Number),
    /// A keyword with a number that the integers of its format do not include: the API server
    /// rejects every number, from this version on.
    OutsideFormat(&'static str, KubernetesVersion),
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
    /// `required`: keys that must be present although no property declares them, or that a junctor
    /// requires.
    Required(&'s [&'s str]),
    /// `properties` inside a junctor: the constraints on the values of keys that are present.
    Properties(&'s [(&'s str, Constraints<'s>)]),
    /// `items` inside a junctor.
    Items(Constraints<'s>),
    /// `x-kubernetes-embedded-resource`: a whole object with `apiVersion` and `kind`.
    EmbeddedResource,
    /// `additionalProperties: true`: any value, without declared fields.
    NoFields,
    /// No `type`: the base only applies to maps, or only to lists; other values have this type.
    Otherwise(Type<'s>),
    /// `allOf`.
    AllOf(&'s [Constraints<'s>]),
    /// `anyOf`.
    AnyOf(&'s [Constraints<'s>]),
    /// `oneOf`: exactly one.
    ExactlyOneOf(&'s [Constraints<'s>]),
    /// `not`.
    Not(Constraints<'s>),
}

/// Constraints that must all be satisfied.
pub type Constraints<'s> = &'s [Constraint<'s>];

/// Whether the limit itself is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The limit itself is allowed.
    Inclusive,
    /// The limit itself is not allowed.
    Exclusive,
}
