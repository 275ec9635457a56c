//! The functions that rules can call, and the release that added each.
//!
//! `declarations.txt` is recorded from the API server's own environment by `tools/oracle`.

use std::sync::LazyLock;

use super::types::Type;
use crate::sorted::SortedMap;

/// An overload of a function.
#[derive(Debug)]
pub(super) struct Overload {
    /// The unique name of the overload: `size_string`.
    pub(super) id: &'static str,
    /// The minor version of the first API server that accepts the overload in a new definition.
    pub(super) since: u32,
    /// Whether the function is called as a member of its first argument: `a.size()`.
    pub(super) is_member: bool,
    /// The types of the arguments, target first; type parameters are numbered from 0.
    pub(super) arguments: Vec<Type>,
    /// The type of the result.
    pub(super) result: Type,
    /// The number of type parameters.
    pub(super) parameters: usize,
}

/// The parsed declarations. They are read once, and only if a definition has rules.
static FUNCTIONS: LazyLock<SortedMap<&'static str, Vec<Overload>>> = LazyLock::new(|| {
    let mut functions: SortedMap<&'static str, Vec<Overload>> = SortedMap::new();
    for line in include_str!("declarations.txt").lines().chain([PATCH_FUNCTIONS]) {
        if let Some((name, overload)) = parse_declaration(line) {
            functions.entry(name).or_default().push(overload);
        }
    }
    functions
});

/// The functions that only expressions of patches can call; the server's environment of custom
/// resource definitions does not have them (`pkg/cel/mutation`).
const PATCH_FUNCTIONS: &str =
    "1.33 jsonpatch.escapeKey jsonpatch_escapeKey_string (string) -> string";
/// The prefix of their names.
pub(super) const OF_PATCHES: &str = "jsonpatch.";

/// The overloads of the function `name`.
pub(super) fn overloads(name: &str) -> &'static [Overload] {
    FUNCTIONS.get(name).map_or(&[], Vec::as_slice)
}

/// Whether any release has a function called `name`.
pub(super) fn is_declared(name: &str) -> bool {
    FUNCTIONS.contains_key(name)
}

/// The names of all functions, for suggestions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.keys().copied()
}

/// Parses one line: `1.33 size list_size list(<A>).() -> int`.
fn parse_declaration(line: &'static str) -> Option<(&'static str, Overload)> {
    let mut words = line.splitn(4, ' ');
    let since = words.next()?.strip_prefix("1.")?.parse().ok()?;
    let (name, id) = (words.next()?, words.next()?);
    let (arguments, result) = words.next()?.split_once(" -> ")?;
    // The arguments are in the last parenthesis that opens at the outermost level.
    let open = outermost_bracket(arguments)?;
    let (target, arguments) = (arguments.get(..open)?, arguments.get(open + 1..)?);
    let mut reader = TypeReader { rest: target.strip_suffix('.').unwrap_or(""), names: Vec::new() };
    let is_member = !target.is_empty();
    let mut types = Vec::new();
    if is_member {
        types.push(reader.read()?);
    }
    reader.rest = arguments;
    while !reader.rest.starts_with(')') {
        types.push(reader.read()?);
        reader.rest = reader.rest.strip_prefix(", ").unwrap_or(reader.rest);
    }
    reader.rest = result;
    let result = reader.read()?;
    let parameters = reader.names.len();
    Some((name, Overload { id, since, is_member, arguments: types, result, parameters }))
}

fn outermost_bracket(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut last = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => {
                if depth == 0 {
                    last = Some(at);
                }
                depth += 1;
            }
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    last
}

struct TypeReader {
    rest: &'static str,
    names: Vec<&'static str>,
}

impl TypeReader {
    fn read(&mut self) -> Option<Type> {
        if let Some(rest) = self.rest.strip_prefix('<') {
            let (name, rest) = rest.split_once('>')?;
            self.rest = rest;
            let known = self.names.iter().position(|other| *other == name);
            return Some(Type::Parameter(known.unwrap_or_else(|| {
                self.names.push(name);
                self.names.len() - 1
            })));
        }
        let end = self.rest.find([',', '(', ')']).unwrap_or(self.rest.len());
        let name = self.rest.get(..end)?;
        self.rest = self.rest.get(end..)?;
        let mut inner = Vec::new();
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            while !self.rest.starts_with(')') {
                inner.push(self.read()?);
                self.rest = self.rest.strip_prefix(", ").unwrap_or(self.rest);
            }
            self.rest = self.rest.strip_prefix(')')?;
        }
        let mut inner = inner.into_iter();
        Some(match name {
            "list" => Type::list(inner.next()?),
            "map" => Type::map(inner.next()?, inner.next()?),
            "optional_type" => Type::optional(inner.next()?),
            "type" => Type::Meta,
            "bool" => Type::Bool,
            "int" => Type::Int,
            "uint" => Type::Uint,
            "double" => Type::Double,
            "string" => Type::String,
            "bytes" => Type::Bytes,
            "dyn" => Type::Dyn,
            "null_type" => Type::Null,
            "google.protobuf.Timestamp" => Type::Timestamp,
            "google.protobuf.Duration" => Type::Duration,
            name => Type::Library(name),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let lines = include_str!("declarations.txt").lines();
        assert_eq!(
            lines.filter(|line| parse_declaration(line).is_none()).collect::<Vec<_>>(),
            [""; 0]
        );
        let flatten = overloads("flatten").first().unwrap();
        assert_eq!((flatten.since, flatten.is_member, flatten.parameters), (35, true, 1));
        assert_eq!(flatten.arguments, [Type::list(Type::list(Type::Parameter(0)))]);
        assert_eq!(flatten.result, Type::list(Type::Parameter(0)));
    }
}
