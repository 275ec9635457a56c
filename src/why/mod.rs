//! Explains why a field of an object has its value: the layer that set it, and the values that it
//! replaced.

mod absent;
mod annotate;
mod bench;
mod fuel;
mod history;
mod merged;
mod parts;
mod places;
mod render;
mod route;
mod values;

pub use annotate::Annotations;
pub use render::explanations_to_json;
pub use values::ValueRead;

use bench::Bench;
use history::Replaced;
use places::Places;
pub(crate) use route::follow;
use route::{Found, Pick};
use values::values_read;

use crate::compile::{Compilation, Options, Workbench, with_trials};
use crate::crd::CustomKinds;
use crate::diag::{FieldPath, PathStep};
use crate::kube::Object;
use crate::limits::Fuel;
use crate::object_query::QueryError;
use crate::source::Workspace;
use crate::tree::{Node, Origin};

/// The maximum number of values in a map or list whose parts are explained one by one.
const MOST_PARTS: usize = 200;

/// Shown in place of a secret value.
const SECRET: &str = "(secret)";

/// A value and the layer that set it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SetBy {
    /// The name of the file, as shown in messages.
    pub file: String,
    /// The line, counted from 1. For a built-in layer, the line of the definition for which it set
    /// the value.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The layer: a built-in layer, or the definition and its field.
    pub layer: String,
    /// The value on one line, with secret values replaced.
    pub value: String,
    /// The field, if it is not the explained one but another member of the same union.
    pub other: Option<FieldPath>,
    /// The values that its expression reads.
    pub reads: Vec<ValueRead>,
}

/// The explanation of one field.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The object: `Sandbox/web`.
    pub object: String,
    /// The path of the field, with indexes.
    pub path: FieldPath,
    /// The value in effect on one line, with secret values replaced; `None` if the object does not have
    /// the field.
    pub value: Option<String>,
    /// The layers that set the field, lowest first. The last one is in effect. Empty if the object
    /// does not have the field. Of a map or list, each layer has what it contributed.
    pub layers: Vec<SetBy>,
    /// Notes, such as what removed an absent field and which definition can set it.
    pub notes: Vec<String>,
}

/// Explains one field of an object of a compilation.
///
/// # Errors
/// If the field is a map or list, and the paths of its fields are too long.
pub fn why(
    workspace: &Workspace,
    options: &Options,
    compilation: &Compilation,
    object: &Object,
    path: &FieldPath,
) -> Result<Explanation, QueryError> {
    // Each field of a map has a note with its path.
    let found = route::follow(&object.root, path).node;
    let fields = found.entries().len() + found.items().len();
    let bytes = path.to_string().len().saturating_mul(fields);
    fuel::spend_on_paths(&Fuel::of_run(0), bytes)?;
    let places = Places::new(workspace, compilation);
    let objects = std::slice::from_ref(object);
    Ok(with_trials(workspace, options, objects, |Workbench { trials, custom }| {
        let bench = Bench::new(trials, object);
        Asker { places: &places, custom, bench, object }.explain(path)
    }))
}

/// Explains all fields of an object whose value is a scalar or an empty collection, in order.
///
/// # Errors
/// If the object is compiled from a definition and has too many fields, or if the paths of its
/// fields are too long.
pub fn why_all(
    workspace: &Workspace,
    options: &Options,
    compilation: &Compilation,
    object: &Object,
) -> Result<Vec<Explanation>, QueryError> {
    explain_all(&Places::new(workspace, compilation), options, object)
}

fn explain_all(
    places: &Places<'_>,
    options: &Options,
    object: &Object,
) -> Result<Vec<Explanation>, QueryError> {
    let fuel = Fuel::of_run(0);
    fuel::spend_on_paths(&fuel, route::bytes_of_paths(&object.root))?;
    let mut leaves = route::leaf_paths(&object.root);
    for path in &mut leaves {
        *path = places.without_secret_keys(&object.root, path);
    }
    leaves.dedup();
    if places.is_compiled(object) {
        fuel::spend_on_fields(&fuel, object, leaves.len())?;
    }
    let objects = std::slice::from_ref(object);
    Ok(with_trials(places.workspace(), options, objects, |Workbench { trials, custom }| {
        let bench = Bench::new(trials, object);
        let mut asker = Asker { places, custom, bench, object };
        leaves.iter().map(|path| asker.explain(path)).collect()
    }))
}

/// The data that an explanation requires.
struct Asker<'a, 'w, 'b, 'c> {
    places: &'a Places<'w>,
    custom: &'a CustomKinds<'c>,
    /// `None` for an object that is not generated from a definition.
    bench: Option<Bench<'b, 'c>>,
    object: &'a Object,
}

impl Asker<'_, '_, '_, '_> {
    fn explain(&mut self, path: &FieldPath) -> Explanation {
        let found = route::follow(&self.object.root, path);
        let mut explanation = Explanation {
            object: self.object.describe(),
            path: found.path.iter().chain(&found.missing).cloned().collect(),
            value: None,
            layers: Vec::new(),
            notes: Vec::new(),
        };
        if found.missing.is_empty() {
            explanation.value = Some(self.shown(found.node));
            explanation.layers = self.layers(&found);
            explanation.notes = self.notes_on_parts(found.node);
        }
        absent::add_notes(self, &found, &mut explanation.notes);
        explanation
    }

    /// The layers of the value at the end of a route, lowest first.
    fn layers(&mut self, found: &Found<'_>) -> Vec<SetBy> {
        let Found { picks, node, path, .. } = found;
        let is_merged = !node.entries().is_empty() || !node.items().is_empty();
        let is_at_index = picks.iter().any(|pick| matches!(pick, Pick::Index(_)));
        let root = &self.object.root;
        if is_merged
            && !is_at_index
            && let Some(bench) = &mut self.bench
        {
            let layers = merged::contributions(bench, root, picks, path).into_iter().rev();
            return layers
                .map(|layer| self.set_by(layer.origin, &layer.value, layer.other))
                .collect();
        }
        let bench = self.bench.as_mut();
        let replaced = bench.map(|bench| history::history(bench, root, picks, path));
        let mut layers = Vec::new();
        let mut above = self.set_by(node.origin(), node, None);
        for Replaced { origin, value, other } in replaced.into_iter().flatten() {
            let below = self.set_by(origin, &value, other);
            // A sum of several fields has the location of only one of them.
            if below.value != above.value || below.owner() != above.owner() {
                layers.push(std::mem::replace(&mut above, below));
            }
        }
        layers.push(above);
        layers.reverse();
        layers
    }

    /// The lines and layers of the fields or items of a value.
    fn notes_on_parts(&self, node: &Node) -> Vec<String> {
        let mut setters = self.bench.as_ref().map(merged::Setters::new);
        let mut notes = Vec::new();
        self.add_notes_on_parts(node, &mut Vec::new(), setters.as_mut(), &mut notes);
        notes
    }

    /// The notes on the parts of the value at a path. The notes on a part that a whole `spec` sets are
    /// about its own parts.
    fn add_notes_on_parts(
        &self,
        node: &Node,
        path: &mut Vec<PathStep>,
        mut setters: Option<&mut merged::Setters<'_, '_, '_>>,
        notes: &mut Vec<String>,
    ) {
        let shown = node.entries().iter().filter(|entry| !self.places.has_secret_key(entry));
        let children = shown.map(|entry| (route::step_of(&entry.key), &entry.value));
        let items = (0..).map(PathStep::Index).zip(node.items());
        for (step, value) in children.chain(items) {
            path.push(step);
            let found = match &mut setters {
                Some(setters) => setters.setters(value),
                None => merged::Found::default(),
            };
            if found.has_whole_spec && value.is_collection() && value.count() <= MOST_PARTS {
                self.add_notes_on_parts(value, path, setters.as_deref_mut(), notes);
            } else {
                notes.push(self.note_on_part(path, value, found.origins));
            }
            path.pop();
        }
    }

    fn note_on_part(&self, path: &[PathStep], value: &Node, mut origins: Vec<Origin>) -> String {
        if origins.is_empty() {
            origins.push(value.origin());
        }
        let line = |origin: &Origin| {
            format!("{} {}", self.places.line(origin.span()), self.places.layer(*origin))
        };
        let lines: Vec<_> = origins.iter().map(line).collect();
        format!("`{}`: {}", path.iter().cloned().collect::<FieldPath>(), lines.join(", "))
    }

    fn set_by(&self, origin: Origin, value: &Node, other: Option<FieldPath>) -> SetBy {
        let (file, span) = self.places.workspace().file_and_span(origin.span());
        let place = file.line_column(span.start);
        SetBy {
            file: file.name().to_owned(),
            line: place.line,
            column: place.column,
            layer: self.places.layer(origin),
            value: self.shown(value),
            other,
            reads: match origin.layer() {
                Some(_) => Vec::new(),
                None => values_read(self.places, origin.span()),
            },
        }
    }

    /// A value on one line.
    fn shown(&self, value: &Node) -> String {
        if self.has_secret(value) {
            return SECRET.to_owned();
        }
        match value.as_str() {
            Some(plain) if !plain.is_empty() && !plain.contains(char::is_control) => {
                plain.to_owned()
            }
            _ => value.to_json().to_string(),
        }
    }

    fn has_secret(&self, value: &Node) -> bool {
        value.origin().layer().is_none() && self.places.is_secret(value.span())
            || value
                .entries()
                .iter()
                .any(|entry| self.places.has_secret_key(entry) || self.has_secret(&entry.value))
            || value.items().iter().any(|item| self.has_secret(item))
    }
}

/// The names of the fields on a path, without indexes and keys of items.
fn field_names(steps: &[PathStep]) -> Vec<&str> {
    let name = |step| match step {
        &PathStep::Field(ref name) | &PathStep::Key(ref name) => Some(&**name),
        PathStep::Index(_) => None,
    };
    steps.iter().filter_map(name).collect()
}
