//! `fieldPath` of a rule: `.spec.size`, `['a.b']` (`ValidFieldPath` of apiextensions-apiserver).

use crate::crd::field_path::below;
use crate::tree::Node;

/// The names on a path that leads through a schema; `Err` names what is wrong with it.
pub(crate) fn field_path(path: &str, schema: &Node) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let (mut rest, mut schema) = (path, schema);
    while !rest.is_empty() {
        let (name, behind) = step(rest)?;
        let below = below(schema, &name);
        schema = below.ok_or_else(|| format!("the schema has no `{name}` there"))?;
        names.push(name);
        rest = behind;
    }
    Ok(names)
}

/// The first name, and what is behind it.
fn step(path: &str) -> Result<(String, &str), String> {
    if let Some(rest) = path.strip_prefix('.') {
        let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        return if name.is_empty() {
            Err("a name is missing behind a dot".to_owned())
        } else {
            Ok((name.to_owned(), behind))
        };
    }
    let Some(rest) = path.strip_prefix("['") else {
        return Err("it begins with a dot, or with a key in brackets and single quotes".to_owned());
    };
    let mut name = String::new();
    let mut characters = rest.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\'' => {
                let behind = rest.get(at + 1..).and_then(|it| it.strip_prefix(']'));
                let behind = behind.ok_or("a bracket is not closed")?;
                return Ok((name, behind));
            }
            '\\' => name.push(match characters.next().map(|(_, escaped)| escaped) {
                Some('a') => '\u{7}',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('v') => '\u{b}',
                Some(plain @ ('\'' | '\\')) => plain,
                _ => return Err("an escape is none".to_owned()),
            }),
            other => name.push(other),
        }
    }
    Err("a quote is not closed".to_owned())
}
