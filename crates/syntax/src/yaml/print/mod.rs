//! Prints trees as YAML: in block style like kubectl, so that every reader of YAML 1.1 and 1.2
//! reads the same values.
//!
//! Indentation is two spaces; a list starts at the column of its key; lines are never folded;
//! strings that some reader would not read as strings are quoted. kubectl's own printer (go-yaml
//! v2) differs in few places, where its output is harder to read or to load: it folds long lines,
//! quotes whole strings with tabs or trailing spaces, and writes keys of more than 128 bytes as
//! `? key`.

#[cfg(test)]
mod cases;
mod doubt;
#[cfg(test)]
mod doubt_tests;
mod scalar;
mod substituted;
#[cfg(test)]
mod tests;

use crate::source::Slice as _;
use std::fmt::Write;

use self::scalar::{Written, write_double_quoted, write_key, write_text};
use crate::markup;
use crate::markup::{Markup, YamlComment};
use crate::tree::{Entry, Map, Node, Number, Origin, Value};
use crate::yaml::scalar::written;

/// The maximum length of a simple key. Readers accept 1024 characters up to the `:`.
const MAX_SIMPLE_KEY: usize = 1000;

/// A comment that protects the line breaks of a block scalar at the end of a document. Helm and
/// kubeconform trim the text before `---` or drop its line feed; after this line there is nothing
/// to lose.
const GUARD: &str = "# end\n";

/// Appends one value as a document, exactly as kubectl would print it. Ends with a line feed.
#[cfg(test)]
fn print(node: &Node, out: &mut String) {
    Printer::new(out).document(node);
}

/// The comment for a line: it has the key of a value, or the value itself, which `origin` put there.
pub(super) type Comment<'c> = &'c dyn Fn(&Node, Origin) -> String;

/// Comments on a value: whole lines above it, and one after it on its line. Each is from its `#` on.
#[derive(Clone, Default, Debug)]
pub struct Remark {
    /// The lines above.
    pub above: Vec<String>,
    /// The comment on the line of the value, or of its key.
    pub after: Option<String>,
}

/// The remark on a value: that of an entry of a map, or an item of a list.
pub(super) type Remarks<'r> = &'r dyn Fn(&Node) -> Option<Remark>;

/// As [`print_document`], with a comment on each line; the lines of a text block share one. Readers of
/// YAML see the same values.
pub fn print_commented(node: &Node, comment: Comment<'_>, out: &mut String) {
    let mut printer = Printer { comment: Some(comment), ..Printer::new(out) };
    printer.guarded(node);
}

/// As [`print_document`], with remarks on some values.
pub fn print_remarked(node: &Node, remarks: Remarks<'_>, out: &mut String) {
    let mut printer = Printer { remarks: Some(remarks), ..Printer::new(out) };
    printer.guarded(node);
}

/// Appends one value as a document of a stream, or as a separate file.
///
/// The output equals that of kubectl, except that a comment line follows a document that ends in a
/// block scalar with significant line breaks. kubectl prints such strings as blocks, which are
/// readable; in double quotes, a script would be one long line. But Helm trims each document of a
/// chart, and kubeconform drops the line feed before a `---`: without the comment, the value would
/// lose its last line breaks.
pub fn print_document(node: &Node, out: &mut String) {
    Printer::new(out).guarded(node);
}

/// A string as a key or value on one line: plain if every reader reads it as this string, or in quotes.
#[must_use]
pub fn key(text: &str) -> String {
    let mut out = String::new();
    write_key(text, &mut out);
    out
}

/// Appends a comment on a line of its own.
pub fn print_comment(text: &str, out: &mut String) {
    let mut line: Markup<YamlComment> = Markup::new();
    markup!(line, "# {}\n", text);
    out.push_str(line.as_str());
}

/// Columns of indentation, in bytes.
const STEP: usize = 2;

const BLANKS: &str = "                                                                ";

/// The limit below which whole floats are printed as integers, which fit 64 bits.
const MAX_WHOLE: f64 = 9e18;

struct Printer<'o> {
    out: &'o mut String,
    /// The form of the scalar written last.
    last: Written,
    /// The source of the comments, if lines have comments.
    comment: Option<Comment<'o>>,
    /// The source of the remarks, if some values have one.
    remarks: Option<Remarks<'o>>,
}

impl<'o> Printer<'o> {
    fn new(out: &'o mut String) -> Self {
        Self { out, last: Written::Inline, comment: None, remarks: None }
    }
}

impl Printer<'_> {
    fn guarded(&mut self, node: &Node) {
        self.document(node);
        if self.last == Written::BlockWithLineEnds {
            self.out.push_str(GUARD);
        }
    }

    /// Adds a comment to the line that begins the text from `start` on.
    fn comment(&mut self, node: &Node, origin: Origin, start: usize) {
        if self.comment.is_none() && self.remarks.is_none() {
            return;
        }
        let mut text: Markup<YamlComment> = Markup::new();
        let after = if let Some(comment) = self.comment {
            markup!(text, "  # {}", comment(node, origin));
            text.into_string()
        } else {
            let remark = self.remarks.and_then(|remarks| remarks(node));
            let Some(after) = remark.and_then(|it| it.after) else { return };
            format!(" {after}")
        };
        let written = self.out.slice(start..);
        let end = start + written.find('\n').unwrap_or(written.len());
        self.out.insert_str(end, &after);
    }

    /// Writes the lines above a value, at its column.
    fn above(&mut self, node: &Node, column: usize) {
        let Some(remarks) = self.remarks else { return };
        for line in remarks(node).into_iter().flat_map(|it| it.above) {
            self.indent(column);
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    /// Writes the lines above an item, and above what its first line has after the dash.
    fn above_item(&mut self, item: &Node, column: usize) {
        self.above(item, column);
        match &item.value {
            Value::Map(map) => {
                if let Some(first) = map.entries().first() {
                    self.above(&first.value, column);
                }
            }
            Value::List(items) => {
                if let Some(first) = items.first() {
                    self.above_item(first, column);
                }
            }
            _ => {}
        }
    }

    /// A scalar or an empty collection, and the end of its line.
    fn leaf(&mut self, node: &Node, column: usize) {
        let start = self.out.len();
        self.scalar(node, column);
        self.comment(node, node.origin(), start);
        self.out.push('\n');
    }

    fn document(&mut self, node: &Node) {
        match &node.value {
            Value::Map(map) if !map.entries().is_empty() => self.map(map, 0, false),
            Value::List(items) if !items.is_empty() => self.list(items, 0, false),
            Value::String(text) => {
                // A block at the first column could contain a line that looks like a marker.
                write_double_quoted(text, self.out);
                self.out.push('\n');
            }
            _ => {
                self.scalar(node, 0);
                self.out.push('\n');
            }
        }
    }

    /// Writes the entries of a map at a column; with `is_inline`, the output is already at this
    /// column.
    fn map(&mut self, map: &Map, column: usize, is_inline: bool) {
        for (index, entry) in map.entries().iter().enumerate() {
            if index > 0 || !is_inline {
                self.above(&entry.value, column);
                self.indent(column);
            }
            let start = self.out.len();
            write_key(&entry.key, self.out);
            // Parsers limit the length of the line, including escapes.
            if self.out.len() - start > MAX_SIMPLE_KEY {
                self.out.insert_str(start, "? ");
                self.out.push('\n');
                self.indent(column);
                self.out.push_str(": ");
                self.item(&entry.value, column + STEP);
            } else {
                self.value(entry, column);
            }
        }
    }

    /// Writes the colon and the value of a key at a column.
    fn value(&mut self, entry: &Entry, column: usize) {
        let node = &entry.value;
        match &node.value {
            Value::Map(map) if !map.entries().is_empty() => {
                self.opened(entry);
                self.map(map, column + STEP, false);
            }
            Value::List(items) if !items.is_empty() => {
                self.opened(entry);
                self.list(items, column, false);
            }
            _ => {
                self.out.push_str(": ");
                self.leaf(node, column + STEP);
            }
        }
    }

    /// The end of a line whose value is on the next ones.
    fn opened(&mut self, entry: &Entry) {
        self.out.push(':');
        let start = self.out.len();
        self.comment(&entry.value, entry.key_origin(), start);
        self.out.push('\n');
    }

    fn list(&mut self, items: &[Node], column: usize, is_inline: bool) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 || !is_inline {
                self.above_item(item, column);
                self.indent(column);
            }
            self.out.push_str("- ");
            self.item(item, column + STEP);
        }
    }

    /// Writes an item after `- `, at a column.
    fn item(&mut self, node: &Node, column: usize) {
        match &node.value {
            Value::Map(map) if !map.entries().is_empty() => self.map(map, column, true),
            Value::List(items) if !items.is_empty() => self.list(items, column, true),
            _ => self.leaf(node, column),
        }
    }

    /// Writes a value on the current line; the lines of a block are at `column`.
    fn scalar(&mut self, node: &Node, column: usize) {
        self.last = Written::Inline;
        match &node.value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            // Writing to a `String` cannot fail.
            Value::Int(value) => drop(write!(self.out, "{value}")),
            Value::UInt(value) => drop(write!(self.out, "{value}")),
            Value::Float(value) => self.float(*value),
            Value::String(text) => {
                self.last = write_text(text, || is_plain_in_source(node, text), column, self.out);
            }
            Value::List(_) => self.out.push_str("[]"),
            Value::Map(_) => self.out.push_str("{}"),
        }
    }

    fn float(&mut self, value: f64) {
        // Kubernetes converts YAML to JSON, where `3.0` is `3`.
        let _ = if value.fract() == 0.0 && value.abs() < MAX_WHOLE {
            write!(self.out, "{value:.0}")
        } else {
            self.out.write_str(&written(Number::Float(value)))
        };
    }

    fn indent(&mut self, column: usize) {
        push_indent(column, self.out);
    }
}

/// Whether the author wrote a string, and without quotes.
fn is_plain_in_source(node: &Node, text: &str) -> bool {
    let (_, length) = node.span().parts();
    node.origin().layer().is_none() && length as usize == text.len()
}

fn push_indent(column: usize, out: &mut String) {
    let mut left = column;
    while left > 0 {
        let blanks = BLANKS.get(..left.min(BLANKS.len())).unwrap_or(BLANKS);
        out.push_str(blanks);
        left -= blanks.len();
    }
}
