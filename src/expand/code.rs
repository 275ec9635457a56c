//! The code of one expression: its limits, and the guards without which a value could become large.
//!
//! minijinja does not limit the work of operators. In a single expression nothing is repeated, so each
//! operator costs at most the size of all values in it, and these spend fuel once for each operator:
//! the results of filters when they are made, and those of variables through a filter that measures
//! them. `values.a ~ 'b'` runs as `values.a|__value ~ 'b'`. Only `*` repeats, so its operands must be
//! numbers. The filters are in `environment.rs`.

use std::borrow::Cow;
use std::ops::Range;

use super::EXPRESSION_TOO_LARGE;
use super::parts::Refused;
use super::tokens::{Token, token};
use crate::diag::message;
use crate::limits;
use crate::sorted::SortedSet;
use crate::source::Slice as _;

/// The guard of a variable.
pub(super) const VALUE_GUARD: &str = "|__value";
/// The guard of an operand of `*`.
pub(super) const NUMBER_GUARD: &str = "|__number";

const KEYWORDS: [&str; 7] = ["and", "or", "if", "else", "not", "in", "is"];
const CONSTANTS: [&str; 6] = ["true", "false", "none", "True", "False", "None"];

/// An expression between `{{` and `}}`.
#[derive(Debug)]
pub(super) struct Code<'t> {
    /// Its source, without the braces and the signs next to them.
    pub(super) source: &'t str,
    /// The position of the source in the string.
    pub(super) start: usize,
    /// The position after the braces; `None` if they are missing.
    pub(super) end: Option<usize>,
    /// Whether space after it is removed: `-}}`.
    pub(super) trims_after: bool,
    tokens: Vec<Lexeme<'t>>,
}

/// A token, with its position in the source.
#[derive(Clone, Copy, Debug)]
struct Lexeme<'t> {
    token: Token<'t>,
    start: usize,
    end: usize,
}

/// An expression with its guards.
#[derive(Debug)]
pub(super) struct Guarded<'t> {
    pub(super) text: Cow<'t, str>,
    /// The number of operators and slices that read whole values.
    pub(super) operators: usize,
    /// The names that it tests, or has a default for: these need not be defined.
    pub(super) optional: Optional<'t>,
}

/// Names that need not be defined.
#[derive(Debug, Default)]
pub(super) struct Optional<'t> {
    /// Paths such as `values.team`: `values.team is defined`, `values.team | default('a')`.
    paths: SortedSet<&'t str>,
    /// A test with `in` may be about any name.
    any: bool,
}

impl Optional<'_> {
    /// Whether a path need not be defined, or a path that contains it. A string can test as many
    /// names as it reads.
    pub(super) fn contains(&self, path: &str) -> bool {
        let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        let mut above = ends.filter_map(|end| path.get(..end));
        self.any || above.any(|it| self.paths.contains(it))
    }
}

impl<'t> Code<'t> {
    /// Reads the expression of a string whose `{{` ends at `begin`. Syntax errors are left for
    /// minijinja to report.
    pub(super) fn read(text: &'t str, begin: usize) -> Result<Self, Refused> {
        let start = begin + usize::from(text.slice(begin..).starts_with(['-', '+']));
        let (mut at, mut depth, mut operators) = (start, 0_usize, 0);
        let mut code =
            Code { source: "", start, end: None, trims_after: false, tokens: Vec::new() };
        while let Some((token, from, to)) = token(text, at, depth > 0) {
            check_limits(start..from, operators, depth)?;
            match token {
                Token::End => {
                    let mark = text.slice(from..to);
                    code.source = text.slice(start..from);
                    code.end = mark.ends_with("}}").then_some(to);
                    code.trims_after = mark.starts_with('-');
                    return Ok(code);
                }
                Token::Open(_) => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            code.tokens.push(Lexeme { token, start: from - start, end: to - start });
            operators += usize::from(code.is_operator(code.tokens.len() - 1));
            at = to;
        }
        check_limits(start..text.len(), operators, depth)?;
        code.source = text.slice(start..);
        Ok(code)
    }

    fn token(&self, at: usize) -> Option<Token<'t>> {
        self.tokens.get(at).map(|lexeme| lexeme.token)
    }

    fn before(&self, at: usize) -> Option<Token<'t>> {
        at.checked_sub(1).and_then(|before| self.token(before))
    }

    /// The end of the last token before an index.
    fn end_before(&self, at: usize) -> usize {
        let last = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        last.map_or(0, |lexeme| lexeme.end)
    }

    /// Whether the token is the name of a field or a filter.
    fn is_member(&self, at: usize) -> bool {
        matches!(self.before(at), Some(Token::Operator("." | "|")))
    }

    fn ends_operand(&self, at: usize) -> bool {
        match self.token(at) {
            Some(Token::Literal | Token::Close) => true,
            Some(Token::Name(name)) => !KEYWORDS.contains(&name) || self.is_member(at),
            _ => false,
        }
    }

    /// Whether the token counts as an operator: calls, indexes and fields do.
    fn is_operator(&self, at: usize) -> bool {
        match self.token(at) {
            Some(Token::Name(name)) => KEYWORDS.contains(&name) && !self.is_member(at),
            Some(Token::Operator(sign)) => !matches!(sign, "," | ":" | "="),
            Some(Token::Open(_)) => at > 0 && self.ends_operand(at - 1),
            _ => false,
        }
    }

    /// Whether the token is a variable: not a field, a filter, a test, a function or the name of an
    /// argument.
    fn is_variable(&self, name: &str, at: usize) -> bool {
        let before = match self.before(at) {
            Some(Token::Name("not")) => self.before(at - 1),
            before => before,
        };
        let is_named_value = !KEYWORDS.contains(&name) && !CONSTANTS.contains(&name);
        is_named_value
            && !self.is_member(at)
            && before != Some(Token::Name("is"))
            && !matches!(self.token(at + 1), Some(Token::Open('(') | Token::Operator("=")))
    }

    /// The index after a token, or after the group that it opens.
    fn after(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for (index, lexeme) in self.tokens.iter().enumerate().skip(at) {
            match lexeme.token {
                Token::Open(_) => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return index + 1;
            }
        }
        self.tokens.len()
    }

    /// Whether the brackets that a token opens directly contain a `:`.
    fn is_slice(&self, open: usize) -> bool {
        let mut at = open + 1;
        while let Some(token) = self.token(at).filter(|token| *token != Token::Close) {
            if token == Token::Operator(":") {
                return true;
            }
            at = self.after(at);
        }
        false
    }

    /// The index after an operand with its fields and indexes: up to a slice, or including slices and
    /// filters.
    fn operand_end(&self, at: usize, is_whole: bool) -> usize {
        let mut next = self.after(at);
        loop {
            next = match self.token(next) {
                Some(Token::Operator(".")) => next + 2,
                Some(Token::Operator("|")) if is_whole => next + 2,
                Some(Token::Open('(')) => self.after(next),
                Some(Token::Open('[')) if is_whole || !self.is_slice(next) => self.after(next),
                _ => return next.min(self.tokens.len()),
            };
        }
    }

    /// Whether a token is an operator that reads whole values, or begins a slice.
    fn reads_values(&self, at: usize) -> bool {
        match self.token(at) {
            Some(Token::Name("in")) => true,
            Some(Token::Operator(sign)) => {
                matches!(sign, "~" | "+" | "==" | "!=" | "<" | "<=" | ">" | ">=")
            }
            Some(Token::Open('[')) => self.is_operator(at) && self.is_slice(at),
            _ => false,
        }
    }

    /// The expression with its guards.
    pub(super) fn guarded(&self) -> Guarded<'t> {
        let (mut guards, mut optional) = (Vec::new(), Optional::default());
        let operators = (0..self.tokens.len()).filter(|at| self.reads_values(*at)).count();
        for (at, lexeme) in self.tokens.iter().enumerate() {
            match lexeme.token {
                Token::Name("in") => optional.any = true,
                Token::Name(name) if self.is_variable(name, at) => {
                    self.guard_variable(at, lexeme.start, &mut guards, &mut optional);
                }
                Token::Operator("*") if at > 0 && self.ends_operand(at - 1) => {
                    let mut right = at + 1;
                    while self.token(right) == Some(Token::Operator("-")) {
                        right += 1;
                    }
                    let end = self.end_before(self.operand_end(right, true));
                    guards.extend([(self.end_before(at), NUMBER_GUARD), (end, NUMBER_GUARD)]);
                }
                _ => {}
            }
        }
        Guarded { text: with_inserted(self.source, guards), operators, optional }
    }

    fn guard_variable(
        &self,
        at: usize,
        start: usize,
        guards: &mut Vec<(usize, &'static str)>,
        optional: &mut Optional<'t>,
    ) {
        let next = self.operand_end(at, false);
        let end = self.end_before(next);
        match (self.token(next), self.token(next + 1)) {
            (Some(Token::Name("is")), _)
            | (Some(Token::Operator("|")), Some(Token::Name("default" | "d"))) => {
                optional.paths.extend(self.source.get(start..end));
            }
            // A filter measures its arguments, and the result of the expression is measured.
            (Some(Token::Operator("|")), _) => {}
            (None, _) if at == 0 => {}
            (Some(Token::Open(_)), _) => guards.extend([(start, "("), (end, "|__value)")]),
            _ => guards.push((end, VALUE_GUARD)),
        }
    }
}

fn with_inserted<'t>(source: &'t str, mut inserted: Vec<(usize, &'static str)>) -> Cow<'t, str> {
    if inserted.is_empty() {
        return source.into();
    }
    inserted.sort_by_key(|(at, _)| *at);
    let mut text = String::with_capacity(source.len() + inserted.len() * VALUE_GUARD.len());
    let mut from = 0;
    for (at, guard) in inserted {
        text.push_str(source.slice(from..at));
        text.push_str(guard);
        from = at;
    }
    text.push_str(source.slice(from..));
    text.into()
}

fn check_limits(code: Range<usize>, operators: usize, depth: usize) -> Result<(), Refused> {
    let (most_bytes, most_operators, deepest) = (
        limits::EXPRESSION_LENGTH.count(),
        limits::EXPRESSION_OPERATORS.count(),
        limits::EXPRESSION_DEPTH.count(),
    );
    let message = if code.len() > most_bytes {
        message!("expression longer than {most_bytes} bytes")
    } else if operators > most_operators {
        message!("expression with more than {most_operators} operators")
    } else if depth > deepest {
        message!("expression nested deeper than {deepest} levels")
    } else {
        return Ok(());
    };
    Err(Refused::new(&EXPRESSION_TOO_LARGE, code, message))
}
