//! The lines of scalars.

/// Appends a plain or quoted scalar, whose lines after the first begin at a column. Readers ignore
/// their indentation.
pub(super) fn write_folded(text: &str, column: usize, out: &mut String) {
    let is_double = text.starts_with('"');
    let mut lines = text.split('\n').peekable();
    let mut is_first = true;
    while let Some(line) = lines.next() {
        let line = if is_first { line } else { line.trim_start_matches([' ', '\t']) };
        let trimmed = line.trim_end_matches([' ', '\t']);
        // The space after a backslash is text.
        let is_escaped = is_double && trimmed.ends_with('\\');
        let line = if lines.peek().is_none() || is_escaped { line } else { trimmed };
        if !is_first {
            out.push('\n');
            if !line.is_empty() {
                push_spaces(column, out);
            }
        }
        out.push_str(line);
        is_first = false;
    }
}

/// A block scalar, and its length in the source.
pub(super) struct Block<'t> {
    header: &'t str,
    /// The lines with text, and line breaks that are part of it.
    lines: Vec<&'t str>,
    /// The indentation of its text in the source.
    indent: usize,
    /// The number of the indentation indicator.
    pub(super) indicator: Option<usize>,
    pub(super) length: usize,
}

impl<'t> Block<'t> {
    /// The block scalar at the start of a text, in a collection at this column of the source.
    pub(super) fn of(text: &'t str, parent: Option<usize>) -> Self {
        let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
        let indicators: String =
            header.chars().skip(1).take_while(|c| !matches!(c, ' ' | '\t' | '#')).collect();
        let digit = |c: char| c.to_digit(10).and_then(|it| usize::try_from(it).ok());
        let indicator = indicators.chars().find_map(digit);
        let indent_of = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let first = rest.split('\n').find(|line| !line.trim_matches(' ').is_empty());
        let indent =
            indicator.map_or_else(|| first.map_or(0, indent_of), |more| parent.unwrap_or(0) + more);
        // A first line that is not deeper than the collection is not part of the scalar.
        let is_absent =
            indent == 0 || indicator.is_none() && parent.is_some_and(|parent| indent <= parent);
        let is_text = |line: &str| {
            line.trim_matches(' ').is_empty() || !is_absent && indent_of(line) >= indent
        };
        // The rest of the document can be long.
        let lines = rest.split_inclusive('\n').map(content_of_line).take_while(|it| is_text(it));
        let mut lines: Vec<_> = lines.collect();
        if !indicators.contains('+') {
            // A line of spaces that are not indentation is text too.
            let is_visible = |line: &&str| !is_absent && line.len() > indent;
            lines.truncate(lines.iter().rposition(is_visible).map_or(0, |last| last + 1));
        }
        let length = header.len() + lines.iter().map(|line| line.len() + 1).sum::<usize>();
        Self { header, lines, indent, indicator, length: length.min(text.len()) }
    }

    /// Appends the scalar with its text at a column.
    pub(super) fn write(&self, column: usize, out: &mut String) {
        let header = self.header.trim_end_matches([' ', '\t']);
        out.push_str(header);
        for line in &self.lines {
            out.push('\n');
            if let Some(text) = line.get(self.indent..).filter(|it| !it.is_empty()) {
                push_spaces(column, out);
                out.push_str(text);
            }
        }
    }
}

/// A line without its line break.
fn content_of_line(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

/// Appends spaces.
pub(super) fn push_spaces(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}
