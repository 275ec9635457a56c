//! XML, and SVG.

use std::fmt::{self, Formatter, Write};

use super::terminal::find_command;
use super::{Format, Insert, visible, visible_line};

/// A document in XML. Text is between tags, or in double quotes.
#[derive(Debug)]
pub enum Xml {}

impl Format for Xml {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        // XML cannot contain control characters and noncharacters, even as references.
        for line in visible(text).split_inclusive('\n') {
            let mut rest = line;
            // A log can show the document.
            while let Some(at) = find_command(rest) {
                let (before, after) = rest.split_at(at);
                push_escaped(before, out)?;
                out.write_str(if after.starts_with(':') { "&#58;" } else { "&#35;" })?;
                rest = after.split_at(1).1;
            }
            push_escaped(rest, out)?;
        }
        Ok(())
    }
}

fn push_escaped(text: &str, out: &mut dyn Write) -> fmt::Result {
    for character in text.chars() {
        match character {
            '&' => out.write_str("&amp;")?,
            '<' => out.write_str("&lt;")?,
            '>' => out.write_str("&gt;")?,
            '"' => out.write_str("&quot;")?,
            other => out.write_char(other)?,
        }
    }
    Ok(())
}

/// Text in double quotes, where readers would turn line feeds and tabs into spaces.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'t>(pub &'t str);

impl Insert<Xml> for Attribute<'_> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        Xml::escape(self.0, &mut text)?;
        f.write_str(&text.replace('\n', "&#10;").replace('\t', "&#9;"))
    }
}

/// Text on one line of a picture.
#[derive(Clone, Copy, Debug)]
pub struct XmlLine<'t>(pub &'t str);

impl Insert<Xml> for XmlLine<'_> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Xml::escape(&visible_line(self.0), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup;
    use crate::markup::Markup;

    #[test]
    fn text_is_text_between_tags_and_in_quotes() {
        let hostile = "]]><a b=\"'&amp;\u{1b}\u{ffff}\r\n\t ::a ##[b]";
        let mut page = Markup::<Xml>::new();
        markup!(page, "<a b=\"{}\">{}|{}</a>", Attribute(hostile), hostile, XmlLine("a\nb"));
        assert_eq!(
            page.into_string(),
            "<a b=\"]]&gt;&lt;a b=&quot;'&amp;amp;␛\u{fffd}␍&#10;&#9; &#58;:a &#35;#[b]\">\
             ]]&gt;&lt;a b=&quot;'&amp;amp;␛\u{fffd}␍\n\t &#58;:a &#35;#[b]|a␊b</a>"
        );
    }
}
