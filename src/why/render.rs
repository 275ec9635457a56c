//! Explanations as human-readable text, and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Explanation, SetBy};

/// The version of the JSON format. Compatible changes only add fields.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Answer<'e> {
    format: u32,
    object: Option<&'e str>,
    fields: Vec<Field<'e>>,
}

#[derive(Serialize)]
struct Field<'e> {
    path: String,
    /// Null if the object does not have the field.
    value: Option<&'e str>,
    layers: Vec<LayerOf<'e>>,
    notes: &'e [String],
}

#[derive(Serialize)]
struct LayerOf<'e> {
    file: &'e str,
    line: u32,
    column: u32,
    layer: &'e str,
    value: &'e str,
    /// The field that was set, if it is a different one.
    path: Option<String>,
}

impl<'e> Field<'e> {
    fn of(explanation: &'e Explanation) -> Self {
        let Explanation { path, layers, notes, .. } = explanation;
        Self {
            path: path.to_string(),
            value: layers.last().map(|it| it.value.as_str()),
            layers: layers.iter().map(LayerOf::of).collect(),
            notes,
        }
    }
}

impl<'e> LayerOf<'e> {
    fn of(set_by: &'e SetBy) -> Self {
        let SetBy { file, line, column, layer, value, other } = set_by;
        let path = other.as_ref().map(ToString::to_string);
        Self { file, line: *line, column: *column, layer, value, path }
    }
}

/// Returns explanations of the fields of one object as a JSON object with a final line feed:
/// `fields`, each with its `path`, `value`, `layers`, lowest first, and `notes`. Values are
/// strings, as in the human-readable text, and secret values are not shown.
#[must_use]
pub fn explanations_to_json(explanations: &[Explanation]) -> String {
    let answer = Answer {
        format: FORMAT,
        object: explanations.first().map(|it| it.object.as_str()),
        fields: explanations.iter().map(Field::of).collect(),
    };
    // Serialization only fails for a map with keys that are not strings, or a failing `Serialize`.
    let mut text = serde_json::to_string_pretty(&answer).unwrap_or_default();
    text.push('\n');
    text
}

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
