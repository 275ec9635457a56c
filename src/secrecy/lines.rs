//! Detection of secret values in source lines, for documents that cannot be parsed.

use super::credentials::is_credential;
use crate::source::Span;

/// Keys of a Secret whose values are not secrets.
const ENVELOPE: [&str; 6] = ["apiVersion", "kind", "metadata", "name", "namespace", "type"];

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
/// its envelope, the values of keys that look like credentials, and the line after a `name` that
/// looks like one.
pub(super) fn of_unreadable(place: Span, text: &str) -> Vec<Span> {
    let is_kind = |line: &str| {
        line.split_once(':').is_some_and(|(key, value)| {
            key.trim_matches([' ', '"', '\'']) == "kind" && value.contains("Secret")
        })
    };
    let is_secret = text.lines().any(is_kind);
    let mut secrets = Vec::new();
    let (mut is_after_name, mut at) = (false, 0);
    for line in text.split_inclusive('\n') {
        let (key, value) = line.split_once(':').unwrap_or(("", line));
        let key = key.trim_matches([' ', '\t', '"', '\'', '-', '{']);
        // `automountServiceAccountToken: false` is a setting.
        let is_switch = ["false", "true"].contains(&value.trim());
        let hides = is_secret && !ENVELOPE.contains(&key)
            || is_credential(key) && !is_switch
            || is_after_name;
        let (start, end) = (at + line.len() - value.len(), at + line.trim_end().len());
        secrets.extend((hides && start < end).then(|| place.part(start..end)));
        is_after_name = key == "name" && is_credential(value.trim());
        at += line.len();
    }
    secrets
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
