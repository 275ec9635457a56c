//! Parses tokens into the tree of an expression.
#![allow(clippy::float_arithmetic, reason = "the sign of a literal")]

use lean_string::LeanStr;

use super::Refusal;
use super::ast::{Expression, Kind, Literal};
use super::function::Function;
use super::lexer::{self, Token, TokenKind};
use super::macros;

/// The maximum nesting depth of an expression. Deeper ones are not evaluated, so that the recursive
/// functions over the tree fit any stack. Rules in practice stay below 20.
const DEEPEST: usize = 100;

/// The maximum number of nested brackets: cel-go parses 250 nested expressions (`maxRecursionDepth`),
/// and the innermost brackets can be empty.
const MAX_LEVELS: usize = 250;

/// The longest expression that is parsed, in bytes.
const LONGEST: usize = 32 * 1024;

/// Reserved words, which cannot be names.
pub(super) const RESERVED: &[&str] = &[
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

/// The binary operators, lowest precedence first; operators in one row have the same precedence.
const BINARY: &[&[&str]] =
    &[&["||"], &["&&"], &["<", "<=", ">=", ">", "==", "!=", "in"], &["+", "-"], &["*", "/", "%"]];

/// Parses an expression with the macros of this minor version, numbers its nodes, and returns their
/// count.
pub(super) fn parse(text: &str, minor: u32) -> Result<(Expression, usize), Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::undecided(0, "an expression of this length"));
    }
    let mut parser = Parser { tokens: lexer::tokens(text)?, next: 0, depth: 0, minor };
    let mut root = match parser.expression() {
        Ok(root) => root,
        Err(refusal) if refusal.is_undecided => {
            return Err(fault_of_brackets(&parser.tokens).unwrap_or(refusal));
        }
        Err(refusal) => return Err(refusal),
    };
    if parser.peek().kind != TokenKind::End {
        return Err(parser.unexpected());
    }
    let mut count = 0;
    let depth = number_nodes(&mut root, &mut count, 0);
    if depth > 2 * DEEPEST {
        return Err(Refusal::undecided(0, "an expression of this depth"));
    }
    Ok((root, count))
}

/// The fault of an expression that is nested too deep to be parsed here: an unmatched bracket, or
/// more levels than the API server parses.
fn fault_of_brackets(tokens: &[Token]) -> Option<Refusal> {
    let mut open: Vec<(usize, &'static str)> = Vec::new();
    for token in tokens {
        let TokenKind::Sign(sign) = token.kind else { continue };
        let closing = match sign {
            "(" => ")",
            "[" => "]",
            "{" => "}",
            ")" | "]" | "}" => {
                if open.pop().is_none_or(|(_, expected)| expected != sign) {
                    return Some(Refusal::at(token.at, format!("unexpected `{sign}`")));
                }
                continue;
            }
            _ => continue,
        };
        open.push((token.at, closing));
        // Brackets without content have no expression inside.
        if open.len() > MAX_LEVELS {
            return Some(Refusal::at(
                token.at,
                format!("brackets are nested in more than {MAX_LEVELS} levels"),
            ));
        }
    }
    open.last().map(|(at, closing)| Refusal::at(*at, format!("missing `{closing}`")))
}

/// Numbers the nodes in source order, and measures the depth.
fn number_nodes(expression: &mut Expression, count: &mut usize, depth: usize) -> usize {
    expression.id = *count;
    *count += 1;
    // Deeper nodes are rejected and need no numbers.
    if depth > 2 * DEEPEST {
        return depth;
    }
    let mut deepest = depth;
    expression.each_child_mut(|child| deepest = deepest.max(number_nodes(child, count, depth + 1)));
    deepest
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    minor: u32,
}

const END: &Token = &Token { at: 0, kind: TokenKind::End };

impl Parser {
    fn peek(&self) -> &Token {
        self.tokens.get(self.next).or(self.tokens.last()).unwrap_or(END)
    }

    fn at(&self) -> usize {
        self.peek().at
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Sign(it) if it == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_there = self.is_sign(sign);
        self.next += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), Refusal> {
        if self.take(sign) {
            return Ok(());
        }
        Err(Refusal::at(self.at(), format!("missing `{sign}`")))
    }

    fn unexpected(&self) -> Refusal {
        let token = self.peek();
        let message = match &token.kind {
            TokenKind::Name(name) | TokenKind::QuotedName(name) => {
                format!("unexpected name `{name}`")
            }
            TokenKind::Digits { .. } | TokenKind::Literal(_) => "unexpected value".to_owned(),
            TokenKind::Sign(sign) => format!("unexpected `{sign}`"),
            TokenKind::End => "the expression is not complete".to_owned(),
        };
        Refusal::at(token.at, message)
    }

    fn expression(&mut self) -> Result<Expression, Refusal> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Refusal::undecided(self.at(), "an expression of this depth"));
        }
        let condition = self.binary(BINARY)?;
        let at = self.at();
        let expression = if self.take("?") {
            let then = self.binary(BINARY)?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            Expression::call(at, Function::Conditional, vec![condition, then, otherwise])
        } else {
            condition
        };
        self.depth -= 1;
        Ok(expression)
    }

    fn binary(&mut self, levels: &[&[&'static str]]) -> Result<Expression, Refusal> {
        let mut expression = self.unary()?;
        // The tightest operators first: a recursion over the levels would need a frame for each of them.
        for level in (0..levels.len()).rev() {
            let Some((operators, tighter)) = levels.get(level..).and_then(<[_]>::split_first)
            else {
                break;
            };
            // Most levels of most expressions have one term.
            if self.operator(operators).is_some() {
                expression = self.terms(expression, operators, tighter)?;
            }
        }
        Ok(expression)
    }

    /// Parses the terms after the first one of a level.
    fn terms(
        &mut self,
        first: Expression,
        operators: &[&'static str],
        tighter: &[&[&'static str]],
    ) -> Result<Expression, Refusal> {
        let mut terms = vec![(0, "", first)];
        let is_logical = operators.contains(&"&&") || operators.contains(&"||");
        while is_logical || terms.len() <= DEEPEST {
            let at = self.at();
            let Some(operator) = self.operator(operators) else { return Ok(join_terms(terms)) };
            self.next += 1;
            terms.push((at, operator, self.binary(tighter)?));
        }
        Err(Refusal::undecided(self.at(), "an expression of this depth"))
    }

    /// The next token, if it is one of these operators.
    fn operator(&self, operators: &[&'static str]) -> Option<&'static str> {
        operators.iter().copied().find(|operator| self.is_sign(operator))
    }

    fn unary(&mut self) -> Result<Expression, Refusal> {
        let at = self.at();
        for (sign, function) in [("!", Function::Not), ("-", Function::Negate)] {
            let mut is_odd = false;
            if !self.is_sign(sign) || self.is_negative_literal() {
                continue;
            }
            while self.is_sign(sign) {
                self.next += 1;
                is_odd = !is_odd;
            }
            let operand = self.member()?;
            return Ok(if is_odd {
                Expression::call(at, function, vec![operand])
            } else {
                operand
            });
        }
        self.member()
    }

    /// Whether a minus sign and an integer literal follow.
    fn is_negative_literal(&self) -> bool {
        self.is_sign("-")
            && self.tokens.get(self.next + 1).is_some_and(|token| {
                matches!(
                    token.kind,
                    TokenKind::Digits { .. } | TokenKind::Literal(Literal::Double(_))
                )
            })
    }

    fn member(&mut self) -> Result<Expression, Refusal> {
        let mut operand = self.primary()?;
        for _ in 0..DEEPEST {
            let at = self.at();
            if self.take(".") {
                operand = self.selection(at, operand)?;
            } else if self.take("[") {
                let function =
                    if self.take("?") { Function::OptionalIndex } else { Function::Index };
                let index = self.expression()?;
                self.expect("]")?;
                operand = Expression::call(at, function, vec![operand, index]);
            } else if self.is_sign("{")
                && let Some(name) = operand.qualified_name()
            {
                let fields = self.fields()?;
                operand = Expression::new(operand.at, Kind::Struct(name.into(), fields));
            } else {
                return Ok(operand);
            }
        }
        Err(Refusal::undecided(self.at(), "an expression of this depth"))
    }

    /// Parses the part after a dot: a field, or a call of a member function.
    fn selection(&mut self, at: usize, operand: Expression) -> Result<Expression, Refusal> {
        let is_optional = self.take("?");
        let (field, is_quoted) = match &self.peek().kind {
            TokenKind::Name(name) => (name.clone(), false),
            TokenKind::QuotedName(name) => (name.clone(), true),
            _ => return Err(self.unexpected()),
        };
        self.next += 1;
        if is_quoted {
            return Err(Refusal::at(at, "names in backquotes are not supported"));
        }
        if is_optional {
            let field = Expression::literal(at, Literal::String(field));
            return Ok(Expression::call(at, Function::OptionalSelect, vec![operand, field]));
        }
        if self.take("(") {
            let arguments = self.arguments()?;
            return macros::member(at, operand, &field, arguments, self.minor);
        }
        Ok(Expression::new(at, Kind::Select { operand: Box::new(operand), field, is_test: false }))
    }

    fn arguments(&mut self) -> Result<Vec<Expression>, Refusal> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.take(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    fn primary(&mut self) -> Result<Expression, Refusal> {
        let at = self.at();
        if self.take("(") {
            let nested = self.expression()?;
            self.expect(")")?;
            return Ok(nested);
        }
        if self.take("[") {
            return self.list(at);
        }
        if self.take("{") {
            return self.map(at);
        }
        let is_rooted = self.take(".");
        let is_negative = !is_rooted && self.is_negative_literal() && self.take("-");
        let kind = self.peek().kind.clone();
        match kind {
            TokenKind::Name(name) => {
                if RESERVED.contains(&name.as_str()) {
                    return Err(Refusal::at(self.at(), format!("`{name}` is a reserved word")));
                }
                self.next += 1;
                if self.take("(") {
                    let arguments = self.arguments()?;
                    return macros::global(at, &name, arguments);
                }
                let name = if is_rooted { format!(".{name}").into() } else { name };
                Ok(Expression::identifier(at, name))
            }
            TokenKind::Literal(literal) if !is_rooted => {
                self.next += 1;
                Ok(Expression::literal(
                    at,
                    match literal {
                        Literal::Double(number) if is_negative => Literal::Double(-number),
                        literal => literal,
                    },
                ))
            }
            TokenKind::Digits { digits, radix } if !is_rooted => {
                self.next += 1;
                Ok(Expression::literal(at, parse_integer(at, &digits, radix, is_negative)?))
            }
            _ => Err(self.unexpected()),
        }
    }

    fn list(&mut self, at: usize) -> Result<Expression, Refusal> {
        let items = self.until_or_comma("]", |parser| {
            let is_optional = parser.take("?");
            Ok((parser.expression()?, is_optional))
        })?;
        Ok(Expression::new(at, Kind::List(items)))
    }

    fn map(&mut self, at: usize) -> Result<Expression, Refusal> {
        let entries = self.until_or_comma("}", |parser| {
            let is_optional = parser.take("?");
            let key = parser.expression()?;
            parser.expect(":")?;
            Ok((key, parser.expression()?, is_optional))
        })?;
        Ok(Expression::new(at, Kind::Map(entries)))
    }

    /// Parses the fields of an object of a named type.
    fn fields(&mut self) -> Result<Vec<(LeanStr, Expression, bool)>, Refusal> {
        self.expect("{")?;
        self.until("}", |parser| {
            let is_optional = parser.take("?");
            let TokenKind::Name(name) = parser.peek().kind.clone() else {
                return Err(parser.unexpected());
            };
            parser.next += 1;
            parser.expect(":")?;
            Ok((name, parser.expression()?, is_optional))
        })
    }

    /// Like [`until`](Self::until), where a trailing comma is allowed even if nothing precedes it.
    fn until_or_comma<T>(
        &mut self,
        close: &'static str,
        part: impl Fn(&mut Self) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        if self.take(",") {
            return self.expect(close).map(|()| Vec::new());
        }
        self.until(close, part)
    }

    /// Parses what is separated by commas up to a closing bracket. A trailing comma is allowed.
    fn until<T>(
        &mut self,
        close: &'static str,
        part: impl Fn(&mut Self) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        let mut parts = Vec::new();
        while !self.take(close) {
            parts.push(part(self)?);
            if !self.take(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(parts)
    }
}

/// Joins terms into a tree: a flat one for `&&` and `||`, whose order of evaluation does not matter
/// and which rules chain often; a left-associative one for all other operators.
fn join_terms(mut terms: Vec<(usize, &'static str, Expression)>) -> Expression {
    let is_logical = terms.get(1).is_some_and(|(_, operator, _)| ["&&", "||"].contains(operator));
    if is_logical {
        while terms.len() > 1 {
            let mut halved = Vec::with_capacity(terms.len().div_ceil(2));
            let mut rest = terms.into_iter();
            while let Some((at, operator, left)) = rest.next() {
                halved.push(match rest.next() {
                    Some((inner, between, right)) => {
                        (at, operator, binary_call(inner, between, left, right))
                    }
                    None => (at, operator, left),
                });
            }
            terms = halved;
        }
    }
    let mut terms = terms.into_iter();
    let Some((_, _, mut joined)) = terms.next() else {
        return Expression::literal(0, Literal::Null);
    };
    for (at, operator, term) in terms {
        joined = binary_call(at, operator, joined, term);
    }
    joined
}

fn binary_call(at: usize, operator: &str, left: Expression, right: Expression) -> Expression {
    let function =
        if operator == "in" { Function::In } else { Function::named(&format!("_{operator}_")) };
    Expression::call(at, function, vec![left, right])
}

fn parse_integer(
    at: usize,
    digits: &str,
    radix: u32,
    is_negative: bool,
) -> Result<Literal, Refusal> {
    let signed = if is_negative { format!("-{digits}") } else { digits.to_owned() };
    match i64::from_str_radix(&signed, radix) {
        Ok(number) => Ok(Literal::Int(number)),
        Err(_) => Err(Refusal::at(at, format!("`{signed}` is too large for an int"))),
    }
}
