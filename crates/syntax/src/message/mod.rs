//! `Message`: words of the product, and quotes of the input.

mod build;
mod parts;

use std::cmp::Ordering;
use std::fmt::{self, Debug};

use serde::{Serialize, Serializer};

use self::parts::Parts;

pub use build::{Draft, Part, Piece, Words};
pub use sandboxc_message::message;

/// The length in bytes above which a quote is truncated. The longest names in Kubernetes have 253.
pub(crate) const LONGEST_QUOTE: usize = 300;
/// The number of bytes shown of a longer one.
const SHOWN: usize = 200;
/// The length in bytes above which a message is truncated.
pub(crate) const LONGEST: usize = 4000;

/// A string for readers: words of the product, and quotes of the input.
///
/// [`message!`](message) makes it: the literal has the words, and what the placeholders
/// stand for is quoted. A literal alone is words. No other string can become a message, and a message
/// cannot be part of a string that becomes one, so nothing in the input counts as words. A copy is
/// cheap.
#[derive(Clone, Default)]
pub struct Message(Text);

/// The text of a message. Most messages of a run with many findings are literals, and a few quote names.
#[derive(Clone, Default)]
enum Text {
    #[default]
    Empty,
    /// Words alone.
    Literal(&'static str),
    Parts(Parts),
}

/// A part of a [`Message`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MessagePart<'m> {
    /// Words of the product, with the backquotes around a quote.
    Words(&'m str),
    /// The name of a field, or a name or value of the input.
    Quote(&'m str),
}

impl Message {
    /// The whole string, for readers. No decision depends on it.
    #[must_use]
    pub fn as_prose(&self) -> &str {
        match &self.0 {
            Text::Empty => "",
            Text::Literal(words) => words,
            Text::Parts(parts) => parts.text(),
        }
    }

    /// Whether it has no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_prose().is_empty()
    }

    /// The parts, of which the string consists.
    pub fn parts(&self) -> impl Iterator<Item = MessagePart<'_>> {
        let text = self.as_prose();
        let mut start = 0;
        self.ends().chain([text.len()]).enumerate().map(move |(number, end)| {
            let part = text.get(start..end).unwrap_or_default();
            start = end;
            if number % 2 == 0 { MessagePart::Words(part) } else { MessagePart::Quote(part) }
        })
    }

    /// The ends of all parts except the last, in turn of words and of a quote.
    fn ends(&self) -> impl Iterator<Item = usize> {
        let parts = match &self.0 {
            Text::Parts(parts) => Some(parts),
            Text::Empty | Text::Literal(_) => None,
        };
        parts.into_iter().flat_map(Parts::ends)
    }

    /// What the message says, whatever it quotes.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.parts().filter_map(|part| match part {
            MessagePart::Words(words) => Some(words),
            MessagePart::Quote(_) => None,
        })
    }

    /// The names and values in it.
    pub fn quotes(&self) -> impl Iterator<Item = &str> {
        self.parts().filter_map(|part| match part {
            MessagePart::Words(_) => None,
            MessagePart::Quote(quote) => Some(quote),
        })
    }

    /// Replaces the quotes for which `replacement` returns another one.
    pub fn replace_quotes(&mut self, replacement: impl Fn(&str) -> Option<String>) {
        self.replace(|_, quote| replacement(quote));
    }

    /// Replaces quotes, given the words before each.
    fn replace(&mut self, replacement: impl Fn(&str, &str) -> Option<String>) {
        let (mut draft, mut is_changed, mut before) = (Draft::default(), false, "");
        for part in self.parts() {
            match part {
                MessagePart::Words(words) => {
                    draft.add_words(words);
                    before = words;
                }
                MessagePart::Quote(quote) => {
                    let new = replacement(before, quote);
                    is_changed |= new.is_some();
                    draft.add_quote(new.as_deref().unwrap_or(quote));
                }
            }
        }
        if is_changed {
            *self = draft.into_message();
        }
    }

    /// Truncates long names and values, which are between backquotes, and the whole string. Another
    /// quote can be a sentence: the message of a policy.
    pub(crate) fn shorten(&mut self, longest: usize) {
        if self.as_prose().len() > LONGEST_QUOTE {
            self.replace(|before, quote| {
                let is_long = quote.len() > LONGEST_QUOTE && before.ends_with('`');
                is_long.then(|| cut(quote, SHOWN))
            });
        }
        if self.as_prose().len() > longest {
            let text = cut(self.as_prose(), longest);
            let ends: Vec<_> = self.ends().filter(|end| *end < text.len()).collect();
            self.0 = Text::Parts(Parts::new(text, &ends));
        }
    }

    /// The message that consists of these pieces: what `message!` expands to.
    pub fn of(pieces: &[Piece<'_>]) -> Self {
        if let [Piece::Words(words)] = pieces {
            return Self::from(*words);
        }
        let mut draft = Draft::default();
        for piece in pieces {
            match piece {
                Piece::Words(words) => draft.add_words(words),
                Piece::Part(part) => part.add_to(&mut draft),
            }
        }
        draft.into_message()
    }

    /// The messages, with words between them.
    pub fn joined(messages: impl IntoIterator<Item = Self>, separator: &'static str) -> Self {
        let (mut draft, mut is_first) = (Draft::default(), true);
        for message in messages {
            if !std::mem::take(&mut is_first) {
                draft.add_words(separator);
            }
            draft.add_message(&message);
        }
        draft.into_message()
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.as_prose() == other.as_prose() && self.ends().eq(other.ends())
    }
}

impl Eq for Message {}

impl PartialOrd for Message {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Message {
    fn cmp(&self, other: &Self) -> Ordering {
        let text = self.as_prose().cmp(other.as_prose());
        text.then_with(|| self.ends().cmp(other.ends()))
    }
}

impl From<&'static str> for Message {
    fn from(words: &'static str) -> Self {
        Self(if words.is_empty() { Text::Empty } else { Text::Literal(words) })
    }
}

impl From<&Self> for Message {
    fn from(message: &Self) -> Self {
        message.clone()
    }
}

impl Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(self.as_prose(), f)
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_prose())
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for Message {
    fn eq(&self, other: &T) -> bool {
        self.as_prose() == other.as_ref()
    }
}

/// The part of a string that messages show. Thousands of findings that quote megabytes before they are
/// truncated would take as many copies.
pub fn brief(text: &str) -> &str {
    text.split_at(text.floor_char_boundary(LONGEST)).0
}

/// A text of at most this number of bytes, or the beginning of a longer one, with a mark for the rest.
pub fn cut(text: &str, length: usize) -> String {
    if text.len() <= length {
        return text.to_owned();
    }
    let (start, _) = text.split_at(text.floor_char_boundary(length));
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(message: &Message) -> Message {
        let mut message = message.clone();
        message.shorten(LONGEST);
        message
    }

    fn quotes(message: &Message) -> Vec<&str> {
        message.quotes().collect()
    }

    #[test]
    fn a_message_consists_of_words_and_quotes() {
        let (field, owner) = ("a", String::from("b"));
        let message = message!("no `{field}` in `{owner}`");
        assert_eq!(message, "no `a` in `b`");
        assert_eq!(message.words().collect::<Vec<_>>(), ["no `", "` in `", "`"]);
        assert_eq!(quotes(&message), ["a", "b"]);
        assert_eq!(Message::from("").parts().collect::<Vec<_>>(), [MessagePart::Words("")]);
    }

    #[test]
    fn no_value_counts_as_words() {
        let value = "a` b `c";
        assert_eq!(quotes(&message!("invalid `{value}` of `{}`", 1)), [value, "1"]);
        assert_eq!(quotes(&message!("{value}{value}: {0}{0:?}", 'x')), [value, value, "x", "'x'"]);
    }

    #[test]
    fn words_and_messages_remain_what_they_are() {
        let (names, verb) = (message!("`{}`", "a"), Words("is"));
        let message = message!("{names} {verb} {}: {{}}", &names);
        assert_eq!(message, "`a` is `a`: {}");
        assert_eq!(quotes(&message), ["a", "a"]);
        let joined = Message::joined([names.clone(), names], " and ");
        assert_eq!((joined.as_prose(), quotes(&joined)), ("`a` and `a`", vec!["a", "a"]));
    }

    #[test]
    fn a_literal_is_words() {
        let message = Message::from("`a` is required");
        assert_eq!(message.words().collect::<Vec<_>>(), ["`a` is required"]);
    }

    #[test]
    fn quotes_can_be_replaced() {
        let mut message = message!("no `{}` in `{}`", "a", "b");
        message.replace_quotes(|quote| (quote == "a").then(|| "***".to_owned()));
        assert_eq!(message, "no `***` in `b`");
        assert_eq!(quotes(&message), ["***", "b"]);
    }

    #[test]
    fn only_long_quotes_are_truncated() {
        let name = "n".repeat(253);
        let message = message!("Secret `{name}` of `{name}` not found");
        assert_eq!(shortened(&message), message);
        let message = message!("the policy says: {}", "n".repeat(400));
        assert_eq!(shortened(&message), message);
        let message = message!("unknown field `{}` in `spec`", "é".repeat(400));
        let expected = format!("unknown field `{}…` in `spec`", "é".repeat(100));
        assert_eq!(shortened(&message), expected);
    }

    #[test]
    fn messages_have_a_bounded_length() {
        let names = (0..4000).map(|_| message!("`{}`", "a"));
        let message = shortened(&message!("expected one of {}", Message::joined(names, ", ")));
        assert!(message.as_prose().len() <= LONGEST + "…".len());
        let message = message!("not closed `{}", "x".repeat(1_000_000));
        assert!(shortened(&message).as_prose().len() < LONGEST_QUOTE);
    }

    #[test]
    fn a_brief_string_is_as_long_as_a_message() {
        assert_eq!(brief("é"), "é");
        assert_eq!(brief(&"é".repeat(LONGEST)).len(), LONGEST);
        assert_eq!(brief(&format!("a{}", "é".repeat(LONGEST))).len(), LONGEST - 1);
    }
}
