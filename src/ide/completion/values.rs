//! Values: those of closed lists, and names of other things.

use serde_json::Value;

use super::super::outline::{Kind, Style};
use super::fields::{self, Around, Writing};
use super::{Completion, CompletionContext, CompletionKind, kinds, names};
use crate::language::Form;
use crate::markup::{is_hidden, json_string, yaml_string};
use crate::source::lines;
use crate::yaml;

pub(super) fn of(cx: &CompletionContext<'_>) -> Vec<Completion> {
    let (outline, document) = (cx.outline, cx.cursor.document);
    let entry = document.entry(cx.cursor.entry);
    let path = outline.path_of(&cx.cursor);
    if let (0, Kind::Field) = (entry.parent, entry.kind) {
        match outline.key(entry) {
            "kind" => return kinds::kinds(cx),
            "apiVersion" => return kinds::api_versions(cx),
            _ => {}
        }
    }
    let Some(shape) = cx.index.shape_at(outline, document, &path) else {
        return names::of(cx);
    };
    let is_item = matches!(entry.kind, Kind::Item(_));
    if is_item && shape.form() == Form::ListOfMaps && entry.style == Style::Scalar {
        // A key that has no colon yet.
        let column = cx.column(cx.cursor.range.start);
        let writing =
            Writing { column, around: Around::Lines, quote: cx.quote(), is_json: cx.is_json() };
        return fields::below(cx, cx.cursor.entry, writing);
    }
    let mut found: Vec<_> = shape
        .values()
        .into_iter()
        .map(|value| {
            let text = cx.quoted(&value, shape.is_string());
            let kind = CompletionKind::Value;
            Completion { text, ..Completion::new(kind, value, &cx.cursor.range) }
        })
        .collect();
    found.extend(names::of(cx));
    let takes_value = match shape.form() {
        Form::Scalar => true,
        Form::Map => false,
        // In brackets, or after the dash.
        Form::List | Form::ListOfMaps => is_item || entry.style == Style::Brackets,
    };
    if takes_value { found } else { Vec::new() }
}

impl CompletionContext<'_> {
    /// The column of an offset, in bytes.
    pub(super) fn column(&self, offset: usize) -> usize {
        lines::column(self.outline.text(), offset)
    }

    /// The quote that the text at the place begins with.
    pub(super) fn quote(&self) -> Option<char> {
        let written = self.outline.slice(&self.cursor.range);
        written.chars().next().filter(|first| matches!(first, '"' | '\''))
    }

    /// Leaves the quote before the cursor as it is.
    pub(super) fn keep_quote(&self, completion: &mut Completion) {
        let is_after =
            completion.range == self.cursor.range && self.offset > self.cursor.range.start;
        let Some(quote) = self.quote().filter(|_| is_after) else { return };
        if let Some(rest) = completion.text.strip_prefix(quote) {
            completion.text = rest.to_owned();
            completion.range.start += quote.len_utf8();
        } else {
            completion.filter.insert(0, quote);
        }
    }

    /// A value in the quotes that the place has, or that JSON requires.
    pub(super) fn quoted(&self, value: &str, is_string: bool) -> String {
        let is_word = matches!(value, "true" | "false");
        match self.quote() {
            _ if self.is_json() && !is_word => json_string(value),
            Some(quote) => in_quotes(value, quote),
            _ if is_string && needs_quotes(value) => yaml_string(value),
            _ if needs_quotes(value) && serde_json::from_str::<Value>(value).is_err() => {
                yaml_string(value)
            }
            _ => value.to_owned(),
        }
    }
}

/// A string as a key or a value on one line: plain if all readers and people see this string.
pub(super) fn plain(text: &str) -> String {
    if text.contains(is_hidden) { yaml_string(text) } else { yaml::key(text) }
}

/// A string of YAML in these quotes, or in double ones if it needs their escapes.
pub(super) fn in_quotes(value: &str, quote: char) -> String {
    if quote == '\'' && !value.contains(is_hidden) {
        format!("'{}'", value.replace('\'', "''"))
    } else {
        yaml_string(value)
    }
}

/// Whether a plain scalar would not be a string, or not the whole of it.
fn needs_quotes(value: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./".contains(it);
    !value.chars().all(is_plain)
        || !value.starts_with(|it: char| it.is_ascii_alphabetic())
        || ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
            .contains(&value.to_ascii_lowercase().as_str())
}
