//! GitHub's Markdown, for comments and summaries, and that of editors.
//!
//! A backslash makes a character text for the parser, but not for what reads the text afterwards:
//! `\@team` still notifies a team, `\#1` and `a@b.c` become links, and so do hashes of commits. GitHub and
//! GitLab leave code alone. Text of the input is therefore always code, and in words of the product, what
//! could be more than a word is.
//!
//! Sources: the specification of GitHub Flavored Markdown, 0.29; cmark-gfm's `extensions/autolink.c` and
//! `table.c`; GitHub's and GitLab's pages about mentions and references.

use std::fmt::{self, Formatter, Write};

use super::terminal::find_command;
use super::{Format, Insert, printable, visible_line};

/// A page in Markdown. Text is prose on one line, with code in backquotes.
#[derive(Debug)]
pub enum Markdown {}

impl Format for Markdown {
    fn escape(text: &str, out: &mut dyn Write) -> fmt::Result {
        let mut prose = Prose { out, is_first: true, is_after_code: false };
        let text = visible_line(text);
        let mut rest = &*text;
        while let Some((words, after)) = rest.split_once('`') {
            let Some((code, after)) = after.split_once('`') else { break };
            prose.words(words)?;
            prose.code(code)?;
            rest = after;
        }
        prose.words(rest)
    }
}

/// The writer of a line of prose.
struct Prose<'o> {
    out: &'o mut dyn Write,
    /// Whether nothing was written, so that a dash would begin a list.
    is_first: bool,
    /// Whether a code span precedes, whose backquotes could be those of the next.
    is_after_code: bool,
}

impl Prose<'_> {
    fn words(&mut self, words: &str) -> fmt::Result {
        for (number, word) in words.split(' ').enumerate() {
            if number > 0 {
                self.out.write_char(' ')?;
                self.is_after_code = false;
            }
            if word.is_empty() {
                continue;
            }
            if is_word(word, self.is_first) {
                self.out.write_str(word)?;
                (self.is_first, self.is_after_code) = (false, false);
            } else {
                self.code(word)?;
            }
        }
        Ok(())
    }

    fn code(&mut self, code: &str) -> fmt::Result {
        if self.is_after_code { write_html(code, self.out) } else { write_code(code, self.out) }?;
        (self.is_first, self.is_after_code) = (false, true);
        Ok(())
    }
}

/// Whether a word without spaces is nothing but a word, wherever it is.
fn is_word(word: &str, is_first: bool) -> bool {
    let is_inert =
        |character: char| character.is_alphanumeric() || ".,;:()'\"?/-%…→×–—".contains(character);
    // A line that starts with `-`, `1.` or `/close` is a list or a command.
    let is_start = |character: char| character.is_alphanumeric();
    let is_number = |word: &str| {
        let rest = word.trim_start_matches(|character: char| character.is_ascii_digit());
        rest.len() < word.len() && rest.starts_with(['.', ')'])
    };
    let lower = word.to_ascii_lowercase();
    word.chars().all(is_inert)
        && (!is_first || word.starts_with(is_start) && !is_number(word))
        // GitLab's milestones begin with it.
        && !word.trim_end_matches('%').contains('%')
        && word != "%"
        && !lower.contains("www.")
        && !lower.contains("://")
        && !lower.starts_with("gh-")
        // `:tada:` is a picture.
        && word.matches(':').count() < 2
        && !lower.split(|character: char| !character.is_ascii_alphanumeric()).any(is_hash)
}

/// Whether letters and digits can be the hash of a commit.
fn is_hash(text: &str) -> bool {
    text.len() >= 7
        && text.bytes().all(|it| it.is_ascii_hexdigit())
        && text.bytes().any(|it| it.is_ascii_digit())
}

/// Text as code, on one line.
#[derive(Clone, Copy, Debug)]
pub struct Code<'t>(pub &'t str);

impl Insert<Markdown> for Code<'_> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_code(&visible_line(self.0), f)
    }
}

/// Text as code in HTML, which is code in Markdown and in a line of HTML.
#[derive(Clone, Copy, Debug)]
pub struct HtmlCode<'t>(pub &'t str);

impl Insert<Markdown> for HtmlCode<'_> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_html(&visible_line(self.0), f)
    }
}

/// A code span.
fn write_code(text: &str, out: &mut dyn Write) -> fmt::Result {
    if text.is_empty() {
        return out.write_str("`\"\"`");
    }
    // A pipe ends a cell, also in code, and the parsers do not agree on a backslash before it.
    let is_blank = text.trim_matches(' ').is_empty();
    if is_blank || text.contains('|') || find_command(text).is_some() {
        return write_html(text, out);
    }
    let runs = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(runs + 1);
    // The parser removes one space of both ends.
    let is_padded = text.starts_with('`')
        || text.ends_with('`')
        || text.starts_with(' ') && text.ends_with(' ');
    let space = if is_padded { " " } else { "" };
    write!(out, "{fence}{space}{text}{space}{fence}")
}

fn write_html(text: &str, out: &mut dyn Write) -> fmt::Result {
    out.write_str("<code>")?;
    for character in text.chars() {
        match character {
            ' ' => out.write_char(' ')?,
            // cmark-gfm searches addresses in the whole text of a node.
            '@' => out.write_str("&#64;<!-- -->")?,
            other if other.is_alphanumeric() || "/-,".contains(other) => out.write_char(other)?,
            other => write!(out, "&#{};", u32::from(other))?,
        }
    }
    out.write_str("</code>")
}

/// Lines in a fence that is longer than any run of backquotes in them.
#[derive(Clone, Copy, Debug)]
pub struct Fenced<'t> {
    /// The language, such as `diff`.
    pub language: &'static str,
    /// The lines.
    pub text: &'t str,
}

impl Insert<Markdown> for Fenced<'_> {
    fn insert(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { language, text } = self;
        let text = printable(text, false);
        let runs = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(runs.max(2) + 1);
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        write!(f, "{fence}{language}\n{text}{end}{fence}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup;
    use crate::markup::Markup;

    fn written(part: impl Insert<Markdown>) -> String {
        let mut page = Markup::<Markdown>::new();
        markup!(page, "{}", part);
        page.into_string()
    }

    #[test]
    fn code_has_enough_backquotes() {
        for (text, expected) in [
            ("a.yaml:1", "`a.yaml:1`"),
            ("a`b", "``a`b``"),
            ("`a``", "``` `a`` ```"),
            (" a ", "`  a  `"),
            (" a", "` a`"),
            ("a\nb", "`a␊b`"),
            ("", "`\"\"`"),
            ("  ", "<code>  </code>"),
            ("a|b\\|@c", "<code>a&#124;b&#92;&#124;&#64;<!-- -->c</code>"),
            ("##[add-mask]a", "<code>&#35;&#35;&#91;add-mask&#93;a</code>"),
        ] {
            assert_eq!(written(Code(text)), expected);
        }
    }

    #[test]
    fn prose_is_words_and_code() {
        for (text, expected) in [
            ("unknown field `a` in `B`, see below", "unknown field `a` in `B`, see below"),
            ("Pod/`a` has 2 fields", "Pod/`a` has 2 fields"),
            ("error[a-b]: it's", "`error[a-b]:` it's"),
            ("by @team, #1 a/b#2 GH-3", "by `@team,` `#1` `a/b#2` `GH-3`"),
            ("https://a.b www.a.b a@b.c", "`https://a.b` `www.a.b` `a@b.c`"),
            (
                "<b> &amp; *a* _b_ ~c~ [d](e) ![f]",
                "`<b>` `&amp;` `*a*` `_b_` `~c~` `[d](e)` `![f]`",
            ),
            (":tada: a:1:2 a: b", "`:tada:` `a:1:2` a: b"),
            ("deadbee1 1234567 feedface 12,345", "`deadbee1` `1234567` feedface 12,345"),
            ("- a", "`-` a"),
            ("is 50% %1", "is 50% `%1`"),
            ("1. a 2. b", "`1.` a 2. b"),
            ("/close /a", "`/close` /a"),
            ("a `b``c` d", "a `b`<code>c</code> d"),
            ("a ` b", "a `` ` `` b"),
            ("a | b", "a <code>&#124;</code> b"),
        ] {
            assert_eq!(written(text), expected);
        }
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_lines() {
        let text = "a\n+````\n \u{1b}::add-mask::b\n ::a::b";
        let expected = "`````diff\na\n+````\n ␛::add-mask::b\n \u{fffd}:a::b\n`````\n";
        assert_eq!(written(Fenced { language: "diff", text }), expected);
        assert_eq!(written(Fenced { language: "", text: "" }), "```\n```\n");
    }
}
