//! The layers of the values that an expression reads: the Project, its environment, files of values
//! and single values of the command line.

use super::places::Places;
use super::{SECRET, SetBy};
use crate::diag::cut;
use crate::expand::value_paths;
use crate::source::Span;
use crate::tree::Node;

/// A value that an expression reads.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ValueRead {
    /// Its name in expressions: `values.image.tag`.
    pub name: String,
    /// The layers that set it, lowest first; the last one is in effect. Empty if nothing sets it.
    pub layers: Vec<SetBy>,
}

/// The values that the expression at a location reads, in order.
pub(super) fn values_read(places: &Places<'_>, place: Span) -> Vec<ValueRead> {
    let is_secret = places.is_secret(place);
    let read = |path: Vec<String>| {
        let found = layers_that_set(places, &path);
        let layers = found.iter().map(|(node, layer)| {
            set_by(places, node, layer, is_secret || places.is_written_secret(node.span()))
        });
        ValueRead { name: name_of(&path), layers: layers.collect() }
    };
    paths_read(places, place).into_iter().map(read).collect()
}

/// The names of the values that the expression at a location reads, each with the line of the layer
/// in effect.
pub(super) fn lines_read(
    places: &Places<'_>,
    place: Span,
) -> impl Iterator<Item = (String, String)> {
    paths_read(places, place).into_iter().filter_map(|path| {
        let (node, _) = layers_that_set(places, &path).pop()?;
        Some((name_of(&path), places.line(node.span())))
    })
}

fn paths_read(places: &Places<'_>, place: Span) -> Vec<Vec<String>> {
    places.node_at(place).and_then(Node::as_str).map(value_paths).unwrap_or_default()
}

fn name_of(path: &[String]) -> String {
    path.iter().fold("values".to_owned(), |name, key| format!("{name}.{key}"))
}

/// The nodes that set a value and the names of their layers, lowest first.
fn layers_that_set<'p>(places: &'p Places<'_>, path: &[String]) -> Vec<(&'p Node, String)> {
    let mut found = Vec::new();
    let dotted = path.join(".");
    if let Some(spec) = places.project().and_then(|it| it.get("spec")) {
        let own = spec.get("values").and_then(|values| node_below(values, path));
        found.extend(own.map(|value| (value, format!("Project spec.values.{dotted}"))));
        if let Some(name) = places.environment() {
            let environment = spec.get("environments").and_then(|it| it.get(name));
            let values = environment.and_then(|it| it.get("values"));
            let layer = format!("Project spec.environments.{name}.values.{dotted}");
            let value = values.and_then(|values| node_below(values, path));
            found.extend(value.map(|value| (value, layer)));
        }
    }
    for (file, given) in places.workspace().values() {
        let Some(root) = places.roots(*file).first() else { continue };
        // `--set image.tag=1` sets the value at this path, or at a prefix or an extension of it.
        let own = match path.strip_prefix(given.as_slice()) {
            Some(rest) => node_below(root, rest),
            None => given.starts_with(path).then_some(root),
        };
        found.extend(own.map(|value| (value, name_of(path))));
    }
    found
}

/// The node at a path of keys and indexes.
fn node_below<'n>(node: &'n Node, path: &[String]) -> Option<&'n Node> {
    path.iter().try_fold(node, |node, key| {
        node.get(key).or_else(|| node.items().get(key.parse::<usize>().ok()?))
    })
}

/// The length in bytes above which a value is truncated. A thousand fields of one object can read one
/// value of megabytes.
const LONGEST_VALUE: usize = 1000;

/// A value as JSON, of which no more is written than is shown.
fn json_of(node: &Node) -> String {
    let mut room = [0; LONGEST_VALUE];
    let mut rest = &mut room[..];
    let is_whole = serde_json::to_writer(&mut rest, node).is_ok();
    let left = rest.len();
    let written: Vec<_> = room.into_iter().take(LONGEST_VALUE - left).collect();
    let start = String::from_utf8_lossy(&written);
    if is_whole {
        return start.into_owned();
    }
    format!("{}…", start.trim_end_matches(char::REPLACEMENT_CHARACTER))
}

fn set_by(places: &Places<'_>, node: &Node, layer: &str, is_secret: bool) -> SetBy {
    let (file, span) = places.workspace().file_and_span(node.span());
    let place = file.line_column(span.start);
    // Show a number as in the source: `1.30`, not `1.3`.
    let is_whole = !node.entries().is_empty() || !node.items().is_empty();
    let written = file
        .text()
        .get(span.start as usize..span.end as usize)
        .filter(|text| !is_whole && !text.is_empty());
    let value = match node.as_str().or(written) {
        _ if is_secret => SECRET.to_owned(),
        Some(text) => cut(text, LONGEST_VALUE),
        None => json_of(node),
    };
    SetBy {
        file: file.name().to_owned(),
        line: place.line,
        column: place.column,
        layer: layer.to_owned(),
        value,
        other: None,
        reads: Vec::new(),
    }
}
