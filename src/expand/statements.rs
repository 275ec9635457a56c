//! Statements of Jinja in strings, which are rejected: the expression to write instead.

use std::ops::Range;

use super::code::Code;
use super::expression::LONGEST_SHOWN;
use super::tokens::tag_name;
use crate::diag::{Diagnostic, message};
use crate::source::{Slice as _, Span};

/// Adds what to write instead of the statement or comment at a position of a string. `place` returns
/// the span of a part of the string, if the source is equal to it; `quote` can be written in it.
pub(super) fn advise(
    finding: Diagnostic,
    text: &str,
    at: &Range<usize>,
    quote: char,
    place: impl Fn(Range<usize>) -> Option<Span>,
) -> Diagnostic {
    let (name, _) = tag_name(text, at.start + 2);
    if text.slice(at.start..).starts_with("{#") {
        let finding = finding.at("not evaluated");
        return finding
            .suggest_or_help(place(at.clone()), "", "remove it")
            .help("comments of YAML start with `#`, outside of strings");
    }
    let finding = finding.at("only expressions in `{{ }}` are evaluated");
    if let Some(written) = rewritten(text, quote) {
        let help = message!("write `{written}`");
        return finding.suggest_or_help(place(0..text.len()), written, help);
    }
    match name {
        "if" => finding.help("write the condition as an expression: `{{ 'a' if values.x else 'b' }}`"),
        "for" => finding
            .help("join the items of a list with filters: `{{ values.names | join(',') }}`")
            .help("to create a definition for each item, use `expand`"),
        "set" => finding.help(
            "write the expression in place of the name, or define the value in the Project: `values`",
        ),
        _ => finding.help("to keep the braces, write `{% raw %}...{% endraw %}` around them"),
    }
}

/// A part of a string with statements.
#[derive(Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// The source of an expression.
    Expression(String),
}

/// What ends a block of pieces: the name of the tag, and its code.
type End<'t> = Option<(&'t str, &'t str)>;

/// The rest of a string that has statements.
struct Statements<'t> {
    text: &'t str,
    at: usize,
    /// The quote of new literals.
    quote: char,
}

/// A string with the same result and without statements; `None` if there is no simple one.
pub(super) fn rewritten(text: &str, quote: char) -> Option<String> {
    if text.len() > LONGEST_SHOWN {
        return None;
    }
    let mut statements = Statements { text, at: 0, quote };
    let (pieces, end) = statements.block()?;
    let write = |piece| match piece {
        Piece::Text(text) => text,
        Piece::Expression(source) => format!("{{{{ {source} }}}}"),
    };
    end.is_none().then(|| pieces.into_iter().map(write).collect())
}

impl<'t> Statements<'t> {
    /// The pieces up to a tag that continues or ends a block. It calls itself for inner blocks; the
    /// string is short.
    fn block(&mut self) -> Option<(Vec<Piece>, End<'t>)> {
        let mut pieces = Vec::new();
        loop {
            let rest = self.text.slice(self.at..);
            let Some(found) = rest.find('{') else {
                add_text(rest, &mut pieces);
                self.at = self.text.len();
                return Some((pieces, None));
            };
            add_text(rest.slice(..found), &mut pieces);
            let begin = self.at + found + 2;
            match rest.as_bytes().get(found + 1) {
                Some(b'{') => {
                    let code = Code::read(self.text, begin).ok()?;
                    if code.start != begin || code.trims_after {
                        return None;
                    }
                    self.at = code.end?;
                    pieces.push(Piece::Expression(code.source.trim().to_owned()));
                }
                Some(b'%') => {
                    let (name, after) = tag_name(self.text, begin);
                    let length = self.text.get(after..)?.find("%}")?;
                    let code = self.text.slice(after..after + length).trim();
                    let is_trimming = self.text.slice(begin..).starts_with(['-', '+'])
                        || code.ends_with(['-', '+']);
                    self.at = after + length + 2;
                    match name {
                        _ if is_trimming => return None,
                        "if" => pieces.push(Piece::Expression(self.condition(code)?)),
                        "for" => pieces.push(Piece::Expression(self.joined(code)?)),
                        "elif" | "else" | "endif" | "endfor" => {
                            return Some((pieces, Some((name, code))));
                        }
                        _ => return None,
                    }
                }
                _ => {
                    add_text("{", &mut pieces);
                    self.at = begin - 1;
                }
            }
        }
    }

    /// The expression for an `if` with this condition, up to its `endif`.
    fn condition(&mut self, condition: &str) -> Option<String> {
        let (then, end) = self.block()?;
        let otherwise = match end? {
            ("elif", condition) => self.condition(condition)?,
            ("else", _) => {
                let (otherwise, end) = self.block()?;
                (end? == ("endif", "")).then(|| self.operand(&otherwise))??
            }
            ("endif", _) => self.literal("")?,
            _ => return None,
        };
        let then = in_parentheses(self.operand(&then)?, " if ");
        Some(format!("{then} if {} else {otherwise}", in_parentheses(condition.to_owned(), " if ")))
    }

    /// The expression for a `for` that writes each item, or a field of it, with a separator.
    fn joined(&mut self, header: &str) -> Option<String> {
        let (variable, list) = header.split_once(" in ")?;
        if list.contains(" if ") || list.ends_with("recursive") {
            return None;
        }
        let (pieces, end) = self.block()?;
        let (Piece::Expression(item), separator) = pieces.split_first()? else { return None };
        let separator = match separator {
            [] => String::new(),
            [Piece::Expression(condition)] => {
                let unless_last = format!(" if not loop.last else {}", self.literal("")?);
                format!("({})", condition.strip_suffix(&unless_last)?)
            }
            _ => return None,
        };
        let field = item.strip_prefix(variable.trim())?;
        let is_name = |name: &&str| {
            name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        };
        let mapped = match field.strip_prefix('.').filter(is_name) {
            Some(field) => format!(" | map(attribute={})", self.literal(field)?),
            None if field.is_empty() => String::new(),
            None => return None,
        };
        let list = in_parentheses(list.trim().to_owned(), " ");
        (end? == ("endfor", "")).then(|| format!("{list}{mapped} | join{separator}"))
    }

    /// The pieces as one expression.
    fn operand(&self, pieces: &[Piece]) -> Option<String> {
        let source = |piece: &Piece| match piece {
            Piece::Text(text) => self.literal(text),
            Piece::Expression(source) if pieces.len() == 1 => Some(source.clone()),
            Piece::Expression(source) => Some(in_parentheses(source.clone(), " ")),
        };
        let sources: Vec<_> = pieces.iter().map(source).collect::<Option<_>>()?;
        if sources.is_empty() { self.literal("") } else { Some(sources.join(" ~ ")) }
    }

    fn literal(&self, text: &str) -> Option<String> {
        let quote = self.quote;
        (!text.contains([quote, '\\'])).then(|| format!("{quote}{text}{quote}"))
    }
}

fn add_text(text: &str, pieces: &mut Vec<Piece>) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(before)) => before.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}

/// The source of an expression, in parentheses if it contains a string.
fn in_parentheses(source: String, part: &str) -> String {
    if source.contains(part) { format!("({source})") } else { source }
}
