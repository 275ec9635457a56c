//! `Message`: words of the product, and quotes of the input.

use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::ops::Deref;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::scalar::QUOTE_MARKS;

/// The length in bytes above which a quote is truncated. The longest names in Kubernetes have 253.
pub(super) const LONGEST_QUOTE: usize = 300;
/// The number of bytes shown of a longer one.
const SHOWN: usize = 200;
/// The length in bytes above which a message is truncated.
pub(super) const LONGEST: usize = 4000;

/// A string for readers: words of the product, and quotes of the input.
///
/// It is made from a string in which names and values are between backquotes, or are marked with
/// [`quote`](crate::scalar::quote). Later steps read the parts, and search nothing in the string. A
/// copy is cheap.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Message(Option<Arc<Parts>>);

#[derive(PartialEq, Eq, PartialOrd, Ord, Default)]
struct Parts {
    text: String,
    /// The ends of all parts except the last, in turn of words and of a quote.
    ends: Vec<usize>,
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
    /// The whole string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_ref().map_or("", |parts| &parts.text)
    }

    /// The parts, of which the string consists.
    pub fn parts(&self) -> impl Iterator<Item = MessagePart<'_>> {
        let ends = self.0.as_ref().map_or(&[][..], |parts| &parts.ends);
        let mut start = 0;
        ends.iter().copied().chain([self.len()]).enumerate().map(move |(number, end)| {
            let part = self.get(start..end).unwrap_or_default();
            start = end;
            if number % 2 == 0 { MessagePart::Words(part) } else { MessagePart::Quote(part) }
        })
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
        let (mut parts, mut is_changed) = (Parts::default(), false);
        for part in self.parts() {
            match part {
                MessagePart::Words(words) => parts.text.push_str(words),
                MessagePart::Quote(quote) => {
                    let new = replacement(quote);
                    is_changed |= new.is_some();
                    parts.text.push_str(new.as_deref().unwrap_or(quote));
                }
            }
            parts.ends.push(parts.text.len());
        }
        if is_changed {
            parts.ends.pop();
            self.0 = Some(Arc::new(parts));
        }
    }

    /// Truncates long quotes, and the whole string.
    pub(super) fn shorten(&mut self, longest: usize) {
        if self.len() > LONGEST_QUOTE {
            self.replace_quotes(|quote| (quote.len() > LONGEST_QUOTE).then(|| cut(quote, SHOWN)));
        }
        if let Some(parts) = self.0.as_ref().filter(|parts| parts.text.len() > longest) {
            let text = cut(&parts.text, longest);
            let ends = parts.ends.iter().copied().filter(|end| *end < text.len()).collect();
            self.0 = Some(Arc::new(Parts { text, ends }));
        }
    }

    /// The same message after some words.
    #[must_use]
    pub fn after(&self, words: &str) -> Self {
        let ends = self.0.as_ref().map_or(&[][..], |parts| &parts.ends);
        let ends = ends.iter().map(|end| end + words.len()).collect();
        Self(Some(Arc::new(Parts { text: format!("{words}{self}"), ends })))
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        let [start, end] = QUOTE_MARKS;
        let (mut ends, mut removed) = (Vec::new(), 0);
        let (mut is_in_backquotes, mut is_in_marks) = (false, false);
        for (at, found) in text.match_indices(['`', start, end]) {
            let at = at - removed;
            if found != "`" {
                removed += found.len();
                let is_other = is_in_marks != found.starts_with(start);
                is_in_marks = found.starts_with(start);
                ends.extend((is_other && !is_in_backquotes).then_some(at));
            } else if !is_in_marks {
                // The backquotes belong to the words.
                is_in_backquotes = !is_in_backquotes;
                ends.push(at + usize::from(is_in_backquotes));
            }
        }
        if is_in_backquotes {
            // A value has a backquote, so that words and quotes cannot be distinguished after it.
            ends.truncate(1);
        }
        let text = if removed > 0 { text.replace(QUOTE_MARKS, "") } else { text };
        Self((!text.is_empty()).then(|| Arc::new(Parts { text, ends })))
    }
}

/// The conversions from strings that call sites have.
macro_rules! from_strings {
    ($($string:ty),+) => {
        $(impl From<$string> for Message {
            fn from(text: $string) -> Self {
                Self::from(String::from(text))
            }
        })+
    };
}

from_strings!(&str, &String, Cow<'_, str>, Box<str>);

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for Message {
    fn eq(&self, other: &T) -> bool {
        self.as_str() == other.as_ref()
    }
}

/// The part of a string that messages show. Thousands of findings that quote megabytes before they are
/// truncated would take as many copies.
pub fn brief(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text)
}

/// A text of at most this number of bytes, or the beginning of a longer one, with a mark for the rest.
pub fn cut(text: &str, length: usize) -> String {
    if text.len() <= length {
        return text.to_owned();
    }
    let start = text.get(..text.floor_char_boundary(length)).unwrap_or_default();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::quote;

    fn shortened(text: &str) -> Message {
        let mut message = Message::from(text);
        message.shorten(LONGEST);
        message
    }

    fn quotes(text: String) -> Vec<String> {
        Message::from(text).quotes().map(str::to_owned).collect()
    }

    #[test]
    fn a_message_consists_of_words_and_quotes() {
        let message = Message::from("no `a` in `b`");
        assert_eq!(message.words().collect::<Vec<_>>(), ["no `", "` in `", "`"]);
        assert_eq!(message.quotes().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(message.after("x: "), "x: no `a` in `b`");
        assert_eq!(message.after("x: ").quotes().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(Message::from("").parts().collect::<Vec<_>>(), [MessagePart::Words("")]);
    }

    #[test]
    fn marked_values_are_quotes_wherever_they_are() {
        let text = format!("`{}` of Pod/{}: {}", quote("a`b`"), quote("web"), quote("`c"));
        let message = Message::from(text.as_str());
        assert_eq!(message, "`a`b`` of Pod/web: `c");
        assert_eq!(quotes(text), ["a`b`", "web", "`c"]);
    }

    #[test]
    fn after_a_backquote_in_a_value_all_is_a_quote() {
        assert_eq!(quotes("invalid `a`b` of `c`".to_owned()), ["a`b` of `c`"]);
        let [start, end] = QUOTE_MARKS;
        assert_eq!(quotes(format!("{end}a{start}b`{start}c")), ["b`c"]);
    }

    #[test]
    fn quotes_can_be_replaced() {
        let mut message = Message::from("no `a` in `b`");
        message.replace_quotes(|quote| (quote == "a").then(|| "***".to_owned()));
        assert_eq!(message, "no `***` in `b`");
        assert_eq!(message.quotes().collect::<Vec<_>>(), ["***", "b"]);
    }

    #[test]
    fn only_long_quotes_are_truncated() {
        let name = "n".repeat(253);
        let text = format!("Secret `{name}` of `{name}` not found");
        assert_eq!(shortened(&text), text);
        let text = format!("unknown field `{}` in `spec`", "é".repeat(400));
        assert_eq!(shortened(&text), format!("unknown field `{}…` in `spec`", "é".repeat(100)));
    }

    #[test]
    fn messages_have_a_bounded_length() {
        let text = format!("expected one of {}", "`a`, ".repeat(4000));
        let message = shortened(&text);
        assert!(message.len() <= LONGEST + "…".len());
        assert_eq!(message.words().count(), message.quotes().count(), "the last quote is cut");
        let text = format!("not closed `{}", "x".repeat(1_000_000));
        assert!(shortened(&text).len() < LONGEST_QUOTE);
    }

    #[test]
    fn a_brief_string_is_as_long_as_a_message() {
        assert_eq!(brief("é"), "é");
        assert_eq!(brief(&"é".repeat(LONGEST)).len(), LONGEST);
        assert_eq!(brief(&format!("a{}", "é".repeat(LONGEST))).len(), LONGEST - 1);
    }
}
