//! Faults of names and other strings, for messages.

use crate::message::{Draft, Message, Part, Words, message};

/// The first fault of a string. In a message it is the predicate of "the name ".
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

impl Part for Fault {
    fn add_to(&self, draft: &mut Draft) {
        self.message().add_to(draft);
    }
}

impl Fault {
    fn message(self) -> Message {
        let is_at = |verb, character: char, allowed| {
            message!("{} `{}`; allowed: {}", Words(verb), character.escape_debug(), Words(allowed))
        };
        match self {
            Self::Empty => "is empty".into(),
            Self::TooLong { length, limit } => {
                message!("has {length} characters, more than {limit}")
            }
            Self::Character { character, allowed } => is_at("contains", character, allowed),
            Self::Start { character, allowed } => is_at("starts with", character, allowed),
            Self::End { character, allowed } => is_at("ends with", character, allowed),
            Self::ManySlashes => "has more than one `/`".into(),
            Self::PrefixEmpty => "has no prefix before `/`".into(),
            Self::NameEmpty => "has an empty name after `/`".into(),
            Self::EmptyPart => "starts or ends with `.`, or contains `..`".into(),
            Self::DoubleDash => "contains `--`".into(),
            Self::NoLetter => "contains no letter".into(),
            Self::NotAddress => "is not an IP address in canonical form".into(),
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
        if let Some(character) = text.chars().find(|character| !(self.inner)(*character)) {
            return Err(Fault::Character { character, allowed: self.inner_allowed });
        }
        if let Some(character) = text.chars().next().filter(|character| !(self.start)(*character)) {
            return Err(Fault::Start { character, allowed: self.start_allowed });
        }
        if let Some(character) =
            text.chars().next_back().filter(|character| !(self.end)(*character))
        {
            return Err(Fault::End { character, allowed: self.end_allowed });
        }
        Ok(())
    }
}
