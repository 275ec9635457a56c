//! `Remedy`: what to write instead of a value, and the label at the value that says the same.

use crate::diag::Message;

/// What to do about a value that is not allowed.
pub(in crate::validate::rules) struct Remedy {
    /// Shown at the value: the limit, or the allowed values. Empty if the headline has the fact.
    pub(super) label: Message,
    pub(super) help: Message,
}

/// A remedy with a label.
pub(in crate::validate::rules) fn labelled(
    label: impl Into<Message>,
    help: impl Into<Message>,
) -> Remedy {
    Remedy { label: label.into(), help: help.into() }
}

impl From<Message> for Remedy {
    fn from(help: Message) -> Self {
        labelled("", help)
    }
}

impl From<&'static str> for Remedy {
    fn from(help: &'static str) -> Self {
        labelled("", help)
    }
}
