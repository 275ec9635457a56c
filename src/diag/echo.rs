//! Truncation of the values that a finding quotes.
//!
//! A value of the input can have megabytes, and many findings can quote it.

use std::sync::Arc;

use super::{Details, Diagnostic, Label, Suggestion};

/// The length in bytes above which a quotation is truncated. The longest names in Kubernetes have
/// 253.
const LONGEST_QUOTE: usize = 300;
/// The number of bytes shown of a longer one.
const SHOWN: usize = 200;
/// The length in bytes above which a note or help is truncated.
const LONGEST_TEXT: usize = 4000;
/// The length in bytes above which any string of a finding is truncated that thousands precede.
const LONGEST_LATER_TEXT: usize = 400;
/// The length in bytes above which a headline is truncated: a value in it can contain backticks.
const LONGEST_HEADLINE: usize = 1000;

impl Diagnostic {
    /// Truncates the values that it quotes, and its long strings; more of them if thousands precede it.
    pub(super) fn shorten(&mut self, is_late: bool) {
        if !self.texts().any(is_long) {
            return;
        }
        let longest = |most| if is_late { LONGEST_LATER_TEXT } else { most };
        let Self { primary, details, .. } = self;
        let Details { message, secondary, notes, help, suggestions, .. } = Arc::make_mut(details);
        for Label { text, .. } in std::iter::once(primary).chain(secondary) {
            if is_long(text) {
                let mut cut = text.to_string();
                shorten(&mut cut, longest(LONGEST_TEXT));
                *text = cut.into();
            }
        }
        let suggestions = suggestions.iter_mut().map(|Suggestion { text, .. }| text);
        let others = notes.iter_mut().chain(help).chain(suggestions);
        shorten(message, longest(LONGEST_HEADLINE));
        others.for_each(|text| shorten(text, longest(LONGEST_TEXT)));
    }

    /// All strings that a reader sees, except replacements.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let Details { message, secondary, notes, help, suggestions, .. } = &**self;
        let labels = std::iter::once(&self.primary).chain(secondary).map(|it| &*it.text);
        let suggestions = suggestions.iter().map(|it| &it.text);
        let texts = std::iter::once(message).chain(notes).chain(help).chain(suggestions);
        labels.chain(texts.map(String::as_str))
    }
}

/// The part of a string that messages show. Thousands of findings that quote megabytes before they are
/// truncated would take as many copies.
pub(crate) fn brief(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_TEXT)).unwrap_or(text)
}

const fn is_long(text: &str) -> bool {
    text.len() > LONGEST_QUOTE
}

/// Truncates the quotations in a text, and the text itself.
fn shorten(text: &mut String, longest: usize) {
    if !is_long(text) {
        return;
    }
    if text.split('`').any(|part| part.len() > LONGEST_QUOTE) {
        let parts = text.split('`').enumerate();
        let parts: Vec<_> = parts
            .map(|(number, part)| {
                let is_quoted = number % 2 == 1;
                if is_quoted && part.len() > LONGEST_QUOTE { cut(part, SHOWN) } else { part.into() }
            })
            .collect();
        *text = parts.join("`");
    }
    if text.len() > longest {
        *text = cut(text, longest);
    }
}

/// A text of at most this number of bytes, or the beginning of a longer one, with a mark for the rest.
pub(crate) fn cut(text: &str, length: usize) -> String {
    if text.len() <= length {
        return text.to_owned();
    }
    let start = text.get(..text.floor_char_boundary(length)).unwrap_or_default();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Rule, Severity};
    use crate::source::Workspace;

    fn shortened(text: &str) -> String {
        let mut text = text.to_owned();
        shorten(&mut text, LONGEST_TEXT);
        text
    }

    #[test]
    fn only_long_quotations_are_truncated() {
        let name = "n".repeat(253);
        let text = format!("Secret `{name}` of `{name}` not found");
        assert_eq!(shortened(&text), text);
        let text = format!("unknown field `{}` in `spec`", "é".repeat(400));
        assert_eq!(shortened(&text), format!("unknown field `{}…` in `spec`", "é".repeat(100)));
    }

    #[test]
    fn a_brief_string_is_as_long_as_a_message() {
        assert_eq!(brief("é"), "é");
        assert_eq!(brief(&"é".repeat(LONGEST_TEXT)).len(), LONGEST_TEXT);
        assert_eq!(brief(&format!("a{}", "é".repeat(LONGEST_TEXT))).len(), LONGEST_TEXT - 1);
    }

    #[test]
    fn texts_of_later_findings_are_shorter() {
        static A_RULE: Rule = Rule::new("a-rule", Severity::Error, "");
        let text = "word ".repeat(1000);
        let lengths = |is_late| {
            let finding = Diagnostic::new(&A_RULE, Workspace::new().start(), text.clone());
            let mut finding = finding.at(text.clone()).note(text.clone()).help(text.clone());
            finding.shorten(is_late);
            finding.texts().map(str::len).collect::<Vec<_>>()
        };
        let mark = "…".len();
        assert_eq!(lengths(false), [4000, 1000, 4000, 4000].map(|it| it + mark));
        assert_eq!(lengths(true), [400 + mark; 4]);
    }

    #[test]
    fn messages_have_a_bounded_length() {
        let text = format!("expected one of {}", "`a`, ".repeat(4000));
        assert!(shortened(&text).len() <= LONGEST_TEXT + "…".len());
        let text = format!("not closed `{}", "x".repeat(1_000_000));
        assert!(shortened(&text).len() < LONGEST_QUOTE);
    }
}
