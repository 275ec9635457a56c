//! Text in documents of other formats. The text can be of an input, which a stranger has written: a name
//! with a line feed, a backquote or `::` must not become markup.
//!
//! Each format has one escape, in a file of its own, and no other module has any. A document is a
//! [`Markup`] of its format, and [`markup!`](crate::markup!) writes it: the literal is markup of the
//! product, and each argument is text, which is escaped, or was made by an escape of the same format.
//! The compiler accepts nothing else.

mod commands;
mod comment;
mod completion;
mod dot;
mod json;
mod make;
mod markdown;
mod mermaid;
mod sarif;
mod shell;
mod snippet;
mod tap;
mod terminal;
mod xml;

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};
use std::marker::PhantomData;

pub use commands::{Commands, DataLines, Property};
pub use comment::YamlComment;
pub use completion::is_inert_candidate;
pub use dot::Dot;
pub use json::{json_string, pretty_json, write_pretty_json, yaml_string};
pub use make::{MakePart, make_name};
pub use markdown::{Code, Fenced, HtmlCode, Markdown};
pub use mermaid::Mermaid;
pub use sarif::sarif_message;
pub use shell::shell_word;
pub use snippet::Snippet;
pub use tap::{JsonString, Tap};
pub use terminal::{
    Control, Ink, Inked, Terminal, begins_command, is_command, is_hidden, printable, visible,
    visible_char, visible_line,
};
pub use xml::{Attribute, Xml, XmlLine};

/// A format of documents.
pub trait Format {
    /// Writes a text so that a reader of the format reads the same text, and nothing else.
    ///
    /// # Errors
    /// If `out` fails.
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result;
}

/// A document of a format, or a part of one.
pub struct Markup<F> {
    text: String,
    format: PhantomData<fn() -> F>,
}

impl<F: Format> Markup<F> {
    /// An empty document.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: String::new(), format: PhantomData }
    }

    /// A document with this text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut markup = Self::new();
        markup.push(text);
        markup
    }

    /// Markup of the product that is not a literal, such as the pages of the rules.
    #[must_use]
    pub fn of_product(markup: String) -> Self {
        Self { text: markup, format: PhantomData }
    }

    /// Appends text, or a part of the same format.
    pub fn push(&mut self, part: &(impl Insert<F> + ?Sized)) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "{}", Shown { part, format: PhantomData });
    }

    /// Appends markup of the product.
    pub fn literal(&mut self, markup: &'static str) {
        self.text.push_str(markup);
    }

    /// The length in bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The document.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// The document so far.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Removes spaces at the end.
    pub fn trim_end(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn format(&self) -> FormatOf<F> {
        FormatOf(PhantomData)
    }

    #[doc(hidden)]
    pub fn write_shown(&mut self, shown: fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(shown);
    }
}

impl<F: Format> Default for Markup<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F> Clone for Markup<F> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), format: PhantomData }
    }
}

impl<F> fmt::Debug for Markup<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

/// What can be inserted into a document of a format.
pub trait Insert<F> {
    /// Writes it, escaped.
    ///
    /// # Errors
    /// If the formatter fails.
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result;
}

impl<F: Format> Insert<F> for str {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        F::escape(self, f)
    }
}

impl<F> Insert<F> for Markup<F> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Markup of the product.
#[derive(Clone, Copy, Debug)]
pub struct Literal(pub &'static str);

impl<F> Insert<F> for Literal {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl<F, T: Insert<F> + ?Sized> Insert<F> for &T {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (**self).insert(f)
    }
}

impl<F, T: Insert<F>> Insert<F> for Option<T> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.as_ref().map_or(Ok(()), |part| part.insert(f))
    }
}

/// Strings, which are text.
macro_rules! insert_text {
    ($($string:ty),+) => {
        $(impl<F: Format> Insert<F> for $string {
            fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
                F::escape(self, f)
            }
        })+
    };
}

insert_text!(String, Cow<'_, str>, Box<str>, lean_string::LeanStr);

/// Numbers, which no format reads as markup.
macro_rules! insert_numbers {
    ($($number:ty),+) => {
        $(impl<F> Insert<F> for $number {
            fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(self, f)
            }
        })+
    };
}

insert_numbers!(usize, u32, u64, i64, f64);

#[doc(hidden)]
pub struct Shown<'p, F, T: ?Sized> {
    part: &'p T,
    format: PhantomData<fn() -> F>,
}

impl<F, T: Insert<F> + ?Sized> Display for Shown<'_, F, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.part.insert(f)
    }
}

#[doc(hidden)]
pub struct FormatOf<F>(PhantomData<fn() -> F>);

impl<F> FormatOf<F> {
    #[must_use]
    pub const fn shown<'p, T: Insert<F> + ?Sized>(&self, part: &'p T) -> Shown<'p, F, T> {
        Shown { part, format: PhantomData }
    }
}

/// Appends to a [`Markup`]: a literal of the product with `{}` for each argument. Names cannot be in
/// braces, as in `{name}`, because they would be inserted as they are.
///
/// ```
/// use sandboxc_syntax::markup;
/// use sandboxc_syntax::markup::{Markup, Xml};
///
/// let mut page: Markup<Xml> = Markup::new();
/// markup!(page, "<b>{}</b>", "a < b");
/// assert_eq!(page.into_string(), "<b>a &lt; b</b>");
/// ```
///
/// ```compile_fail
/// # use sandboxc_syntax::markup;
/// # use sandboxc_syntax::markup::{Markup, Xml};
/// let name = "a";
/// let mut page: Markup<Xml> = Markup::new();
/// markup!(page, "<b>{name}</b>");
/// ```
///
/// ```compile_fail
/// # use sandboxc_syntax::markup;
/// # use sandboxc_syntax::markup::{Dot, Markup, Xml};
/// let mut page: Markup<Xml> = Markup::new();
/// markup!(page, "<b>{}</b>", Markup::<Dot>::of("a"));
/// ```
#[macro_export]
macro_rules! markup {
    ($document:expr, $literal:literal $(, $part:expr)* $(,)?) => {{
        let document = &mut $document;
        #[allow(unused_variables, reason = "a literal can have no arguments")]
        let format = document.format();
        // A literal that a macro makes cannot name variables.
        document.write_shown(::core::format_args!(
            ::core::concat!($literal) $(, format.shown(&$part))*
        ));
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_text_and_literals_are_markup() {
        let mut line: Markup<Xml> = Markup::new();
        let name = "<a>".to_owned();
        markup!(line, "<b x=\"{}\">{}{}</b>", 2.25, name, Some("&"));
        line.push(&Markup::<Xml>::of("\""));
        line.literal("<br/>");
        assert_eq!(line.into_string(), "<b x=\"2.25\">&lt;a&gt;&amp;</b>&quot;<br/>");
        let mut number: Markup<Xml> = Markup::new();
        markup!(number, "{:.1} {}", 2.26, None::<&str>);
        assert_eq!(number.as_str(), "2.3 ");
    }
}
