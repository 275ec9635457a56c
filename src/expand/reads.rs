//! The values that the expressions of a string read.

use super::tokens::{Token, token};
use crate::sorted::SortedSet;
use crate::source::Slice as _;
use crate::tree::Node;

/// The paths below `values` that the expressions of a string read, in order, each once: `image` and
/// `tag` for `{{ values.image.tag }}`.
pub(crate) fn value_paths(text: &str) -> Vec<Vec<String>> {
    let mut paths = all_value_paths(text);
    paths.retain(|it| !it.is_empty());
    paths
}

/// Like [`value_paths`], with an empty path where an expression reads all values, or computes a key.
pub(crate) fn all_value_paths(text: &str) -> Vec<Vec<String>> {
    let mut paths: Vec<Vec<String>> = Vec::new();
    let mut at = 0;
    while let Some(start) = next_code(text, at) {
        at = read_code(text, start, &mut paths);
    }
    let mut known = SortedSet::new();
    paths.retain(|it| known.insert(it.clone()));
    paths
}

/// Whether an expression of a string reads a value that is defined.
pub(crate) fn reads_defined_value(text: &str, values: &Node) -> bool {
    let is_defined = |path: &Vec<String>| {
        let mut value = values;
        for key in path {
            // Whether other values than maps have a member is not known.
            let Some(map) = value.as_map() else { return true };
            let Some(below) = map.get(key) else { return false };
            value = below;
        }
        true
    };
    memchr::memmem::find(text.as_bytes(), b"values").is_some()
        && value_paths(text).iter().any(is_defined)
}

/// The start of the code of the next `{{` or `{%`.
fn next_code(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let is_code = |at: &usize| matches!(rest.as_bytes().get(at + 1), Some(b'{' | b'%'));
    let found = rest.match_indices('{').map(|(at, _)| at).find(is_code)?;
    let start = at + found + 2;
    let is_trimming = text.get(start..).is_some_and(|it| it.starts_with(['-', '+']));
    Some(start + usize::from(is_trimming))
}

/// Reads the code at `at` up to its end, and returns the position after it.
fn read_code(text: &str, at: usize, paths: &mut Vec<Vec<String>>) -> usize {
    let (mut at, mut depth, mut is_member) = (at, 0_usize, false);
    while let Some((found, _, end)) = token(text, at, depth > 0) {
        at = end;
        match found {
            Token::End => return end,
            Token::Name("values") if !is_member => {
                let (path, after) = path_after(text, end, depth > 0);
                paths.push(path);
                at = after;
            }
            Token::Open(_) => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_member = found == Token::Operator(".");
    }
    text.len()
}

/// The keys after `values`, as `.key` and `["key"]`, and the position after them.
fn path_after(text: &str, at: usize, in_brackets: bool) -> (Vec<String>, usize) {
    let (mut path, mut at) = (Vec::new(), at);
    while let Some((first, _, after_first)) = token(text, at, in_brackets) {
        match first {
            Token::Operator(".") => {
                let Some((Token::Name(key), _, end)) = token(text, after_first, in_brackets) else {
                    break;
                };
                path.push(key.to_owned());
                at = end;
            }
            Token::Open('[') => {
                let Some((Token::Literal, start, end)) = token(text, after_first, true) else {
                    break;
                };
                let Some((Token::Close, _, after)) = token(text, end, true) else { break };
                let literal = text.slice(start..end);
                path.push(literal.trim_matches(['"', '\'']).to_owned());
                at = after;
            }
            _ => break,
        }
    }
    (path, at)
}

#[cfg(test)]
mod tests {
    use super::value_paths;

    #[test]
    fn paths_below_values_are_found() {
        let paths = |text: &str| -> Vec<String> {
            value_paths(text).iter().map(|it| it.join("/")).collect()
        };
        assert_eq!(
            paths("{{ values.image.name }}:{{ values.image.tag }}"),
            ["image/name", "image/tag"]
        );
        assert_eq!(paths("{{ values['a-b'].c[0] | default(values.d) }}"), ["a-b/c/0", "d"]);
        assert_eq!(paths("{% if values.a %}{{- item.values.b -}}{% endif %}"), ["a"]);
        assert_eq!(paths("{{ values.a + values.a }} values.b {{ 'values.c' }}"), ["a"]);
        assert_eq!(paths("{{ {'k': values.x}.k }}{{ values.y }}"), ["x", "y"]);
        assert!(paths("values.a {{ values }} {{ values[item] }} {{").is_empty());
    }
}
