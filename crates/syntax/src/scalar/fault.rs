//! Faults of names and other strings, for messages.

use std::fmt;

/// The first fault of a string. Displays as the predicate of "the name ".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The string is empty.
    Empty,
    /// Longer than allowed.
    TooLong {
        /// Its length, in bytes.
        length: usize,
        /// The maximum length, in bytes.
        limit: usize,
    },
    /// A character that is not allowed.
    Character {
        /// The character.
        character: char,
        /// The allowed characters.
        allowed: &'static str,
    },
    /// A first character that is only allowed later.
    Start {
        /// The character.
        character: char,
        /// The allowed first characters.
        allowed: &'static str,
    },
    /// A last character that is only allowed earlier.
    End {
        /// The character.
        character: char,
        /// The allowed last characters.
        allowed: &'static str,
    },
    /// More than one `/`.
    ManySlashes,
    /// Nothing before the `/`.
    PrefixEmpty,
    /// Nothing after the `/`.
    NameEmpty,
    /// A dot where a part is expected: at an end, or after another dot.
    EmptyPart,
    /// Two dashes in a row.
    DoubleDash,
    /// Only digits and dashes.
    NoLetter,
    /// Not an IP address, or not in canonical form.
    NotAddress,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty"),
            Self::TooLong { length, limit } => {
                write!(f, "has {length} characters, more than {limit}")
            }
            Self::Character { character, allowed } => {
                write!(f, "contains `{}`; allowed: {allowed}", character.escape_debug())
            }
            Self::Start { character, allowed } => {
                write!(f, "starts with `{}`; allowed: {allowed}", character.escape_debug())
            }
            Self::End { character, allowed } => {
                write!(f, "ends with `{}`; allowed: {allowed}", character.escape_debug())
            }
            Self::ManySlashes => f.write_str("has more than one `/`"),
            Self::PrefixEmpty => f.write_str("has no prefix before `/`"),
            Self::NameEmpty => f.write_str("has an empty name after `/`"),
            Self::EmptyPart => f.write_str("starts or ends with `.`, or contains `..`"),
            Self::DoubleDash => f.write_str("contains `--`"),
            Self::NoLetter => f.write_str("contains no letter"),
            Self::NotAddress => f.write_str("is not an IP address in canonical form"),
        }
    }
}

/// The allowed characters of a string, and those at its ends.
pub(super) struct Form {
    pub(super) limit: usize,
    pub(super) inner: fn(char) -> bool,
    pub(super) inner_allowed: &'static str,
    pub(super) start: fn(char) -> bool,
    pub(super) start_allowed: &'static str,
    pub(super) end: fn(char) -> bool,
    pub(super) end_allowed: &'static str,
}

impl Form {
    /// Checks a non-empty string.
    pub(super) fn check(&self, text: &str) -> Result<(), Fault> {
        if text.len() > self.limit {
            return Err(Fault::TooLong { length: text.len(), limit: self.limit });
        }
        if let Some(character) = text.chars().find(|it| !(self.inner)(*it)) {
            return Err(Fault::Character { character, allowed: self.inner_allowed });
        }
        if let Some(character) = text.chars().next().filter(|it| !(self.start)(*it)) {
            return Err(Fault::Start { character, allowed: self.start_allowed });
        }
        if let Some(character) = text.chars().next_back().filter(|it| !(self.end)(*it)) {
            return Err(Fault::End { character, allowed: self.end_allowed });
        }
        Ok(())
    }
}
