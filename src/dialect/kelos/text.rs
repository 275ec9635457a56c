//! Quoting of the author's strings in shell scripts and JSON.

use std::fmt::Write;

use crate::kube::escape_expansion;

/// Quotes a string as one shell word.
pub(super) fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r#"'"'"'"#))
}

/// A JSON string as Go's encoder writes it, with HTML markup characters escaped.
pub(super) fn json_string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

/// A JSON array of strings.
pub(super) fn json_array<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let items: Vec<_> = texts.into_iter().map(json_string).collect();
    format!("[{}]", items.join(","))
}

/// A JSON object of JSON values, for a variable of a container; the caller sorts the keys.
pub(super) fn json_object<'t>(entries: impl IntoIterator<Item = (&'t str, String)>) -> String {
    let members: Vec<_> = entries
        .into_iter()
        .map(|(key, json)| format!("{}:{json}", escape_expansion(&json_string(key))))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Normalizes a file path in a repository as kelos does, or returns the reason kelos rejects it.
pub(super) fn repository_path(path: &str) -> Result<String, &'static str> {
    if path.trim().is_empty() {
        return Err("it is empty");
    }
    if path.contains('\\') {
        return Err("it has a backslash");
    }
    if path.starts_with('/') {
        return Err("it is absolute");
    }
    let mut clean: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        if segment == ".." {
            clean.pop().ok_or("it leaves the repository")?;
        } else if !segment.is_empty() && segment != "." {
            clean.push(segment);
        }
    }
    if clean.is_empty() { Err("it is the repository itself") } else { Ok(clean.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_word_survives_quotes() {
        assert_eq!(shell_word("it's"), r#"'it'"'"'s'"#);
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn json_matches_go() {
        assert_eq!(json_array(["sh", "-c", "a && b"]), r#"["sh","-c","a \u0026\u0026 b"]"#);
        assert_eq!(json_string("<\"\\\n\u{1}\u{2028}é"), r#""\u003c\"\\\n\u0001\u2028é""#);
        assert_eq!(json_object([("a", "1".to_owned())]), r#"{"a":1}"#);
    }

    #[test]
    fn paths_are_cleaned_and_stay_inside() {
        assert_eq!(repository_path("docs/../CLAUDE.md").as_deref(), Ok("CLAUDE.md"));
        assert_eq!(repository_path("a//./b").as_deref(), Ok("a/b"));
        for path in ["", " ", "./", "../x", "/etc/x", "a\\b", "a/../../b"] {
            assert!(repository_path(path).is_err(), "{path}");
        }
    }
}
