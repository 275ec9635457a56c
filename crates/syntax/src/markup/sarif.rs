//! Messages of SARIF, which are plain text in which `[text](target)` is a link.

use std::borrow::Cow;

/// A message without links. The standard escapes brackets with backslashes, which not all viewers read.
#[must_use]
pub fn sarif_message(text: &str) -> Cow<'_, str> {
    if text.contains("](") { Cow::Owned(text.replace("](", "] (")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_no_links() {
        assert_eq!(sarif_message("[a](https://b) [c](1)"), "[a] (https://b) [c] (1)");
        assert!(matches!(sarif_message("items[0] (a)"), Cow::Borrowed(_)));
    }
}
