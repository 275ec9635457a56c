//! Descriptions of types in messages.

use crate::diag::brief;
use crate::schema::{EnumValue, Property, StringFormat, Type};

/// A description of the type's values: `an integer`.
pub(super) fn kind_of(ty: Type<'_>) -> &'static str {
    match ty.resolve() {
        Type::Any => "any value",
        Type::Bool => "`true` or `false`",
        Type::Int32 | Type::Int64 => "an integer",
        Type::Number => "a number",
        Type::String(_) | Type::Enum(_) => "a string",
        Type::IntOrString => "an integer or a string",
        Type::NameOr(_) => "a name or a map",
        Type::Quantity => "a quantity such as `500m` or `1Gi`",
        Type::List(_) => "a list",
        Type::Map(_) | Type::Object(_) | Type::Reference(_) => "a map",
        Type::Constrained(constrained) => kind_of(constrained.base),
    }
}

/// An example of a missing field: "`replicas: 1`", "`containers:` with its items".
pub(super) fn sample(property: &Property<'_>) -> String {
    let name = brief(property.name);
    match property.value.base() {
        Type::Enum([EnumValue { value, .. }, ..]) => format!("`{name}: {value}`"),
        Type::Bool => format!("`{name}: true`"),
        Type::Int32 | Type::Int64 | Type::Number | Type::IntOrString => format!("`{name}: 1`"),
        Type::Quantity => format!("`{name}: 1Gi`"),
        Type::List(_) => format!("`{name}:` with its items"),
        Type::Object(_) | Type::Map(_) => format!("`{name}:` with its fields"),
        Type::String(StringFormat::DateTime) => format!("`{name}: \"2026-01-31T12:00:00Z\"`"),
        Type::String(StringFormat::MicroTime) => {
            format!("`{name}: \"2026-01-31T12:00:00.000000Z\"`")
        }
        _ => format!("`{name}: ...`"),
    }
}

/// The longest list of values that is made, in bytes; a message shows less of it.
const LONGEST_LIST: usize = 8_000;

/// The values of an enum that exist in a version, for messages.
pub(super) fn values<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let mut length = 0;
    let is_read = |value: &&str| {
        let is_read = length <= LONGEST_LIST;
        length += value.len();
        is_read
    };
    let quoted: Vec<_> =
        values.take_while(is_read).map(|value| format!("`{}`", brief(value))).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
