//! Checks whether Go compiles a regular expression (`regexp/syntax` with Perl flags).

use std::fmt;
use std::sync::RwLock;

use regex::Regex;

use crate::sorted::SortedSet;

/// The maximum number of repetitions, multiplied over nested ones.
const MAX_REPEATED: u64 = 1000;

/// The maximum nesting depth of groups.
const MAX_NESTED: usize = 1000;

/// The count from which Go reports that a number is too large.
const HUGE: u64 = 100_000_000;

const POSIX_CLASSES: &[&str] = &[
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// The reason Go rejects an expression. Displays as the predicate of "the pattern ".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PatternFault {
    /// An unclosed group.
    GroupOpen,
    /// `)` without a group.
    GroupNotOpen,
    /// An unclosed class.
    ClassOpen,
    /// A class that does not exist, or a range whose end is before its start.
    Class(String),
    /// An escape that does not exist.
    Escape(String),
    /// A backslash at the end.
    Backslash,
    /// An unknown `(?...`, such as lookahead.
    Extension(String),
    /// An invalid group name.
    GroupName,
    /// A repetition of nothing.
    RepeatsNothing,
    /// A repetition of a repetition, without a group.
    RepeatsRepetition,
    /// Too many repetitions.
    RepeatsOften,
    /// Groups nested too deeply.
    Deep,
}

impl fmt::Display for PatternFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GroupOpen => f.write_str("has a `(` without its `)`"),
            Self::GroupNotOpen => f.write_str("has a `)` without its `(`"),
            Self::ClassOpen => f.write_str("has a `[` without its `]`"),
            Self::Class(text) => {
                write!(f, "contains `{text}`, which is neither a range nor a class")
            }
            Self::Escape(text) => write!(f, "contains the unknown escape `{text}`"),
            Self::Backslash => f.write_str("ends with a backslash"),
            Self::Extension(text) => write!(f, "contains `{text}`, which RE2 does not support"),
            Self::GroupName => f.write_str("has a group with an invalid name"),
            Self::RepeatsNothing => f.write_str("repeats nothing"),
            Self::RepeatsRepetition => f.write_str("repeats a repetition"),
            Self::RepeatsOften => write!(f, "repeats more than {MAX_REPEATED} times"),
            Self::Deep => f.write_str("nests groups too deeply"),
        }
    }
}

/// Whether Go compiles `pattern`.
pub fn check_go_pattern(pattern: &str) -> Result<(), PatternFault> {
    let mut parser = Parser {
        rest: pattern,
        from_last_name_end: pattern.rfind(":]").map(|at| pattern.len() - at),
        groups: vec![Group::default()],
        is_behind_repetition: false,
    };
    while !parser.rest.is_empty() {
        parser.step()?;
    }
    if parser.groups.len() > 1 { Err(PatternFault::GroupOpen) } else { Ok(()) }
}

/// An open group.
#[derive(Default)]
struct Group {
    /// The maximum number of repetitions of the last part, multiplied over nested repetitions;
    /// `None` if there is no part to repeat.
    last: Option<u64>,
    /// The maximum of this number over all parts.
    most: u64,
}

struct Parser<'p> {
    rest: &'p str,
    /// The bytes from the last `:]` to the end, so that no `[:` searches for one in vain.
    from_last_name_end: Option<usize>,
    groups: Vec<Group>,
    is_behind_repetition: bool,
}

impl<'p> Parser<'p> {
    fn step(&mut self) -> Result<(), PatternFault> {
        let is_behind_repetition = std::mem::take(&mut self.is_behind_repetition);
        let start = self.rest;
        match self.next() {
            Some('(') if self.rest.starts_with('?') => self.extension(start)?,
            Some('(') => self.open()?,
            Some(')') => self.close()?,
            Some('|') => self.end_part(None),
            Some('[') => {
                self.class(start)?;
                self.end_part(Some(1));
            }
            Some('*' | '+' | '?') => self.repeat(1, is_behind_repetition)?,
            Some('{') => match parse_repetition(self.rest) {
                Some((least, most, rest)) => {
                    self.rest = rest;
                    if most.is_some_and(|most| most < least) || most.unwrap_or(least) > MAX_REPEATED
                    {
                        return Err(PatternFault::RepeatsOften);
                    }
                    let factor = most.unwrap_or(least.max(1));
                    self.repeat(factor, is_behind_repetition)?;
                }
                None => self.end_part(Some(1)),
            },
            Some('\\') => self.escape(start)?,
            _ => self.end_part(Some(1)),
        }
        Ok(())
    }

    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let first = characters.next();
        self.rest = characters.as_str();
        first
    }

    /// Starts the next part; `factor` is the number of repetitions inside the last one.
    fn end_part(&mut self, last: Option<u64>) {
        if let Some(group) = self.groups.last_mut() {
            group.most = group.most.max(group.last.unwrap_or(0));
            group.last = last;
        }
    }

    fn open(&mut self) -> Result<(), PatternFault> {
        self.groups.push(Group::default());
        if self.groups.len() > MAX_NESTED { Err(PatternFault::Deep) } else { Ok(()) }
    }

    fn close(&mut self) -> Result<(), PatternFault> {
        // The first group is the whole expression.
        let Some(group) = self.groups.pop().filter(|_| !self.groups.is_empty()) else {
            return Err(PatternFault::GroupNotOpen);
        };
        self.end_part(Some(group.most.max(group.last.unwrap_or(0)).max(1)));
        Ok(())
    }

    fn repeat(&mut self, factor: u64, is_behind_repetition: bool) -> Result<(), PatternFault> {
        self.rest = self.rest.strip_prefix('?').unwrap_or(self.rest);
        if is_behind_repetition {
            return Err(PatternFault::RepeatsRepetition);
        }
        let Some(last) = self.groups.last_mut().and_then(|group| group.last.as_mut()) else {
            return Err(PatternFault::RepeatsNothing);
        };
        *last = last.saturating_mul(factor);
        self.is_behind_repetition = true;
        if factor > 1 && *last > MAX_REPEATED { Err(PatternFault::RepeatsOften) } else { Ok(()) }
    }

    /// `(?i)`, `(?i:`, `(?P<name>` and `(?<name>`; `start` has the parenthesis.
    fn extension(&mut self, start: &'p str) -> Result<(), PatternFault> {
        self.next();
        for prefix in ["P<", "<"] {
            if let Some(rest) = self.rest.strip_prefix(prefix) {
                let (name, rest) = rest.split_once('>').ok_or(PatternFault::GroupName)?;
                let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                if name.starts_with(['=', '!']) {
                    return Err(PatternFault::Extension(start.chars().take(4).collect()));
                }
                if name.is_empty() || !name.bytes().all(is_word) {
                    return Err(PatternFault::GroupName);
                }
                self.rest = rest;
                return self.open();
            }
        }
        let (mut is_negative, mut has_flag) = (false, false);
        loop {
            match self.next() {
                Some('i' | 'm' | 's' | 'U') => has_flag = true,
                Some('-') if !is_negative => (is_negative, has_flag) = (true, false),
                Some(':') if !is_negative || has_flag => return self.open(),
                Some(')') if !is_negative || has_flag => return Ok(()),
                _ => {
                    let read = start.len() - self.rest.len();
                    return Err(PatternFault::Extension(
                        start.get(..read).unwrap_or(start).to_owned(),
                    ));
                }
            }
        }
    }

    /// Parses an escape outside of a class.
    fn escape(&mut self, start: &'p str) -> Result<(), PatternFault> {
        match self.rest.chars().next() {
            Some('A' | 'b' | 'B' | 'z') => {
                self.next();
            }
            Some('Q') => {
                let (quoted, rest) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
                self.rest = rest;
                if quoted.len() == 1 {
                    return Ok(());
                }
            }
            _ => {
                self.rest = start;
                if !self.class_escape()? {
                    self.character()?;
                }
            }
        }
        self.end_part(Some(1));
        Ok(())
    }

    /// Parses a class such as `\d` and `\pL`; returns whether there was one.
    fn class_escape(&mut self) -> Result<bool, PatternFault> {
        let Some(rest) = self.rest.strip_prefix('\\') else { return Ok(false) };
        if let Some(rest) = rest.strip_prefix(['d', 'D', 's', 'S', 'w', 'W']) {
            self.rest = rest;
            return Ok(true);
        }
        let Some(rest) = rest.strip_prefix(['p', 'P']) else { return Ok(false) };
        let fault = || PatternFault::Class(self.rest.chars().take(20).collect());
        let (name, rest) = if let Some(rest) = rest.strip_prefix('{') {
            rest.split_once('}').ok_or_else(fault)?
        } else {
            rest.split_at(rest.chars().next().map_or(0, char::len_utf8))
        };
        if !is_unicode_class(name.strip_prefix('^').unwrap_or(name)) {
            return Err(fault());
        }
        self.rest = rest;
        Ok(true)
    }

    /// One character, escaped or not.
    fn character(&mut self) -> Result<char, PatternFault> {
        let start = self.rest;
        match self.next() {
            Some('\\') => {}
            Some(other) => return Ok(other),
            None => return Err(PatternFault::ClassOpen),
        }
        let fault = || PatternFault::Escape(start.chars().take(2).collect());
        let octal = |text: &str| {
            text.bytes().take(2).take_while(|digit| matches!(digit, b'0'..=b'7')).count()
        };
        match self.next() {
            None => Err(PatternFault::Backslash),
            Some('1'..='7') if octal(self.rest) == 0 => Err(fault()),
            Some(first @ '0'..='7') => {
                let (digits, rest) = self.rest.split_at(octal(self.rest));
                self.rest = rest;
                let value = u32::from_str_radix(&format!("{first}{digits}"), 8).ok();
                value.and_then(char::from_u32).ok_or_else(fault)
            }
            Some('x') => {
                let (digits, rest) = match self.rest.strip_prefix('{') {
                    Some(rest) => rest.split_once('}').ok_or_else(fault)?,
                    None => self.rest.split_at_checked(2).ok_or_else(fault)?,
                };
                let is_hex = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_hexdigit());
                let value = u32::from_str_radix(digits, 16)
                    .ok()
                    .filter(|value| is_hex && *value <= 0x0010_FFFF);
                self.rest = rest;
                // Go accepts half of a surrogate pair like any other number.
                value.map(|value| char::from_u32(value).unwrap_or('\u{d7ff}')).ok_or_else(fault)
            }
            Some('a') => Ok('\u{7}'),
            Some('f') => Ok('\u{c}'),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('v') => Ok('\u{b}'),
            Some(other) if other.is_ascii() && !other.is_ascii_alphanumeric() => Ok(other),
            Some(_) => Err(fault()),
        }
    }

    /// The name of a class such as `[:alpha:]`, and the rest.
    fn named_class(&self) -> Option<(&'p str, &'p str)> {
        let rest = self.rest.strip_prefix("[:")?;
        self.from_last_name_end.filter(|length| *length <= rest.len())?;
        rest.split_once(":]")
    }

    /// Parses a class in brackets after the opening bracket.
    fn class(&mut self, start: &'p str) -> Result<(), PatternFault> {
        self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
        let mut is_first = true;
        while is_first || !self.rest.starts_with(']') {
            is_first = false;
            if let Some((name, rest)) = self.named_class() {
                if !POSIX_CLASSES.contains(&name.strip_prefix('^').unwrap_or(name)) {
                    return Err(PatternFault::Class(self.rest.chars().take(20).collect()));
                }
                self.rest = rest;
                continue;
            }
            if self.class_escape()? {
                continue;
            }
            let range = self.rest;
            let low = self.character()?;
            let behind = self.rest.strip_prefix('-').filter(|rest| !rest.is_empty());
            if let Some(behind) = behind.filter(|rest| !rest.starts_with(']')) {
                self.rest = behind;
                if self.character()? < low {
                    let read = range.len() - self.rest.len();
                    return Err(PatternFault::Class(range.get(..read).unwrap_or(start).to_owned()));
                }
            }
        }
        self.next();
        Ok(())
    }
}

/// Parses `2}`, `2,}` or `2,3}`: the minimum, the maximum if any, and the rest.
fn parse_repetition(text: &str) -> Option<(u64, Option<u64>, &str)> {
    let (least, rest) = split_number(text)?;
    let Some(rest) = rest.strip_prefix(',') else {
        return Some((least, Some(least), rest.strip_prefix('}')?));
    };
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((least, None, rest));
    }
    let (most, rest) = split_number(rest)?;
    Some((least, Some(most), rest.strip_prefix('}')?))
}

fn split_number(text: &str) -> Option<(u64, &str)> {
    let (digits, rest) = text
        .split_at(text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len()));
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().unwrap_or(HUGE), rest))
}

/// Names of categories and scripts that are in use, in small letters without `_`. To look one up
/// takes as long as to read a thousand characters, and a pattern can contain a million of them.
static UNICODE_CLASSES: RwLock<SortedSet<String>> = RwLock::new(SortedSet::new());

/// Whether it is the name of a category or a script.
fn is_unicode_class(name: &str) -> bool {
    if name == "Any" {
        return true;
    }
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return false;
    }
    let plain = name.replace('_', "").to_ascii_lowercase();
    if UNICODE_CLASSES.read().is_ok_and(|it| it.contains(&plain)) {
        return true;
    }
    let is_class = Regex::new(&format!("\\p{{{name}}}")).is_ok();
    if is_class && let Ok(mut known) = UNICODE_CLASSES.write() {
        known.insert(plain);
    }
    is_class
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_patterns_that_go_compiles() {
        for pattern in [
            "",
            "a|b",
            "^[a-z]([-a-z0-9]*[a-z0-9])?$",
            "a{2,3}?",
            "a{,5}",
            "a{",
            "a{01}",
            "{",
            "}",
            "]",
            "(?i)a",
            "(?i-s:a)",
            "(?P<a>b)(?<c>d)",
            "()*",
            "^*",
            "a|",
            "|",
            "(|a)*",
            r"\Qa.b\E+",
            r"\x{10FFFF}\x41\101\0\_\<",
            r"[\]a-]",
            "[]a]",
            "[^]a]",
            "[[:alpha:]_]",
            "[[:a]",
            "[a-b-c]",
            "[--/]",
            r"\pL\p{Greek}\P{^Lu}",
            r"\pL\p{greek}\pL",
            r"\pL\p{Greek}\pL",
            "[[:alpha:][:]",
            r"[\d-z]",
            "(?:(?:a{10}){10}){10}",
            "a*?b",
            r"\bfoo\z",
            "(?U)a+",
            "(?P<a>b)(?P<a>c)",
            "x{0}",
            "é+",
            "a{2,}",
            "(?i)",
        ] {
            assert_eq!(check_go_pattern(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn rejects_patterns_that_go_rejects() {
        for pattern in [
            "(",
            ")",
            "a)",
            "[",
            "[a",
            "[]",
            "*",
            "+a",
            "?",
            "a|*",
            "(*)",
            "a**",
            "a*+",
            "a{2}{3}",
            "a+?*",
            "a{1001}",
            "a{3,2}",
            "(?:a{100}){11}",
            "(?=a)",
            "(?!a)b",
            "(?<=a)",
            "(?<!a)",
            "(?P<>a)",
            "(?P<a",
            "(?x)a",
            "(?-)a",
            "(?",
            r"\",
            r"\8",
            r"\1",
            r"\z\Z",
            r"\G",
            r"\C",
            r"\é",
            r"\x",
            r"\xg",
            r"\x{}",
            r"\x{110000}",
            r"\p",
            r"\p{Nope}",
            r"\pX",
            "[b-a]",
            "[[:nope:]]",
            "[[:[:[:",
            "[[:alpha:][:",
            "(?i)*",
            "((?i)*)",
            r"[\8]",
            r"[\Q]\E]",
            "(?>a)",
            "a++",
            "(?#c)",
        ] {
            assert!(check_go_pattern(pattern).is_err(), "{pattern}");
        }
    }
}
