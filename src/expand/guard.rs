//! Preprocessing of expressions for minijinja: limits for length, nesting and operators, and a
//! guard on each operand that could make a value large.
//!
//! minijinja limits the instructions of an evaluation, but not the result of one of them: `s ~ s`
//! doubles a string, `[1] * n` repeats a list. It has no hook for operators; so each operand of
//! `+`, `~`, `*`, a comparison or a slice, and each value of `set`, gets a filter that measures it:
//! `a ~ b` runs as `a|__value ~ b|__value`. The filters are in `environment.rs`.

use crate::diag::{Message, message};
use std::ops::Range;

use super::tokens::{Token, tag_name, token};
use crate::limits;
use crate::sorted::SortedSet;
use crate::source::Slice as _;

/// The guard for an operand.
pub(super) const VALUE_GUARD: &str = "|__value";
/// The guard for an operand of `*`.
pub(super) const NUMBER_GUARD: &str = "|__number";

/// The text of a scalar with its guards.
#[derive(Debug, Default)]
pub(super) struct Guarded {
    pub(super) text: String,
    /// The names that it tests, or has a default for: these need not be defined.
    pub(super) optional: Optional,
    /// The positions of guards in the original text, with their lengths; sorted.
    guards: Vec<(usize, usize)>,
}

impl Guarded {
    /// The offset in the original text of an offset in the guarded one.
    pub(super) fn original(&self, at: usize) -> usize {
        let mut before = 0;
        for (place, length) in &self.guards {
            if place + before >= at {
                break;
            }
            before += length;
            if place + before >= at {
                return *place;
            }
        }
        at - before
    }
}

/// Names that need not be defined.
#[derive(Debug, Default)]
pub(super) struct Optional {
    /// Paths such as `values.team`: `values.team is defined`, `values.team | default('a')`.
    paths: SortedSet<String>,
    /// A test with `in` may be about any name.
    any: bool,
}

impl Optional {
    /// Whether a path need not be defined, or a path that contains it. A string can test as many
    /// names as it reads.
    pub(super) fn contains(&self, path: &str) -> bool {
        let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        let mut above = ends.filter_map(|end| path.get(..end));
        self.any || above.any(|it| self.paths.contains(it))
    }
}

/// The reason a scalar is rejected before it is compiled.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) at: Range<usize>,
    pub(super) message: Message,
    pub(super) is_limit: bool,
}

type Guards = Vec<(usize, &'static str)>;

/// Inserts the guards into a scalar. Syntax errors are left for minijinja to report.
pub(super) fn guard(text: &str) -> Result<Guarded, Refused> {
    let mut guards = Guards::new();
    let mut nesting = 0;
    let mut optional = Optional::default();
    let mut at = 0;
    while let Some(start) = next_begin(text, at) {
        let rest = text.slice(start..);
        at = if rest.starts_with("{#") {
            rest.find("#}").map_or(text.len(), |end| start + end + 2)
        } else if rest.starts_with("{%") {
            tag(text, start, &mut nesting, &mut guards, &mut optional)?
        } else {
            Code::new(text, start + 2, &mut guards, &mut optional).run(Kind::Value)?
        };
    }
    Ok(Guarded { optional, ..joined(text, guards) })
}

fn next_begin(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let rest = bytes.get(from..)?;
    memchr::memchr_iter(b'{', rest)
        .map(|at| from + at)
        .find(|at| matches!(bytes.get(at + 1), Some(b'{' | b'%' | b'#')))
}

fn joined(text: &str, mut guards: Guards) -> Guarded {
    guards.sort_by_key(|(at, _)| *at);
    let mut guarded = Guarded::default();
    let mut from = 0;
    for (at, inserted) in guards {
        guarded.text.push_str(text.slice(from..at));
        guarded.text.push_str(inserted);
        guarded.guards.push((at, inserted.len()));
        from = at;
    }
    guarded.text.push_str(text.slice(from..));
    guarded
}

/// Reads a `{% ... %}` from `start`; returns its end.
fn tag(
    text: &str,
    start: usize,
    nesting: &mut usize,
    guards: &mut Guards,
    optional: &mut Optional,
) -> Result<usize, Refused> {
    let (name, after) = tag_name(text, start + 2);
    let kind = match name {
        "raw" => return Ok(end_of_raw(text, after)),
        "for" => Kind::For,
        "set" => Kind::Set,
        // The parser nests each `elif` in the one before it.
        "if" | "elif" => Kind::Value,
        "do" | "with" | "autoescape" | "filter" | "macro" | "call" | "include" | "import"
        | "from" | "extends" | "block" => {
            return Err(Refused {
                at: start..after,
                message: message!("`{{% {name} %}}` is not available; use `if`, `for` and `set`"),
                is_limit: false,
            });
        }
        _ => Kind::Other,
    };
    match name {
        "if" | "elif" | "for" => *nesting += 1,
        "endif" | "endfor" => *nesting = nesting.saturating_sub(1),
        _ => {}
    }
    let limit = limits::EXPRESSION_DEPTH.count();
    if *nesting > limit {
        return Err(Refused {
            at: start..after,
            message: message!("expression nested deeper than {limit} levels"),
            is_limit: true,
        });
    }
    Code::new(text, after, guards, optional).run(kind)
}

/// The end of the `{% endraw %}` of a raw part.
fn end_of_raw(text: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find("{%")) {
        let (name, after) = tag_name(text, at + found + 2);
        if name == "endraw" {
            return after;
        }
        at += found + 2;
    }
    text.len()
}

/// The kind of a piece of code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One expression.
    Value,
    /// `for x in expression`.
    For,
    /// `set x = expression`.
    Set,
    /// A tag without an expression.
    Other,
}

/// The state of the current operand, at one level of brackets.
#[derive(Default)]
struct Level {
    /// The start of its first token; `None` before the first token.
    operand: Option<usize>,
    /// The guard that it gets once it is complete.
    pending: Option<&'static str>,
    /// Whether it is the result of a test (`x is odd`), which is a boolean.
    is_test: bool,
}

/// The code between `{{` and `}}`, or of a tag.
struct Code<'c> {
    text: &'c str,
    start: usize,
    at: usize,
    /// The end of the last token.
    end: usize,
    levels: Vec<Level>,
    operators: usize,
    guards: &'c mut Guards,
    optional: &'c mut Optional,
}

impl<'c> Code<'c> {
    fn new(
        text: &'c str,
        start: usize,
        guards: &'c mut Guards,
        optional: &'c mut Optional,
    ) -> Self {
        let levels = vec![Level::default()];
        Self { text, start, at: start, end: start, levels, operators: 0, guards, optional }
    }

    fn next(&mut self) -> Option<(Token<'c>, usize)> {
        let (token, start, end) = token(self.text, self.at, self.levels.len() > 1)?;
        self.at = end;
        Some((token, start))
    }

    /// Reads to the end of the code, and returns its position.
    fn run(mut self, kind: Kind) -> Result<usize, Refused> {
        let mut is_value = kind == Kind::Value;
        let mut last = "";
        while let Some((token, start)) = self.next() {
            self.bound(start)?;
            if token == Token::End {
                self.complete();
                return self.finish(kind, is_value, last, start);
            }
            if is_value {
                self.take(token, start);
            } else {
                match (kind, token) {
                    (Kind::For, Token::Name("in")) => is_value = true,
                    (Kind::Set, Token::Operator("=")) => {
                        is_value = true;
                        self.guards.push((self.at, "("));
                    }
                    _ => {}
                }
            }
            last = if let Token::Name(name) = token { name } else { "" };
            // The left operand of `not in` ends before the `not`.
            if token != Token::Name("not") {
                self.end = self.at;
            }
        }
        Ok(self.text.len())
    }

    fn finish(self, kind: Kind, is_value: bool, last: &str, end: usize) -> Result<usize, Refused> {
        let refused = |message: &'static str| Refused {
            at: self.start..end,
            message: message.into(),
            is_limit: false,
        };
        match kind {
            Kind::Set if !is_value => Err(refused("`{% set %}` without `=` is not available")),
            Kind::Set => {
                self.guards.push((self.end, ")|__value"));
                Ok(self.at)
            }
            Kind::For if last == "recursive" => Err(refused("recursive loops are not available")),
            _ => Ok(self.at),
        }
    }

    fn bound(&self, at: usize) -> Result<(), Refused> {
        let (length, operators, depth) = (
            limits::EXPRESSION_LENGTH.count(),
            limits::EXPRESSION_OPERATORS.count(),
            limits::EXPRESSION_DEPTH.count(),
        );
        let message = if at - self.start > length {
            message!("expression longer than {length} bytes")
        } else if self.operators > operators {
            message!("expression with more than {operators} operators")
        } else if self.levels.len() > depth + 1 {
            message!("expression nested deeper than {depth} levels")
        } else {
            return Ok(());
        };
        Err(Refused { at: self.start..at, message, is_limit: true })
    }

    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let last = self.levels.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "there is a last level")]
        &mut self.levels[last]
    }

    /// Ends the current operand at the last token and adds its guard.
    fn complete(&mut self) {
        let end = self.end;
        let level = self.level();
        let pending = level.pending.take().filter(|_| level.operand.is_some());
        level.operand = None;
        level.is_test = false;
        self.guards.extend(pending.map(|guard| (end, guard)));
    }

    /// The current operand need not be defined.
    fn note_optional(&mut self) {
        let end = self.end;
        let operand = self.level().operand.and_then(|start| self.text.get(start..end));
        self.optional.paths.extend(operand.map(|it| it.trim().to_owned()));
    }

    fn take(&mut self, token: Token<'c>, start: usize) {
        let has_operand = self.level().operand.is_some();
        match token {
            Token::Name("and" | "or" | "if" | "else") => {
                self.operators += 1;
                self.complete();
            }
            Token::Name("not") => self.operators += 1,
            Token::Name("in") => {
                self.optional.any = true;
                self.operator(VALUE_GUARD);
            }
            Token::Name("is") => {
                self.operators += 1;
                self.note_optional();
                self.complete();
                let level = self.level();
                (level.operand, level.is_test) = (Some(start), true);
            }
            Token::Name(_) | Token::Literal if has_operand => {}
            Token::Name(_) | Token::Literal => self.level().operand = Some(start),
            Token::Open(bracket) => self.open(bracket, start, has_operand),
            Token::Close => {
                self.complete();
                if self.levels.len() > 1 {
                    self.levels.pop();
                }
            }
            Token::Operator(sign @ ("." | "|")) => {
                self.operators += 1;
                // The next name is part of the operand.
                match self.next() {
                    Some((Token::Operator(_) | Token::End | Token::Close, before)) => {
                        self.at = before;
                    }
                    Some((Token::Name("default" | "d"), _)) if sign == "|" => self.note_optional(),
                    _ => {}
                }
            }
            Token::Operator("*") => self.operator(NUMBER_GUARD),
            Token::Operator("+") if !has_operand => self.operators += 1,
            Token::Operator("+" | "~" | "==" | "!=" | "<" | "<=" | ">" | ">=") => {
                self.operator(VALUE_GUARD);
            }
            Token::Operator("," | ":" | "=") => self.complete(),
            Token::Operator(_) => {
                self.operators += 1;
                if has_operand {
                    self.complete();
                }
            }
            Token::End => {}
        }
    }

    /// Handles an operator whose two operands get a guard.
    fn operator(&mut self, guard: &'static str) {
        self.operators += 1;
        let end = self.end;
        let level = self.level();
        let is_guarded = level.is_test || level.operand.is_none() || level.pending == Some(guard);
        self.complete();
        if !is_guarded {
            self.guards.push((end, guard));
        }
        self.level().pending = Some(guard);
    }

    /// Handles a bracket: a group, a literal, a call, an index or a slice.
    fn open(&mut self, bracket: char, start: usize, has_operand: bool) {
        if has_operand {
            self.operators += 1;
            let first = self.level().operand.unwrap_or(start);
            if bracket == '[' && is_slice(self.text, self.at) {
                self.guards.push((first, "("));
                self.guards.push((self.end, "|__value)"));
            }
        } else {
            self.level().operand = Some(start);
        }
        self.levels.push(Level::default());
    }
}

/// Whether the brackets whose content starts at `at` directly contain a `:`, within the length of an
/// expression: a longer one is rejected.
fn is_slice(text: &str, mut at: usize) -> bool {
    let most = text.floor_char_boundary(at.saturating_add(limits::EXPRESSION_LENGTH.count()));
    let text = text.slice(..most);
    let mut depth = 0_usize;
    while let Some((token, _, end)) = token(text, at, true) {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close if depth == 0 => return false,
            Token::Close => depth -= 1,
            Token::Operator(":") if depth == 0 => return true,
            Token::End => return false,
            _ => {}
        }
        at = end;
    }
    false
}
