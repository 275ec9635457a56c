//! `$(NAME)` in commands, arguments and environment variables, which the kubelet expands.

use std::borrow::Cow;

/// Escapes a string so that the kubelet's expansion leaves it unchanged.
///
/// The kubelet replaces `$(NAME)` with the value of a variable, and `$$` with `$`. Only a `$`
/// before one of these needs to be doubled.
pub fn escape_expansion(text: &str) -> Cow<'_, str> {
    if !text.contains("$(") && !text.contains("$$") {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, run) = rest.split_at(at);
        let length = run.len() - run.trim_start_matches('$').len();
        let (dollars, after) = run.split_at(length);
        escaped.push_str(before);
        escaped.push_str(dollars);
        if length > 1 || after.starts_with('(') {
            escaped.push_str(dollars);
        }
        rest = after;
    }
    escaped.push_str(rest);
    Cow::Owned(escaped)
}

/// The string that [`escape_expansion`] turns into this one; `None` if there is none, because the kubelet
/// would expand it.
pub fn unescape_expansion(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, run) = rest.split_at(at);
        let length = run.len() - run.trim_start_matches('$').len();
        let (dollars, after) = run.split_at(length);
        plain.push_str(before);
        plain.push_str(dollars.get(..length.div_ceil(2))?);
        rest = after;
    }
    plain.push_str(rest);
    (escape_expansion(&plain) == text).then_some(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Expands a text as the kubelet does if every name is a variable.
    fn expand(text: &str) -> String {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            expanded.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('$') {
                expanded.push('$');
                rest = after;
            } else if let Some((_, after)) =
                rest.strip_prefix('(').and_then(|rest| rest.split_once(')'))
            {
                expanded.push_str("<value>");
                rest = after;
            } else {
                expanded.push('$');
            }
        }
        expanded.push_str(rest);
        expanded
    }

    #[test]
    fn only_escaped_strings_are_unescaped() {
        for (text, plain) in [
            ("$$(TOKEN)", Some("$(TOKEN)")),
            ("$5 and $HOME", Some("$5 and $HOME")),
            ("$$$$x", Some("$$x")),
            ("$(TOKEN)", None),
            ("$$$(TOKEN)", None),
            ("$$x", None),
        ] {
            assert_eq!(unescape_expansion(text).as_deref(), plain, "{text}");
        }
    }

    #[test]
    fn only_expandable_references_are_escaped() {
        assert_eq!(escape_expansion("cost $5 at $HOME$"), "cost $5 at $HOME$");
        assert_eq!(escape_expansion("$(TOKEN)"), "$$(TOKEN)");
        assert_eq!(escape_expansion("$$x$$"), "$$$$x$$$$");
    }

    proptest! {
        #[test]
        fn the_kubelet_restores_every_text(text in "[$()a]{0,12}") {
            prop_assert_eq!(unescape_expansion(&escape_expansion(&text)), Some(text.clone()));
            prop_assert_eq!(expand(&escape_expansion(&text)), text);
        }
    }
}
