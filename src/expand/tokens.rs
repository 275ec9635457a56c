//! The tokens of expressions, split as minijinja does.

use crate::source::Slice as _;

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A name or a keyword.
    Name(&'t str),
    /// A number or a string.
    Literal,
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close,
    /// Any other operator or punctuation.
    Operator(&'t str),
    /// `}}` or `%}`, with the `-` or `+` before it.
    End,
}

/// The operators of two characters.
const PAIRS: [&str; 6] = ["//", "**", "==", "!=", ">=", "<="];
const ENDS: [&str; 6] = ["}}", "-}}", "+}}", "%}", "-%}", "+%}"];

/// The token at or after `at`, with its start and end. Inside brackets the code does not end.
pub(super) fn token(text: &str, at: usize, in_brackets: bool) -> Option<(Token<'_>, usize, usize)> {
    let rest = text.get(at..)?;
    let start = at + (rest.len() - rest.trim_start().len());
    let rest = text.get(start..)?;
    let first = rest.chars().next()?;
    if !in_brackets && let Some(end) = ENDS.iter().find(|end| rest.starts_with(**end)) {
        return Some((Token::End, start, start + end.len()));
    }
    let (token, length) = match first {
        'a'..='z' | 'A'..='Z' | '_' => {
            let length = length_of(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            (Token::Name(rest.get(..length)?), length)
        }
        '0'..='9' => (Token::Literal, number_length(rest)),
        '"' | '\'' => (Token::Literal, string_length(rest, first)),
        '(' | '[' | '{' => (Token::Open(first), 1),
        ')' | ']' | '}' => (Token::Close, 1),
        _ => {
            let pair = PAIRS.iter().find(|pair| rest.starts_with(**pair));
            let length = pair.map_or(first.len_utf8(), |pair| pair.len());
            (Token::Operator(rest.get(..length)?), length)
        }
    };
    Some((token, start, start + length))
}

/// The name of a tag whose `{%` ends at `at`, and the end of the name.
pub(super) fn tag_name(text: &str, at: usize) -> (&str, usize) {
    let rest = text.slice(at..);
    let name = rest.trim_start_matches(['-', '+']).trim_start();
    let start = at + (rest.len() - name.len());
    let length = length_of(name, |c| c.is_ascii_alphanumeric() || c == '_');
    (name.slice(..length), start + length)
}

fn length_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.len() - text.trim_start_matches(is_part).len()
}

/// The length of a number: digits, letters and underscores, a point before a digit, and the sign of
/// an exponent.
fn number_length(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts_with_digit = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_digit());
    let mut length = length_of(text, is_part);
    let fraction = text.get(length..).and_then(|rest| rest.strip_prefix('.'));
    if let Some(fraction) = fraction.filter(starts_with_digit) {
        length += 1 + length_of(fraction, is_part);
    }
    let (number, rest) = (text.slice(..length), text.slice(length..));
    let is_open = number.ends_with(['e', 'E']) && !number.starts_with("0x");
    match rest.strip_prefix(['+', '-']).filter(starts_with_digit) {
        Some(exponent) if is_open => length + 1 + length_of(exponent, is_part),
        _ => length,
    }
}

/// The length of a string up to its closing quote, or to the end if it has none.
fn string_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if is_escaped {
            is_escaped = false;
        } else if character == '\\' {
            is_escaped = true;
        } else if character == quote {
            return at + 1;
        }
    }
    text.len()
}
