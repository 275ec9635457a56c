//! What is wrong with a text, for messages.

use std::fmt;

/// The first thing that is wrong with a text. Displays as what follows "the name ".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Nothing in it.
    Empty,
    /// Longer than allowed.
    TooLong {
        /// How long it is, in bytes.
        length: usize,
        /// How long it may be, in bytes.
        limit: usize,
    },
    /// A character that may not appear there.
    Character {
        /// The character.
        character: char,
        /// What may appear there.
        allowed: &'static str,
    },
    /// A first character that may appear only further back.
    Start {
        /// The character.
        character: char,
        /// What it has to start with.
        allowed: &'static str,
    },
    /// A last character that may appear only further front.
    End {
        /// The character.
        character: char,
        /// What it has to end with.
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
    /// Digits and dashes alone.
    NoLetter,
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
            Self::PrefixEmpty => f.write_str("has an empty prefix before `/`"),
            Self::NameEmpty => f.write_str("has an empty name after `/`"),
            Self::EmptyPart => f.write_str("starts or ends with `.`, or contains `..`"),
            Self::DoubleDash => f.write_str("contains `--`"),
            Self::NoLetter => f.write_str("contains no letter"),
        }
    }
}

/// The form of a text: which characters it consists of, and which appear at its ends.
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
    /// Checks a text that is not empty.
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
