//! The path from a schema to one of its fields: `.spec.size`, `.metadata['a.b']`.
//!
//! Follows `ValidFieldPath` of apiextensions-apiserver's `pkg/apiserver/schema/cel`.

use std::borrow::Cow;
use std::fmt;

use crate::scalar::control_character;
use crate::tree::Node;

/// Whether a path may name a field in brackets and quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brackets {
    /// `fieldPath` of a rule.
    Allowed,
    /// `selectableFields`.
    Refused,
}

/// The reason a path is invalid. Displays as the predicate of "the path ".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathFault<'p> {
    /// A name without a leading dot.
    NoDot(&'p str),
    /// No name after the last dot.
    NoName,
    /// `[`: an item of a list, or a key of a map in brackets.
    Brackets,
    /// Brackets whose content is not in single quotes.
    NoQuotes,
    /// An unclosed quote or bracket.
    NotClosed,
    /// A backslash in quotes before a character that it does not escape.
    NoEscape,
    /// A name that the schema does not declare.
    Unknown(Cow<'p, str>),
}

impl fmt::Display for PathFault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDot(_) => f.write_str("has no leading dot"),
            Self::NoName => f.write_str("ends with a dot"),
            Self::Brackets => f.write_str("has brackets"),
            Self::NoQuotes => f.write_str("has brackets without single quotes inside"),
            Self::NotClosed => f.write_str("has a quote or a bracket that is not closed"),
            Self::NoEscape => f.write_str("has a backslash that escapes nothing"),
            Self::Unknown(name) => {
                let name: String = name.chars().take(60).collect();
                write!(f, "refers to `{}`, which the schema does not have", name.escape_debug())
            }
        }
    }
}

/// Resolves a path in the schema of a definition to its field names and the schema of its field.
pub fn resolve<'n, 'p>(
    root: &'n Node,
    path: &'p str,
    brackets: Brackets,
) -> Result<(Vec<Cow<'p, str>>, &'n Node), PathFault<'p>> {
    let (mut schema, mut names, mut rest) = (root, Vec::new(), path);
    while !rest.is_empty() {
        let (name, behind) = match split_token(rest) {
            (".", "") => return Err(PathFault::NoName),
            (".", behind) => {
                let (name, behind) = split_token(behind);
                (Cow::Borrowed(name), behind)
            }
            ("[", behind) if brackets == Brackets::Allowed => parse_brackets(behind)?,
            ("[", _) => return Err(PathFault::Brackets),
            (other, _) => return Err(PathFault::NoDot(other)),
        };
        schema = schema_below(schema, &name).ok_or_else(|| PathFault::Unknown(name.clone()))?;
        names.push(name);
        rest = behind;
    }
    Ok((names, schema))
}

/// The schema of a property, or the schema of all values of a map.
fn schema_below<'n>(schema: &'n Node, name: &str) -> Option<&'n Node> {
    match schema.get("properties").filter(|properties| !properties.entries().is_empty()) {
        Some(properties) => properties.as_map()?.get(name),
        None => schema.get("additionalProperties").filter(|values| values.as_map().is_some()),
    }
}

/// Splits off one token: a delimiter, a string with its single quotes, or a name up to the next
/// delimiter. An unclosed string extends to the end; the server searches for a quote that no
/// backslash precedes.
fn split_token(text: &str) -> (&str, &str) {
    let delimiters = ['.', '[', ']'];
    let end = if text.starts_with(delimiters) {
        Some(1)
    } else if let Some(inner) = text.strip_prefix('\'') {
        let mut quotes = inner.match_indices('\'').map(|(at, _)| at);
        let is_end = |at: &usize| !inner.get(..*at).is_some_and(|it| it.ends_with('\\'));
        quotes.find(is_end).map(|at| at + 2)
    } else {
        text.find(delimiters)
    };
    end.and_then(|end| text.split_at_checked(end)).unwrap_or((text, ""))
}

/// The quoted name after an opening bracket, and the rest after the closing bracket.
fn parse_brackets(text: &str) -> Result<(Cow<'_, str>, &str), PathFault<'_>> {
    let (quoted, behind) = split_token(text);
    let opened = quoted.strip_prefix('\'').ok_or(PathFault::NoQuotes)?;
    let inner = opened.strip_suffix('\'').ok_or(PathFault::NotClosed)?;
    let name = unescape_name(inner).ok_or(PathFault::NoEscape)?;
    Ok((name, behind.strip_prefix(']').ok_or(PathFault::NotClosed)?))
}

fn unescape_name(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('\\') {
        return Some(Cow::Borrowed(text));
    }
    let mut name = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        name.push(match character {
            '\\' => match characters.next()? {
                plain @ ('\'' | '\\') => plain,
                letter => control_character(letter)?,
            },
            plain => plain,
        });
    }
    Some(Cow::Owned(name))
}

#[cfg(test)]
mod tests {
    use super::super::plant::Plant;
    use super::*;

    #[test]
    fn follows_properties_and_maps() {
        let json = r#"{"properties": {"spec": {"properties": {"size": {"type": "integer"},
            "labels": {"additionalProperties": {"type": "string"}}}}}}"#;
        let schema = Plant::new("test").json(json).unwrap();
        let type_of = |path| {
            resolve(&schema, path, Brackets::Refused)
                .map(|(_, field)| field.text_at(&["type"]).to_owned())
        };
        let unknown = |name| Err(PathFault::Unknown(Cow::Borrowed(name)));
        assert_eq!(type_of(".spec.size"), Ok("integer".to_owned()));
        assert_eq!(type_of(".spec.labels.any"), Ok("string".to_owned()));
        assert_eq!(type_of(""), Ok(String::new()));
        assert_eq!(type_of("spec.size"), Err(PathFault::NoDot("spec")));
        assert_eq!(type_of(".spec."), Err(PathFault::NoName));
        assert_eq!(type_of(".spec['size']"), Err(PathFault::Brackets));
        assert_eq!(type_of(".spec.none"), unknown("none"));
        assert_eq!(type_of(".spec..size"), unknown("."));
        assert_eq!(type_of(".'spec.size'"), unknown("'spec.size'"));
        assert_eq!(type_of(".spec.size.more"), unknown("more"));
    }

    #[test]
    fn reads_names_in_brackets_and_quotes() {
        let json = r#"{"properties": {
            "a": {"properties": {"b.c": {}, "it's": {}, "d\\": {}}},
            "m": {"additionalProperties": {"properties": {"k": {}}}}
        }}"#;
        let schema = Plant::new("test").json(json).unwrap();
        for (path, names) in [
            (".a", Ok(vec!["a"])),
            (".a['b.c']", Ok(vec!["a", "b.c"])),
            ("['a']['it\\'s']", Ok(vec!["a", "it's"])),
            (".m.any.k", Ok(vec!["m", "any", "k"])),
            (".m['any']", Ok(vec!["m", "any"])),
            ("a", Err(PathFault::NoDot("a"))),
            (".", Err(PathFault::NoName)),
            (".a.", Err(PathFault::NoName)),
            (".b", Err(PathFault::Unknown("b".into()))),
            (".a[b]", Err(PathFault::NoQuotes)),
            (".a['b.c'", Err(PathFault::NotClosed)),
            (".a['b.c", Err(PathFault::NotClosed)),
            (".a['\\x']", Err(PathFault::NoEscape)),
            (".a.x", Err(PathFault::Unknown("x".into()))),
            // The server sees an escaped quote after an escaped backslash.
            (".a['d\\\\']", Err(PathFault::NotClosed)),
        ] {
            let found = resolve(&schema, path, Brackets::Allowed).map(|it| it.0);
            let names = names.map(|list| list.into_iter().map(Cow::from).collect());
            assert_eq!(found, names, "{path}");
        }
    }
}
