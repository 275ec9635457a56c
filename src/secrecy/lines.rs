//! Detection of secret values in source lines, for documents that cannot be parsed.

use super::credentials::is_credential;
use crate::source::Span;

/// Keys of a Secret whose values are not secrets.
const ENVELOPE: [&str; 7] =
    ["apiVersion", "immutable", "kind", "metadata", "name", "namespace", "type"];

/// Whether a field of a Secret contains no secret, even if its case is wrong.
pub(super) fn is_of_envelope(key: &str) -> bool {
    ENVELOPE.iter().any(|it| it.eq_ignore_ascii_case(key))
}

/// The number of bytes of a `name` that are compared: a line can have millions of keys.
const LONGEST_NAME: usize = 256;

/// The values of the secret keys in `text`, which starts at `place`, as far as they are on the line
/// of the key.
pub(super) fn values(place: Span, text: &str, is_secret: &dyn Fn(&str) -> bool) -> Vec<Span> {
    let mut values = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        // A line can have millions of colons: only the text after the one before is searched.
        let (mut read, mut is_in_braces) = (0, false);
        for (colon, _) in line.match_indices(':') {
            let Some(piece) = line.get(read..colon) else { continue };
            is_in_braces |= piece.contains('{');
            read = colon + 1;
            let key = piece.trim_end().rsplit([' ', ',', '{']).next().unwrap_or("");
            if !is_secret(key.trim_matches(['"', '\''])) {
                continue;
            }
            let value = line.get(read..).unwrap_or("");
            let length = if is_in_braces { flow_value(value) } else { value.trim_end().len() };
            values.extend((length > 0).then(|| place.part(at + read..at + read + length)));
            read += length;
        }
        at += line.len();
    }
    values
}

/// The length of a value in braces, in bytes: to the end of its quotes, or to a comma or brace.
fn flow_value(text: &str) -> usize {
    let indent = text.len() - text.trim_start().len();
    let value = text.trim_start();
    let length = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            value.char_indices().skip(1).find(|(_, c)| *c == quote).map(|(at, _)| at + 1)
        }
        _ => value.find([',', '}']),
    };
    indent + length.unwrap_or(value.trim_end().len())
}

/// The secret values of a document that is not valid YAML: all values of a Secret except those of
/// its envelope, the values of keys that look like credentials, and what is next to a `name` that
/// looks like one: the rest of its line, or else the next line, and a `value` in the line before.
pub(super) fn of_unreadable(place: Span, text: &str) -> Vec<Span> {
    let is_kind = |line: &str| {
        line.split_once(':').is_some_and(|(key, value)| {
            key.trim_matches([' ', '"', '\'']) == "kind" && value.contains("Secret")
        })
    };
    let is_secret = text.lines().any(is_kind);
    let hides = |key: &str, value: &str| {
        // `automountServiceAccountToken: false` is a setting.
        let is_switch =
            ["false", "true"].contains(&value.trim_matches([' ', ',', '}', '\r', '\n']));
        is_secret && !is_of_envelope(key) || is_credential(key) && !is_switch
    };
    let mut secrets = Vec::new();
    let (mut is_after_name, mut value_before, mut at) = (false, None, 0);
    for line in text.split_inclusive('\n') {
        let hidden = |from: usize| {
            let (start, end) = (at + from, at + line.trim_end().len());
            (start < end).then(|| place.part(start..end))
        };
        let first = pairs(line).next().map(|(_, start)| start);
        // A line without a key continues a value.
        let is_hidden = is_after_name || is_secret && first.is_none();
        let mut from = is_hidden.then_some(first.unwrap_or(0));
        let mut value_here = None;
        is_after_name = false;
        for (key, start) in pairs(line) {
            let value = line.get(start..).unwrap_or("");
            if hides(key, value) {
                from = from.or(Some(start));
            } else if key == "value" {
                value_here = value_here.or(Some(start));
            } else if key == "name" {
                let longest = value.floor_char_boundary(LONGEST_NAME);
                let near = value.get(..longest).unwrap_or(value);
                let (name, rest) = value.split_at(near.find([',', '}']).unwrap_or(longest));
                if is_credential(name.trim()) {
                    secrets.extend(std::mem::take(&mut value_before));
                    is_after_name = rest.trim_matches([' ', ',', '\r', '\n']).is_empty();
                    let is_last =
                        is_after_name || rest.trim_matches(['}', ']', ' ', '\r', '\n']).is_empty();
                    let behind = (!is_last).then_some(start + name.len() + 1);
                    from = from.or(value_here).or(behind);
                }
            }
            if from.is_some() {
                break;
            }
        }
        secrets.extend(from.and_then(hidden));
        value_before = value_here.filter(|_| from.is_none()).and_then(hidden);
        at += line.len();
    }
    secrets.sort_unstable();
    secrets
}

/// The keys of a line, and the start of the value of each. The first key can contain spaces; the others are
/// in braces, or before a space.
fn pairs(line: &str) -> impl Iterator<Item = (&str, usize)> {
    let (mut read, mut searched, mut is_in_braces) = (0, 0, false);
    line.match_indices(':').filter_map(move |(colon, _)| {
        let piece = line.get(read..colon)?;
        let is_first = read == 0;
        is_in_braces |= line.get(searched..colon)?.contains('{');
        searched = colon;
        let is_key = is_first
            || is_in_braces
            || line.get(colon + 1..)?.starts_with(|c: char| c.is_whitespace());
        if !is_key {
            return None;
        }
        read = colon + 1;
        let key = if is_in_braces || !is_first {
            piece.trim_end().rsplit([' ', '\t', ',', '{']).next().unwrap_or("")
        } else {
            piece
        };
        Some((key.trim_matches([' ', '\t', '"', '\'', '-']), read))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    fn hidden(text: &str, find: impl Fn(Span) -> Vec<Span>) -> String {
        let mut workspace = Workspace::new();
        let file = workspace.add("a", text);
        let all = Span::new(file, 0, u32::try_from(text.len()).expect("short"));
        workspace.mask(&find(all));
        workspace.file(file).text().to_owned()
    }

    #[test]
    fn values_follow_their_keys() {
        let text = "{name: a, value: b, c: d, value: e:f}\n- \"value\": c:d\n- values: e\n";
        let is_value = |key: &str| key == "value";
        let masked = hidden(text, |all| values(all, text, &is_value));
        assert_eq!(
            masked,
            "{name: a, value: *, c: d, value: ***}\n- \"value\": ***\n- values: e\n"
        );
    }

    #[test]
    fn a_key_can_contain_a_colon() {
        let text = "db:token: abc\n'a:password': b\n";
        let masked = hidden(text, |all| values(all, text, &is_credential));
        assert_eq!(masked, "db:token: ***\n'a:password': *\n");
    }

    #[test]
    fn credentials_in_braces_are_hidden() {
        for (text, shown) in [
            ("- {name: TOKEN, value: \"ab\"\n- {name: A, value: b}\n", "\n- {name: A, value: b}\n"),
            ("- {name: TOKEN, value: ab}}\n", "- {name: TOKEN,"),
            ("- {value: ab, name: TOKEN}}\n", "- {value:"),
            ("- {name: TOKEN}\n- {a: b\n", "- {name: TOKEN}\n- {a: b\n"),
            ("- {name: TOKEN,\n   value: ab\n", "- {name: TOKEN,\n   value:"),
            ("- value: ab\n  name: TOKEN\n", "\n  name: TOKEN\n"),
            ("- name: TOKEN\n  value: ab\n", "- name: TOKEN\n  value:"),
            ("env: [{name: TOKEN, value:{ab}}]\n", "env: [{name: TOKEN,"),
            ("data: {TOKEN:{\"ab\"}, mode: a}\n", "data: {TOKEN:"),
            ("data: {mode: a, TOKEN:ab\n", "data: {mode: a, TOKEN:"),
            ("url: http://x token: ab\n", "url: http://x token:"),
            ("image: a/token:1.2\n", "image: a/token:1.2\n"),
        ] {
            let masked = hidden(text, |all| of_unreadable(all, text));
            assert!(masked.contains(shown) && !masked.contains("ab"), "{masked}");
        }
    }

    #[test]
    fn switches_are_shown() {
        let text = "a: {\nautomountServiceAccountToken: false\ntoken: abc\n";
        let masked = hidden(text, |all| of_unreadable(all, text));
        assert_eq!(masked, "a: {\nautomountServiceAccountToken: false\ntoken: ***\n");
    }

    #[test]
    fn an_unreadable_secret_only_shows_its_envelope() {
        let text = "kind: Secret\nmetadata: {name: a\nstringData:\n  a: 'b\n  c\n";
        let masked = hidden(text, |all| of_unreadable(all, text));
        assert_eq!(masked, "kind: Secret\nmetadata: {name: a\nstringData:\n  a: **\n  *\n");
    }
}
