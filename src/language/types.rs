//! The types of fields in words, and the fields of Kubernetes' own types.

use std::fmt::Write as _;

use crate::schema::{Object, Type, Versions};

/// A type in words. Kubernetes types are given by name.
pub(super) fn type_name(ty: Type<'static>) -> String {
    match ty.resolve() {
        Type::Any | Type::Reference(_) => "any".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Int32 | Type::Int64 => "integer".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String(_) => "string".to_owned(),
        Type::Enum(values) => {
            let values: Vec<_> = values.iter().map(|it| format!("`{}`", it.value)).collect();
            values.join(" or ")
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

/// The fields of Kubernetes' types below a field of the language: `limits` of a field with resources.
pub(super) fn explain(ty: Type<'static>, steps: &[&str]) -> Option<String> {
    let (last, way) = steps.split_last()?;
    let owner = at(ty, way)?;
    let mut text = String::new();
    match inside(owner) {
        Type::Object(object) => {
            let property = object.property(last)?;
            line(&mut text, object, property.name);
            list_fields(&mut text, property.value);
        }
        // Any key.
        Type::Map(values) => {
            let _ = writeln!(text, "{last} ({})", type_name(*values).replace('`', ""));
            list_fields(&mut text, *values);
        }
        _ => return None,
    }
    Some(text)
}

/// The type of the field at the end of `steps`.
pub(super) fn at(ty: Type<'static>, steps: &[&str]) -> Option<Type<'static>> {
    steps.iter().try_fold(ty, |ty, step| match inside(ty) {
        Type::Object(object) => object.property(step).map(|it| it.value),
        Type::Map(values) => Some(*values),
        _ => None,
    })
}

/// Adds a line for each field of a type, after an empty line.
pub(super) fn list_fields(text: &mut String, ty: Type<'static>) {
    let Type::Object(object) = inside(ty) else { return };
    text.push('\n');
    for name in names(ty) {
        line(text, object, name);
    }
}

/// The names of the fields of a type.
pub(super) fn names(ty: Type<'static>) -> Vec<&'static str> {
    let Type::Object(object) = inside(ty) else { return Vec::new() };
    let mut names: Vec<_> = object.properties.iter().map(|it| it.name).collect();
    names.dedup();
    names
}

/// The type of the items of a list, or the type itself.
fn inside(ty: Type<'static>) -> Type<'static> {
    match ty.base() {
        Type::List(list) => inside(list.items),
        Type::NameOr(inline) => inside(*inline),
        other => other,
    }
}

/// `limits (map of Quantity)`.
fn line(text: &mut String, object: &Object<'static>, name: &str) {
    let Some(property) = object.property(name) else { return };
    let required = if property.is_required { ", required" } else { "" };
    let variants = object.properties.iter().filter(|it| it.name == name);
    let versions = variants.fold(Versions::NONE, |all, it| all.union(it.versions));
    let versions = if versions == Versions::ALL {
        String::new()
    } else {
        format!(", only in Kubernetes {versions}")
    };
    let kind = type_name(property.value).replace('`', "");
    let _ = writeln!(text, "{name} ({kind}{required}{versions})");
}
