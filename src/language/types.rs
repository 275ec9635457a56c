//! The types of fields in words.

use crate::schema::{Object, StringFormat, Type};

/// A type in words. Kubernetes types are given by name.
pub(super) fn type_name(ty: Type<'static>) -> String {
    match ty.resolve() {
        Type::Any | Type::Reference(_) => "any".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Int32 | Type::Int64 => "integer".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String(_) => "string".to_owned(),
        Type::Enum(values) | Type::Choice(values) => {
            let quoted: Vec<_> = values.iter().map(|value| format!("`{}`", value.value)).collect();
            quoted.join(" or ")
        }
        Type::IntOrString => "integer or string".to_owned(),
        Type::NameOr(inline) => format!("string or {}", type_name(*inline)),
        Type::Quantity => "`Quantity`".to_owned(),
        Type::List(list) => format!("list of {}", type_name(list.items)),
        Type::Map(values) => format!("map of {}", type_name(*values)),
        Type::Object(object) => object_name(object),
        Type::Constrained(constrained) => type_name(constrained.base),
    }
}

fn object_name(object: &Object<'_>) -> String {
    match object.name.rsplit_once('.') {
        Some((_, name)) if object.name.starts_with("io.k8s.") => format!("`{name}`"),
        _ => "object".to_owned(),
    }
}

/// The type of the items of a list, or the type itself.
pub(super) fn item_type(ty: Type<'static>) -> Type<'static> {
    match ty.base() {
        Type::List(list) => item_type(list.items),
        Type::NameOr(inline) => item_type(*inline),
        other => other,
    }
}

/// The form of a value that YAML does not show by itself.
pub(super) fn form_note(ty: Type<'static>) -> Option<&'static str> {
    match item_type(ty) {
        Type::Map(values) => form_note(*values),
        Type::Quantity => Some(
            "A Quantity is a number with an optional suffix: `m` is a thousandth, `k`, `M`, `G`, `T`, \
             `P` and `E` are powers of 1000, `Ki`, `Mi`, `Gi`, `Ti`, `Pi` and `Ei` powers of 1024. \
             `500m` is 0.5, `512Mi` is 536870912.",
        ),
        Type::IntOrString => Some(
            "An integer, or a string: the name of a port, or a percentage such as `25%`, where the \
             field accepts one.",
        ),
        Type::String(StringFormat::Byte) => Some("A string in Base64."),
        Type::String(StringFormat::DateTime) => {
            Some("A time in the format of RFC 3339: `2030-01-31T18:00:00Z`.")
        }
        Type::String(StringFormat::MicroTime) => Some(
            "A time in the format of RFC 3339 with six digits after the seconds: \
             `2030-01-31T18:00:00.000000Z`.",
        ),
        _ => None,
    }
}

/// The keys of a map of quantities.
pub(super) fn keys_note(owner: &str, field: &str) -> Option<&'static str> {
    match (owner.rsplit_once('.').map_or(owner, |(_, name)| name), field) {
        ("ResourceRequirements", "limits" | "requests")
        | ("PodSpec", "overhead")
        | ("Overhead", "podFixed") => Some(
            "Keys: `cpu` (cores), `memory` (bytes), `ephemeral-storage` (bytes), \
             `hugepages-<size>` such as `hugepages-2Mi` (bytes), and extended resources with a \
             domain such as `nvidia.com/gpu` (whole numbers).",
        ),
        ("VolumeResourceRequirements", "limits" | "requests")
        | ("PersistentVolumeSpec", "capacity") => Some("Keys: `storage` (bytes)."),
        ("ResourceQuotaSpec", "hard") => Some(
            "Keys: `requests.cpu`, `requests.memory`, `requests.storage`, `limits.cpu`, \
             `limits.memory`, `pods`, `count/<resource>.<group>`, \
             `requests.<extended resource>`, and others.",
        ),
        ("LimitRangeItem", "default" | "defaultRequest" | "max" | "min") => Some(
            "Keys: `cpu`, `memory` and `ephemeral-storage` for the types `Container` and `Pod`, \
             `storage` for `PersistentVolumeClaim`.",
        ),
        _ => None,
    }
}
