//! The structure of a text that cannot be read: punctuation, and the names of fields where a key is.
//!
//! What is a value in such a text cannot be known, so everything else is hidden. A wrong guess hides
//! more.

use std::ops::Range;

use super::signs::is_field_or_kind;
use crate::source::Slice as _;

/// The length in bytes of the longest punctuation that is shown: `---`.
const LONGEST_SIGN: usize = 3;

/// The parts of a text to hide.
pub(super) fn hidden(text: &str) -> Vec<Range<usize>> {
    let (mut hidden, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let (mut is_first, mut key) = (true, "");
        for token in tokens(line) {
            let word = line.slice(token.clone());
            if is_sign(word) {
                continue;
            }
            let after = line.slice(token.end..);
            let is_key = is_before_colon(after);
            let before = line.slice(..token.start);
            let is_shown = match key {
                "kind" if is_after_colon(before) => is_field_or_kind(word),
                "apiVersion" if is_after_colon(before) => is_version(word),
                _ => (is_key || is_first) && is_field_or_kind(word),
            };
            if !is_shown {
                hidden.push(start + token.start..start + token.end);
            }
            (is_first, key) = (false, if is_key { word } else { "" });
        }
        start += line.len();
    }
    hidden
}

/// The words of a line, between spaces, brackets, commas, colons and quotes.
fn tokens(line: &str) -> impl Iterator<Item = Range<usize>> {
    let is_between =
        |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '[' | ']' | ',' | ':' | '"' | '\'');
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = line.get(at..)?.trim_start_matches(is_between);
        let from = line.len() - rest.len();
        at = line.len() - rest.trim_start_matches(|c| !is_between(c)).len();
        (from < at).then_some(from..at)
    })
}

/// Whether a token is an indicator of YAML.
fn is_sign(token: &str) -> bool {
    let is_one = |c| {
        matches!(
            c,
            b'-' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'+' | b'?' | b'.' | b'<' | b'='
        )
    };
    token.len() <= LONGEST_SIGN && token.bytes().all(is_one)
}

fn is_before_colon(after: &str) -> bool {
    after.trim_start_matches(['"', '\'', ' ']).starts_with(':')
}

fn is_after_colon(before: &str) -> bool {
    before.trim_end_matches(['"', '\'', ' ']).ends_with(':')
}

/// Whether a word is the value of `apiVersion`: `v1`, `apps/v1beta1`.
fn is_version(word: &str) -> bool {
    let (group, version) = word.rsplit_once('/').unwrap_or(("", word));
    let Some(numbers) = version.strip_prefix('v') else { return false };
    let is_number = |digits: &str| {
        !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|c| c.is_ascii_digit())
    };
    let is_named = |c: u8| c.is_ascii_lowercase() || c == b'.' || c == b'-';
    numbers.split("alpha").flat_map(|it| it.split("beta")).all(is_number)
        && group.bytes().all(|c| is_named(c) || c.is_ascii_digit())
        && (group.is_empty() || group.contains('.') || is_field_or_group(group))
}

/// The groups of Kubernetes without a dot.
fn is_field_or_group(group: &str) -> bool {
    ["apps", "autoscaling", "batch", "extensions", "policy"].contains(&group)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut shown = text.to_owned();
        for range in hidden(text) {
            let stars = "*".repeat(range.len());
            shown.replace_range(range, &stars);
        }
        shown
    }

    #[test]
    fn only_punctuation_and_fields_are_shown() {
        for (text, expected) in [
            ("kind: Secret\nmetadata: {name: a\n", "kind: Secret\nmetadata: {name: *\n"),
            ("apiVersion: v1\ndata:\n  ab: 'cd\n", "apiVersion: v1\ndata:\n  **: '**\n"),
            (
                "{\"kind\":\"Secret\" \"data\":{\"a b\":\"c\"}}",
                "{\"kind\":\"Secret\" \"data\":{\"* *\":\"*\"}}",
            ),
            ("stringData {a: b}\n- name: x # ab\n", "stringData {*: *}\n- name: * # **\n"),
            ("a: |-\n  data kind\n  kind: data\n", "*: |-\n  data ****\n  kind: data\n"),
            ("kind: hunter\napiVersion: hunter2/v1\n", "kind: ******\napiVersion: **********\n"),
            ("apiVersion: apps/v1beta2", "apiVersion: apps/v1beta2"),
            ("a: &b *c\nb: -----\n", "*: ** **\n*: *****\n"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }
}
