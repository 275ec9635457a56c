//! The way from the root of a schema to one of its fields: `.spec.size`.
//!
//! After `ValidFieldPath` of apiextensions-apiserver's `pkg/apiserver/schema/cel`.

use std::fmt;

use crate::tree::{Node, Value};

/// Why a path leads to no field. Displays as what follows "the path ".
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PathFault<'p> {
    /// A name without a dot in front.
    NoDot(&'p str),
    /// Nothing behind the last dot.
    NoName,
    /// `[`: an item of a list, or a key of a map in brackets.
    Brackets,
    /// A name that the schema does not have there.
    Unknown(&'p str),
}

impl fmt::Display for PathFault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDot(_) => f.write_str("has no dot in front"),
            Self::NoName => f.write_str("ends with a dot"),
            Self::Brackets => f.write_str("has brackets"),
            Self::Unknown(name) => {
                let name: String = name.chars().take(60).collect();
                write!(f, "leads to `{}`, which the schema does not have", name.escape_debug())
            }
        }
    }
}

/// The names of a path without brackets, and the schema of the field that it leads to.
pub(crate) fn resolve<'n, 'p>(
    root: &'n Node,
    path: &'p str,
) -> Result<(Vec<&'p str>, &'n Node), PathFault<'p>> {
    let (mut schema, mut names, mut rest) = (root, Vec::new(), path);
    while let Some(first) = rest.chars().next() {
        if first == '[' {
            return Err(PathFault::Brackets);
        }
        let Some(behind) = rest.strip_prefix('.') else {
            return Err(PathFault::NoDot(split_name(rest).0));
        };
        if behind.is_empty() {
            return Err(PathFault::NoName);
        }
        let (name, behind) = split_name(behind);
        schema = below(schema, name).ok_or(PathFault::Unknown(name))?;
        names.push(name);
        rest = behind;
    }
    Ok((names, schema))
}

/// The schema of a property, or that of all values of a map.
pub(super) fn below<'n>(schema: &'n Node, name: &str) -> Option<&'n Node> {
    let properties = schema.get("properties").and_then(Node::as_map);
    match properties.filter(|it| !it.entries.is_empty()) {
        Some(properties) => properties.get(name),
        None => schema.get("additionalProperties").filter(|it| matches!(it.value, Value::Map(_))),
    }
}

/// A name up to the next delimiter. A delimiter right at the start is a name of its own, and a text in
/// single quotes is one name with its quotes.
fn split_name(text: &str) -> (&str, &str) {
    let mut before = None;
    for (at, character) in text.char_indices().skip(1) {
        let is_end = if text.starts_with('\'') {
            before == Some('\'') && at > 1
        } else {
            matches!(character, '.' | '[' | ']')
        };
        let is_single = at == 1 && text.starts_with(['.', '[', ']']);
        if is_end || is_single {
            return text.split_at(at);
        }
        before = Some(character);
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::super::plant::Plant;
    use super::*;

    #[test]
    fn leads_through_properties_and_maps() {
        let json = r#"{"properties": {"spec": {"properties": {"size": {"type": "integer"},
            "labels": {"additionalProperties": {"type": "string"}}}}}}"#;
        let schema = Plant::new("test").json(json).unwrap();
        let type_of = |path| {
            resolve(&schema, path).map(|(_, it)| it.str_at(&["type"]).unwrap_or("").to_owned())
        };
        assert_eq!(type_of(".spec.size"), Ok("integer".to_owned()));
        assert_eq!(type_of(".spec.labels.any"), Ok("string".to_owned()));
        assert_eq!(type_of(""), Ok(String::new()));
        assert_eq!(type_of("spec.size"), Err(PathFault::NoDot("spec")));
        assert_eq!(type_of(".spec."), Err(PathFault::NoName));
        assert_eq!(type_of(".spec['size']"), Err(PathFault::Brackets));
        assert_eq!(type_of(".spec.none"), Err(PathFault::Unknown("none")));
        assert_eq!(type_of(".spec..size"), Err(PathFault::Unknown(".")));
        assert_eq!(type_of(".'spec.size'"), Err(PathFault::Unknown("'spec.size'")));
        assert_eq!(type_of(".spec.size.more"), Err(PathFault::Unknown("more")));
    }
}
