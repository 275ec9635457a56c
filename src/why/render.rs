//! Explanations as human-readable text, and as JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;

use super::{Explanation, SetBy, ValueRead};
use crate::diag::{FieldPath, column_width};
use crate::markup::{pretty_json, visible_line};

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
    reads: Vec<Read<'e>>,
}

#[derive(Serialize)]
struct Read<'e> {
    name: &'e str,
    layers: Vec<LayerOf<'e>>,
}

impl<'e> Field<'e> {
    fn of(explanation: &'e Explanation) -> Self {
        let Explanation { path, value, layers, notes, .. } = explanation;
        Self {
            path: path.to_string(),
            value: value.as_deref(),
            layers: layers.iter().map(LayerOf::of).collect(),
            notes,
        }
    }
}

impl<'e> LayerOf<'e> {
    fn of(set_by: &'e SetBy) -> Self {
        let SetBy { file, line, column, layer, value, other, reads } = set_by;
        let path = other.as_ref().map(ToString::to_string);
        let reads = reads.iter().map(|read| Read {
            name: &read.name,
            layers: read.layers.iter().map(LayerOf::of).collect(),
        });
        Self { file, line: *line, column: *column, layer, value, path, reads: reads.collect() }
    }
}

/// Returns explanations of the fields of one object as a JSON object with a final line feed:
/// `fields`, each with its `path`, `value`, `layers`, lowest first, and `notes`. Values are
/// strings, as in the human-readable text, and secret values are not shown.
#[must_use]
pub fn explanations_to_json(explanations: &[Explanation]) -> String {
    let answer = Answer {
        format: FORMAT,
        object: explanations.first().map(|explanation| explanation.object.as_str()),
        fields: explanations.iter().map(Field::of).collect(),
    };
    pretty_json(&answer)
}

impl Explanation {
    /// Returns the explanation as lines: the field and its value, the layers from the lowest, and
    /// the notes.
    #[must_use]
    pub fn render(&self) -> String {
        let Self { object, path, value, layers, notes } = self;
        let field = format!("{object} {path}");
        let mut text = match value {
            Some(value) => format!("{}: {}\n", visible_line(&field), visible_line(value)),
            None => format!("{} is not set\n", visible_line(&field)),
        };
        let rows: Vec<_> = layers.iter().map(Row::of).collect();
        let widths = rows.iter().map(Row::widths).fold(Widths::default(), Widths::max);
        // Rows of values are indented by four more columns.
        let has_values = rows.iter().any(|row| !row.reads.is_empty());
        let outer = Widths { place: widths.place + if has_values { 4 } else { 0 }, ..widths };
        if rows.len() > 1 {
            text.push_str("\n  layers, lowest first:\n");
        } else if !rows.is_empty() {
            text.push('\n');
        }
        for (index, row) in rows.iter().enumerate() {
            row.write(index + 1 == rows.len(), 2, outer, &mut text);
            for (name, layers) in &row.reads {
                // Writing to a `String` cannot fail.
                let _ = writeln!(text, "      reads {}:", visible_line(name));
                for (index, row) in layers.iter().enumerate() {
                    row.write(index + 1 == layers.len(), 6, widths, &mut text);
                }
            }
        }
        if !notes.is_empty() {
            text.push('\n');
        }
        for note in notes {
            let _ = writeln!(text, "  {}", visible_line(note));
        }
        text
    }
}

/// Whether a file is the value of an option of the command line.
pub(super) fn is_option(file: &str) -> bool {
    file.starts_with("--set ")
}

/// The widths of the columns with the locations and the layers.
#[derive(Clone, Copy, Default)]
struct Widths {
    place: usize,
    layer: usize,
}

impl Widths {
    fn max(self, other: Self) -> Self {
        Self { place: self.place.max(other.place), layer: self.layer.max(other.layer) }
    }
}

/// A row of the table of layers.
struct Row<'e> {
    place: String,
    layer: Cow<'e, str>,
    value: String,
    reads: Vec<(&'e str, Vec<Self>)>,
}

impl<'e> Row<'e> {
    fn of(set_by: &'e SetBy) -> Self {
        let layers = |read: &'e ValueRead| read.layers.iter().map(Self::of).collect();
        Self {
            place: set_by.location(),
            layer: visible_line(&set_by.layer),
            value: visible_line(&set_by.described()).into_owned(),
            reads: set_by.reads.iter().map(|read| (read.name.as_str(), layers(read))).collect(),
        }
    }

    /// The column widths of this row and of the rows of the values that it reads.
    fn widths(&self) -> Widths {
        let below = self.reads.iter().flat_map(|it| &it.1);
        let place = column_width([self.place.as_str()]);
        let own = Widths { place, layer: column_width([&*self.layer]) };
        below.map(Self::widths).fold(own, Widths::max)
    }

    fn write(&self, is_in_effect: bool, indent: usize, widths: Widths, text: &mut String) {
        let mark = if is_in_effect { '*' } else { ' ' };
        let Self { place, layer, value, .. } = self;
        let Widths { place: places, layer: layers } = widths;
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{:indent$}{mark} {place:places$}  {layer:layers$}  {value}", "");
    }
}

impl SetBy {
    /// `base.yaml:7:12`. An option of the command line has no lines.
    fn location(&self) -> String {
        let file = visible_line(&self.file);
        if is_option(&self.file) {
            return file.to_string();
        }
        format!("{file}:{}:{}", self.line, self.column)
    }

    /// The name of the definition or of the built-in layer.
    pub(super) fn owner(&self) -> &str {
        if self.layer.starts_with("the ") {
            return &self.layer;
        }
        self.layer.split_once(' ').map_or(&self.layer, |it| it.0)
    }

    /// `python:3.12 (base.yaml:7)`.
    pub(super) fn short(&self) -> String {
        let Self { file, line, value, .. } = self;
        match self.other.as_ref().and_then(FieldPath::last_field) {
            Some(field) => format!("{field}: {value} ({file}:{line})"),
            None => format!("{value} ({file}:{line})"),
        }
    }

    fn described(&self) -> String {
        let Self { value, other, .. } = self;
        other.as_ref().map_or_else(|| value.clone(), |path| format!("{path}: {value}"))
    }
}
