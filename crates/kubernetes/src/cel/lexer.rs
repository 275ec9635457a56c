//! Splits the source of an expression into tokens.

use lean_string::LeanStr;

use super::Refusal;
use super::ast::Literal;
use crate::scalar::control_character;

/// A token, and the byte offset at which it begins.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) at: usize,
    pub(super) kind: TokenKind,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TokenKind {
    /// A name or a reserved word.
    Name(LeanStr),
    /// A name in backquotes.
    QuotedName(LeanStr),
    /// The digits of an integer, without its sign: `-9223372036854775808` fits only with it.
    Digits { digits: LeanStr, radix: u32 },
    /// Any other literal, including `null`, `true` and `false`.
    Literal(Literal),
    /// An operator or a bracket.
    Sign(&'static str),
    /// The end of the source.
    End,
}

/// The operators and brackets, longer ones first.
const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!",
    "?", ":", "+", "*", "/", "%",
];

/// Reads all tokens; the last is `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Refusal> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let at = lexer.at;
        let kind = lexer.token()?;
        let is_end = kind == TokenKind::End;
        tokens.push(Token { at, kind });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{c}'));
            if !self.rest().starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    /// Consumes characters while `is_part` is true.
    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let (taken, _) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
        self.at += taken.len();
        taken
    }

    fn token(&mut self) -> Result<TokenKind, Refusal> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(TokenKind::End) };
        if let Some(literal) = self.text_literal()? {
            return Ok(TokenKind::Literal(literal));
        }
        let is_fraction =
            first == '.' && rest.chars().nth(1).is_some_and(|second| second.is_ascii_digit());
        if first.is_ascii_digit() || is_fraction {
            return self.number();
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            return Ok(match name {
                "true" => TokenKind::Literal(Literal::Bool(true)),
                "false" => TokenKind::Literal(Literal::Bool(false)),
                "null" => TokenKind::Literal(Literal::Null),
                "in" => TokenKind::Sign("in"),
                _ => TokenKind::Name(name.into()),
            });
        }
        if first == '`' {
            let start = self.at;
            self.at += 1;
            let name = self.take_while(|c| {
                c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/' | ' ')
            });
            if !name.is_empty() && self.rest().starts_with('`') {
                self.at += 1;
                return Ok(TokenKind::QuotedName(name.into()));
            }
            return Err(Refusal::at(start, "unterminated name in backquotes"));
        }
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let Some(sign) = sign else {
            return Err(Refusal::at(self.at, format!("unexpected character `{first}`")));
        };
        self.at += sign.len();
        Ok(TokenKind::Sign(sign))
    }

    fn number(&mut self) -> Result<TokenKind, Refusal> {
        let start = self.at;
        if let Some(rest) = self.rest().strip_prefix("0x")
            && rest.starts_with(|c: char| c.is_ascii_hexdigit())
        {
            self.at += 2;
            let digits = self.take_while(|c| c.is_ascii_hexdigit());
            return self.integer(start, digits, 16);
        }
        let digits = self.take_while(|c| c.is_ascii_digit());
        let integer_end = self.at;
        if self.rest().strip_prefix('.').is_some_and(starts_with_digit) {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
        if let Some(rest) = self.rest().strip_prefix(['e', 'E']) {
            let unsigned = rest.strip_prefix(['+', '-']).unwrap_or(rest);
            if starts_with_digit(unsigned) {
                self.at += 1 + rest.len() - unsigned.len();
                self.take_while(|c| c.is_ascii_digit());
            }
        }
        if self.at == integer_end {
            return self.integer(start, digits, 10);
        }
        let text = self.text.get(start..self.at).unwrap_or("");
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(TokenKind::Literal(Literal::Double(number))),
            _ => Err(Refusal::at(start, format!("`{text}` is too large for a double"))),
        }
    }

    fn integer(&mut self, start: usize, digits: &str, radix: u32) -> Result<TokenKind, Refusal> {
        if !self.rest().starts_with(['u', 'U']) {
            return Ok(TokenKind::Digits { digits: digits.into(), radix });
        }
        self.at += 1;
        match u64::from_str_radix(digits, radix) {
            Ok(number) => Ok(TokenKind::Literal(Literal::Uint(number))),
            Err(_) => Err(Refusal::at(start, format!("`{digits}u` is too large for a uint"))),
        }
    }

    /// Reads a string or bytes literal, if one begins here.
    fn text_literal(&mut self) -> Result<Option<Literal>, Refusal> {
        let start = self.at;
        let rest = self.rest();
        let unprefixed = rest.strip_prefix(['b', 'B']);
        let is_bytes = unprefixed.is_some();
        let after_bytes = unprefixed.unwrap_or(rest);
        let unraw = after_bytes.strip_prefix(['r', 'R']);
        let quoted = unraw.unwrap_or(after_bytes);
        let Some(quote) =
            ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| quoted.starts_with(quote))
        else {
            return Ok(None);
        };
        let content = quoted.get(quote.len()..).unwrap_or("");
        let Some(end) = end_of_text(content, quote, unraw.is_some()) else {
            return Err(Refusal::at(start, "unterminated string"));
        };
        self.at += rest.len() - content.len() + end + quote.len();
        let content = content.get(..end).unwrap_or("");
        let literal = match (is_bytes, unraw) {
            (true, Some(_)) => Some(Literal::Bytes(content.as_bytes().to_vec())),
            (true, None) => unescape_bytes(content).map(Literal::Bytes),
            (false, Some(_)) => Some(Literal::String(content.into())),
            (false, None) => unescape_string(content).map(|text| Literal::String(text.into())),
        };
        match literal {
            Some(literal) => Ok(Some(literal)),
            None => Err(Refusal::at(start, "invalid escape in a string")),
        }
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// The offset of the closing quote.
fn end_of_text(content: &str, quote: &str, is_raw: bool) -> Option<usize> {
    let mut characters = content.char_indices();
    while let Some((at, character)) = characters.next() {
        if content.get(at..)?.starts_with(quote) {
            return Some(at);
        }
        match character {
            '\\' if !is_raw => drop(characters.next()),
            '\n' | '\r' if quote.len() == 1 => return None,
            _ => {}
        }
    }
    None
}

/// A part of a string literal: a character, or the number given by an escape.
enum Part {
    Character(char),
    /// `\x41`, `\101`: a code point in a string, a byte in bytes.
    Number(u8),
    /// `\u0041`.
    Point(u32),
}

fn text_parts(content: &str) -> impl Iterator<Item = Option<Part>> {
    let mut rest = content.chars();
    std::iter::from_fn(move || {
        Some(match rest.next()? {
            '\\' => read_escape(&mut rest),
            character => Some(Part::Character(character)),
        })
    })
}

fn read_escape(rest: &mut std::str::Chars<'_>) -> Option<Part> {
    let letter = rest.next()?;
    let plain = match letter {
        '"' | '\'' | '\\' | '?' | '`' => letter,
        'x' | 'X' => return Some(Part::Number(u8::try_from(read_number(rest, 2, 16)?).ok()?)),
        'u' => return Some(Part::Point(read_number(rest, 4, 16)?)),
        'U' => return Some(Part::Point(read_number(rest, 8, 16)?)),
        '0'..='3' => {
            let high = letter.to_digit(8)? * 64;
            return Some(Part::Number(u8::try_from(high + read_number(rest, 2, 8)?).ok()?));
        }
        _ => control_character(letter)?,
    };
    Some(Part::Character(plain))
}

fn read_number(rest: &mut std::str::Chars<'_>, count: usize, radix: u32) -> Option<u32> {
    let mut number = 0;
    for _ in 0..count {
        number = number * radix + rest.next()?.to_digit(radix)?;
    }
    Some(number)
}

fn unescape_string(content: &str) -> Option<String> {
    let mut text = String::with_capacity(content.len());
    for part in text_parts(content) {
        text.push(match part? {
            Part::Character(character) => character,
            Part::Number(number) => char::from(number),
            Part::Point(point) => char::from_u32(point)?,
        });
    }
    Some(text)
}

fn unescape_bytes(content: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(content.len());
    for part in text_parts(content) {
        match part? {
            Part::Character(character) => {
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Part::Number(number) => bytes.push(number),
            Part::Point(_) => return None,
        }
    }
    Some(bytes)
}
