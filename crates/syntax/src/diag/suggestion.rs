//! Changes to the source that repair a finding.

use super::{Diagnostic, Message, message, nearest};
use crate::source::Span;

/// A change to the source that repairs the finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Suggestion {
    /// The span to replace; an empty one inserts.
    pub span: Span,
    /// The replacement text.
    pub replacement: String,
    /// An imperative: "quote the value".
    pub text: Message,
    /// Whether the edit can be applied without review.
    pub safety: Safety,
    /// The name that must be at the span for the edit to apply. A value with another origin, such
    /// as an expression, is not replaced.
    pub replaces: Option<Box<str>>,
}

/// The certainty of a suggestion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Safety {
    /// It writes what the author meant, and changes nothing that Kubernetes accepts today.
    Safe,
    /// It is the likeliest repair, and may not be what the author meant.
    Unsafe,
}

impl Safety {
    /// As shown in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

impl Diagnostic {
    /// A change to the source that likely repairs it.
    #[must_use]
    pub fn suggest(
        self,
        span: impl Into<Span>,
        replacement: impl Into<String>,
        text: impl Into<Message>,
    ) -> Self {
        self.edit(span.into(), replacement.into(), text.into(), (Safety::Unsafe, None))
    }

    /// Like [`suggest`](Self::suggest) where the span is known, else help with the same words.
    #[must_use]
    pub fn suggest_or_help(
        self,
        span: Option<Span>,
        replacement: impl Into<String>,
        text: impl Into<Message>,
    ) -> Self {
        match span {
            Some(span) => self.suggest(span, replacement, text),
            None => self.help(text),
        }
    }

    /// A change to the source that certainly repairs it.
    #[must_use]
    pub fn fix(
        self,
        span: impl Into<Span>,
        replacement: impl Into<String>,
        text: impl Into<Message>,
    ) -> Self {
        self.edit(span.into(), replacement.into(), text.into(), (Safety::Safe, None))
    }

    fn edit(
        mut self,
        span: Span,
        replacement: String,
        text: Message,
        (safety, replaces): (Safety, Option<&str>),
    ) -> Self {
        let replaces = replaces.map(Into::into);
        let suggestion = Suggestion { span, replacement, text, safety, replaces };
        self.details_mut().suggestions.push(suggestion);
        self
    }

    /// Adds "did you mean" and the edit, if a candidate is similar to the name at `span`.
    #[must_use]
    pub fn suggest_near<'c>(
        self,
        span: Span,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Self {
        match nearest(name, candidates) {
            Some(near) => self.suggest_name(span, name, near),
            None => self,
        }
    }

    /// As [`suggest_near`](Self::suggest_near); other help where no name is near.
    #[must_use]
    pub fn suggest_near_or<'c>(
        self,
        span: Span,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
        help: impl FnOnce() -> Message,
    ) -> Self {
        match nearest(name, candidates) {
            Some(near) => self.suggest_name(span, name, near),
            None => self.help(help()),
        }
    }

    /// Adds "did you mean" and the edit of the name at `span`.
    fn suggest_name(self, span: Span, name: &str, near: &str) -> Self {
        self.edit(span, near.to_owned(), did_you_mean(near), (Safety::Unsafe, Some(name)))
    }

    /// Adds "did you mean" for a name inside the string `text` at `span`: the edit of the name, with
    /// what precedes it, if the string is written on one line, else in words. Other help where no
    /// name is near.
    #[must_use]
    pub fn suggest_near_inside_or<'c>(
        self,
        (span, text): (Span, &str),
        (before, name): (&str, &str),
        candidates: impl IntoIterator<Item = &'c str>,
        help: impl FnOnce() -> Message,
    ) -> Self {
        let Some(near) = nearest(name, candidates) else { return self.help(help()) };
        let whole = format!("{before}{name}");
        let mut found = text.match_indices(&whole).filter(|(at, _)| {
            let after = text.get(at + whole.len()..).and_then(|rest| rest.chars().next());
            !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        });
        // Other styles than one plain or quoted line have other lengths.
        let quote = match span.parts().1 as usize {
            length if length == text.len() => Some(0),
            length if length == text.len() + 2 => Some(1),
            _ => None,
        };
        match (quote, found.next(), found.next()) {
            (Some(quote), Some((at, _)), None) => {
                let start = quote + at + before.len();
                self.suggest_name(span.part(start..start + name.len()), name, near)
            }
            _ => self.help(did_you_mean(near)),
        }
    }

    /// The string to write instead of `written` at `span`.
    #[must_use]
    pub fn write_instead(self, span: Span, written: &str, instead: &str, safety: Safety) -> Self {
        let is_plain = instead.starts_with(|c: char| c.is_ascii_alphabetic())
            && instead.chars().all(|c| c.is_ascii_alphanumeric() || "._/-@:".contains(c))
            && !instead.ends_with(':');
        // Words of YAML are short.
        let is_word = instead.len() <= 5 && !instead.contains(['.', '/', '-', ':']);
        let replacement =
            if is_plain && !is_word { instead.to_owned() } else { format!("\"{instead}\"") };
        self.edit(span, replacement, message!("write `{instead}`"), (safety, Some(written)))
    }
}

fn did_you_mean(name: &str) -> Message {
    message!("did you mean `{name}`?")
}
