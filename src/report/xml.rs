//! Escapes text for XML.

use super::visible::visible;

/// Escapes text between tags. Characters that XML cannot contain are made visible before.
pub(crate) fn content(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Escapes text in double quotes, where XML readers would turn line breaks and tabs into spaces.
pub(crate) fn attribute(text: &str) -> String {
    content(text).replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;")
}
