//! The parts of a string: text, and expressions.
//!
//! `{{ ... }}` is an expression, and `{% raw %}...{% endraw %}` is text. Other statements and comments
//! of Jinja are rejected, see `statements.rs`. A `-` next to the braces removes the space on its side.

use std::ops::Range;

use super::code::Code;
use super::tokens::tag_name;
use super::{EXPRESSION_STATEMENT, EXPRESSION_SYNTAX};
use crate::diag::{Message, Rule, TOO_MUCH_WORK, message};
use crate::limits::Fuel;
use crate::source::Slice as _;

/// A part of a string.
#[derive(Debug)]
pub(super) enum Part<'t> {
    Text(&'t str),
    Expression(Code<'t>),
}

/// The reason a string is rejected before it is compiled.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) rule: &'static Rule,
    pub(super) at: Range<usize>,
    pub(super) message: Message,
}

impl Refused {
    pub(super) fn new(rule: &'static Rule, at: Range<usize>, message: Message) -> Self {
        Self { rule, at, message }
    }
}

/// Whether a string has parts other than text. Most strings are so short that the start of a search
/// takes longer.
pub(super) fn is_expression(text: &str) -> bool {
    text.as_bytes().contains(&b'{') && next_mark(text, 0, last_comment_end(text)).is_some()
}

/// The steps of the compilation of an expression, which takes a kilobyte.
const OF_EXPRESSION: usize = 700;
pub(super) const TOO_MANY_STEPS: &str = "the expressions of the definition take too many steps";

/// Splits a string into its parts, if there is fuel for the compilation of its expressions.
pub(super) fn parts<'t>(text: &'t str, fuel: &Fuel<'_>) -> Result<Vec<Part<'t>>, Refused> {
    let last_comment_end = last_comment_end(text);
    let mut parts = Vec::new();
    let (mut from, mut trims) = (0, false);
    while let Some((start, mark)) = next_mark(text, from, last_comment_end) {
        let begin = start + 2;
        add_text(text.slice(from..start), trims, is_trimming(text, begin), &mut parts);
        match mark {
            b'{' => {
                if !fuel.spend(OF_EXPRESSION) {
                    let message = TOO_MANY_STEPS.into();
                    return Err(Refused::new(&TOO_MUCH_WORK, 0..text.len(), message));
                }
                let code = Code::read(text, begin)?;
                (from, trims) = (code.end.unwrap_or(text.len()), code.trims_after);
                parts.push(Part::Expression(code));
            }
            b'%' if tag_name(text, begin).0 == "raw" => {
                let raw = Raw::read(text, start)?;
                add_text(raw.text, raw.trims.0, raw.trims.1, &mut parts);
                (from, trims) = (raw.end, raw.trims_after);
            }
            b'%' => {
                let (name, end) = tag_name(text, begin);
                let message = match name {
                    "" => "unsupported `{%` in a string".into(),
                    _ => message!("unsupported statement `{{% {name} %}}` in a string"),
                };
                return Err(Refused::new(&EXPRESSION_STATEMENT, start..end, message));
            }
            _ => {
                let end = text.slice(begin..).find("#}").map_or(text.len(), |at| begin + at + 2);
                let message = "unsupported comment `{# ... #}` in a string".into();
                return Err(Refused::new(&EXPRESSION_STATEMENT, start..end, message));
            }
        }
    }
    add_text(text.slice(from..), trims, false, &mut parts);
    Ok(parts)
}

/// The next `{{`, `{%` or `{#` from a position, with its second character. `{#` only starts a comment
/// if the comment ends: `${#array[@]}` is text.
fn next_mark(text: &str, from: usize, last_comment_end: Option<usize>) -> Option<(usize, u8)> {
    let bytes = text.as_bytes();
    let rest = bytes.get(from..)?;
    memchr::memchr_iter(b'{', rest).map(|at| from + at).find_map(|at| {
        let mark = *bytes.get(at + 1)?;
        let is_mark = match mark {
            b'{' | b'%' => true,
            b'#' => last_comment_end.is_some_and(|end| at + 2 <= end),
            _ => false,
        };
        is_mark.then_some((at, mark))
    })
}

fn last_comment_end(text: &str) -> Option<usize> {
    memchr::memmem::rfind(text.as_bytes(), b"#}")
}

fn is_trimming(text: &str, at: usize) -> bool {
    text.as_bytes().get(at) == Some(&b'-')
}

fn add_text<'t>(text: &'t str, trims_start: bool, trims_end: bool, parts: &mut Vec<Part<'t>>) {
    let text = if trims_start { text.trim_start() } else { text };
    let text = if trims_end { text.trim_end() } else { text };
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
}

/// A raw part.
struct Raw<'t> {
    text: &'t str,
    /// Whether space at its start and at its end is removed.
    trims: (bool, bool),
    end: usize,
    /// Whether space after it is removed.
    trims_after: bool,
}

impl<'t> Raw<'t> {
    /// Reads the raw part of a string that begins at `start`.
    fn read(text: &'t str, start: usize) -> Result<Self, Refused> {
        let (_, after) = tag_name(text, start + 2);
        let open = tag_end(text, after);
        let mut at = open.map_or(text.len(), |(end, _)| end);
        while let Some(found) = text.get(at..).and_then(|rest| rest.find("{%")) {
            let begin = at + found + 2;
            let (name, after) = tag_name(text, begin);
            let close = tag_end(text, after).filter(|_| name == "endraw");
            if let (Some((from, trims_start)), Some((end, trims_after))) = (open, close) {
                let trims = (trims_start, is_trimming(text, begin));
                let inner = text.slice(from..begin - 2);
                return Ok(Raw { text: inner, trims, end, trims_after });
            }
            at = begin;
        }
        let message = "`{% raw %}` without `{% endraw %}`".into();
        Err(Refused::new(&EXPRESSION_SYNTAX, start..after, message))
    }
}

/// The end of a tag after its name, and whether space after it is removed.
fn tag_end(text: &str, at: usize) -> Option<(usize, bool)> {
    let rest = text.get(at..)?.trim_start();
    let signed = rest.trim_start_matches(['-', '+']);
    let after = signed.strip_prefix("%}")?;
    Some((text.len() - after.len(), rest.starts_with('-')))
}
