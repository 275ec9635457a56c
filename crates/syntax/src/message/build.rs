//! The pieces of which a message is built.

use std::fmt::{Display, Write as _};

use super::parts::Parts;
use super::{Message, Text};

/// A piece of a message, as `message!` divides its literal.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it exists only inside a call of `message!`")]
pub enum Piece<'p> {
    /// Words of the literal.
    Words(&'static str),
    /// The value of a placeholder.
    Part(&'p dyn Part),
}

/// A value that a placeholder of a message can stand for.
///
/// All that can be displayed is a quote, because it can come from the input: numbers and names of
/// fields as well. Only [`Message`] and [`Words`], which cannot be displayed, have words.
pub trait Part {
    /// Adds the value to a message.
    fn add_to(&self, draft: &mut Draft);
}

impl<T: Display + ?Sized> Part for T {
    fn add_to(&self, draft: &mut Draft) {
        draft.start_quote();
        // A string accepts all characters.
        let _ = write!(draft.text, "{self}");
    }
}

impl Part for Message {
    fn add_to(&self, draft: &mut Draft) {
        draft.add_message(self);
    }
}

impl Part for &Message {
    fn add_to(&self, draft: &mut Draft) {
        draft.add_message(self);
    }
}

/// Words of the product that depend on the case: "is" or "are".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words(pub &'static str);

impl Part for Words {
    fn add_to(&self, draft: &mut Draft) {
        draft.add_words(self.0);
    }
}

/// A message that is being built.
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "it exists only inside a call of `message!`")]
pub struct Draft {
    text: String,
    /// The ends of all parts so far, in turn of words and of a quote.
    ends: Vec<usize>,
}

impl Draft {
    pub(super) fn add_words(&mut self, words: &str) {
        if self.is_in_quote() {
            self.ends.push(self.text.len());
        }
        self.text.push_str(words);
    }

    /// Starts a quote, also directly after another one.
    fn start_quote(&mut self) {
        if self.is_in_quote() {
            self.ends.push(self.text.len());
        }
        self.ends.push(self.text.len());
    }

    pub(super) fn add_quote(&mut self, quote: &str) {
        self.start_quote();
        self.text.push_str(quote);
    }

    pub(super) fn add_message(&mut self, message: &Message) {
        for part in message.parts() {
            match part {
                super::MessagePart::Words(words) => self.add_words(words),
                super::MessagePart::Quote(quote) => self.add_quote(quote),
            }
        }
    }

    pub(super) fn into_message(self) -> Message {
        let Self { text, ends } = self;
        if text.is_empty() {
            return Message::default();
        }
        Message(Text::Parts(Parts::new(text, &ends)))
    }

    fn is_in_quote(&self) -> bool {
        self.ends.len() % 2 == 1
    }
}
