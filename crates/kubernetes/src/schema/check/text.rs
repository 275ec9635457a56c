//! Descriptions of types in messages.

use crate::diag::{MAX_LISTED, Message, Words, brief, listed_of, message};
use crate::schema::{EnumValue, Property, StringFormat, Type};

/// A description of the type's values: `an integer`.
pub(super) fn kind_of(ty: Type<'_>) -> Words {
    Words(match ty.resolve() {
        Type::Any => "any value",
        Type::Bool => "`true` or `false`",
        Type::Int32 | Type::Int64 => "an integer",
        Type::Number => "a number",
        Type::String(_) | Type::Enum(_) | Type::Choice(_) => "a string",
        Type::IntOrString => "an integer or a string",
        Type::NameOr(_) => "a name or a map",
        Type::Quantity => "a quantity such as `500m` or `1Gi`",
        Type::List(_) => "a list",
        Type::Map(_) | Type::Object(_) | Type::Reference(_) => "a map",
        Type::Constrained(constrained) => return kind_of(constrained.base),
    })
}

/// The number of required fields that an example has.
const MAX_FIELDS: usize = 4;

/// An example of a missing field: "`replicas: 1`", "`containers:` with its items".
pub(super) fn sample(property: &Property<'_>) -> String {
    let name = brief(property.name);
    match property.value.base() {
        Type::Enum([EnumValue { value, .. }, ..]) | Type::Choice([EnumValue { value, .. }, ..]) => {
            format!("`{name}: {value}`")
        }
        Type::Bool => format!("`{name}: true`"),
        Type::Int32 | Type::Int64 | Type::Number | Type::IntOrString => format!("`{name}: 1`"),
        Type::Quantity => format!("`{name}: 1Gi`"),
        Type::List(_) => format!("`{name}:` with its items"),
        Type::Object(object) => {
            let required = object.properties.iter().filter(|it| it.is_required);
            let required: Vec<_> =
                required.map(|field| format!("{}: ...", brief(field.name))).collect();
            match required.len() {
                1..=MAX_FIELDS => format!("`{name}: {{{}}}`", required.join(", ")),
                _ => format!("`{name}:` with its fields"),
            }
        }
        Type::Map(_) => format!("`{name}:` with its fields"),
        Type::String(StringFormat::DateTime) => format!("`{name}: \"2026-01-31T12:00:00Z\"`"),
        Type::String(StringFormat::MicroTime) => {
            format!("`{name}: \"2026-01-31T12:00:00.000000Z\"`")
        }
        _ => format!("`{name}: ...`"),
    }
}

/// The values of an enum, for messages: the first ones, of very many.
pub(super) fn values<'v>(count: usize, values: impl Iterator<Item = &'v str>) -> Message {
    if count > MAX_LISTED {
        return message!("one of {}", listed_of(count, values.map(brief)));
    }
    let quoted: Vec<_> = values.map(|value| message!("`{}`", brief(value))).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => {
            message!("{} or {last}", Message::joined(others.iter().cloned(), ", "))
        }
        None => Message::default(),
    }
}
