//! Workflow commands of GitHub Actions: `::error file=a.yaml,line=1::message`, one on a line.
//!
//! Source: `src/Runner.Common/ActionCommand.cs` of actions/runner, which decodes `%25`, `%0D` and `%0A`
//! in a message, and `%3A` and `%2C` as well in a property.

use std::fmt::{self, Formatter, Write};

use super::{Format, Insert, visible_line};

/// Workflow commands. Text is the message of a command.
#[derive(Debug)]
pub enum Commands {}

impl Format for Commands {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        out.write_str(&visible_line(text).replace('%', "%25"))
    }
}

/// The value of a property, which a colon or comma would end.
#[derive(Clone, Copy, Debug)]
pub struct Property<'t>(pub &'t str);

impl Insert<Commands> for Property<'_> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = visible_line(self.0).replace('%', "%25");
        f.write_str(&text.replace(':', "%3A").replace(',', "%2C"))
    }
}

/// The lines of a message.
#[derive(Clone, Copy, Debug)]
pub struct DataLines<'l>(pub &'l [String]);

impl Insert<Commands> for DataLines<'_> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, line) in self.0.iter().enumerate() {
            f.write_str(if number > 0 { "%0A" } else { "" })?;
            Commands::escape(line, f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup;
    use crate::markup::Markup;

    #[test]
    fn a_message_ends_neither_its_line_nor_its_properties() {
        let mut text = Markup::<Commands>::new();
        let lines = ["a%0A::b".to_owned(), "c\r\nd".to_owned()];
        markup!(text, "::error file={}::{}\n", Property("a,b::c%3A"), DataLines(&lines));
        assert_eq!(text.into_string(), "::error file=a%2Cb%3A%3Ac%253A::a%250A::b%0Ac␍␊d\n");
    }
}
