//! Explanations as human-readable text.

use std::fmt::Write as _;

use super::{Explanation, SetBy};

impl Explanation {
    /// Returns the explanation as lines: the field and its value, the layers from the lowest, and
    /// the notes.
    #[must_use]
    pub fn render(&self) -> String {
        let Self { object, path, layers, notes } = self;
        let mut text = match layers.last() {
            Some(SetBy { value, .. }) => format!("{object} {path}: {value}\n"),
            None => format!("{object} {path} is not set\n"),
        };
        let rows: Vec<_> = layers
            .iter()
            .map(|it| {
                let place = format!("{}:{}:{}", it.file.escape_debug(), it.line, it.column);
                (place, it.layer.as_str(), it.described())
            })
            .collect();
        let width = |column: fn(&(String, &str, String)) -> usize| {
            rows.iter().map(column).max().unwrap_or(0)
        };
        let places = width(|it| it.0.chars().count());
        let names = width(|it| it.1.chars().count());
        if rows.len() > 1 {
            text.push_str("\n  layers, lowest first:\n");
        } else if !rows.is_empty() {
            text.push('\n');
        }
        // Writing to a `String` cannot fail.
        for (index, (place, layer, value)) in rows.iter().enumerate() {
            let mark = if index + 1 == rows.len() { '*' } else { ' ' };
            let _ = writeln!(text, "  {mark} {place:places$}  {layer:names$}  {value}");
        }
        if !notes.is_empty() {
            text.push('\n');
        }
        for note in notes {
            let _ = writeln!(text, "  {note}");
        }
        text
    }
}

impl SetBy {
    /// The name of the definition or of the built-in layer.
    pub(super) fn owner(&self) -> &str {
        if self.layer.starts_with("the ") {
            return &self.layer;
        }
        self.layer.split_once(' ').map_or(&self.layer, |it| it.0)
    }

    /// `python:3.12 (base.yaml:7)`.
    pub(super) fn short(&self) -> String {
        let field = self.other.as_ref().and_then(|it| Some(format!("{}: ", it.last_field()?)));
        let field = field.unwrap_or_default();
        let text = format!("{field}{} ({}:{})", self.value, self.file, self.line);
        text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
    }

    fn described(&self) -> String {
        let Self { value, other, .. } = self;
        other.as_ref().map_or_else(|| value.clone(), |path| format!("{path}: {value}"))
    }
}
