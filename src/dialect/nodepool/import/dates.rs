//! Dates in a `nodepool.yaml`: PyYAML reads plain scalars such as `2026-01-31 10:00:00` as dates,
//! and the launcher sends them in a different form, or fails.

use super::{Diagnostic, file_fault};
use crate::diag::{Sink, message};
use crate::scalar::PythonDate;
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::{Field, Node, Value};

/// Options of labels that the launcher sends to the API server unchanged, with dates in Python's
/// format.
const SENT: [&str; 5] = ["annotations", "node-selector", "spec", "volume-mounts", "volumes"];

/// The use of a value by the launcher.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The launcher only loads the value.
    Loaded,
    /// The launcher requires a string or a number.
    Option,
    /// The launcher sends the value to the API server.
    Sent,
    /// The launcher stores the value as JSON.
    Stored,
}

/// Converts each date to the form in which the launcher sends it, and reports dates that the
/// launcher does not accept.
pub(super) fn read(root: &mut Node, sink: &mut Sink) {
    // A date instead of a number has already been reported.
    let reported = sink.iter().map(|finding| finding.primary.span).collect();
    let mut dates = Dates { reported, sink };
    let Some(map) = root.as_map_mut() else { return };
    for Field { key, value, .. } in map.fields_mut() {
        match (key.as_str(), &mut value.value) {
            ("providers", Value::List(providers)) => {
                for provider in providers {
                    let is_ours = super::drivers::is_imported(provider);
                    dates.walk(provider, key, if is_ours { Use::Option } else { Use::Loaded });
                }
            }
            ("labels" | "tenant-resource-limits", _) => dates.walk(value, key, Use::Option),
            _ => dates.walk(value, key, Use::Loaded),
        }
    }
}

struct Dates<'d> {
    /// The spans of earlier findings.
    reported: SortedSet<Span>,
    sink: &'d mut Sink,
}

impl Dates<'_> {
    /// `field` is the option that the value belongs to.
    fn walk(&mut self, node: &mut Node, field: &str, usage: Use) {
        if node.is_ambiguous() {
            let Some(date) = node.as_str().and_then(PythonDate::read) else { return };
            match date {
                PythonDate::Impossible => self.sink.report(impossible_date(node)),
                PythonDate::Iso(text) => {
                    let fault = unfit_date(node, field, usage);
                    if let Some(finding) = fault.filter(|_| !self.reported.contains(&node.span())) {
                        self.sink.report(finding);
                    }
                    *node = Node::string(text, node.origin()).with_ambiguity(false);
                }
            }
            return;
        }
        match &mut node.value {
            Value::List(items) => items.iter_mut().for_each(|item| self.walk(item, field, usage)),
            Value::Map(map) => {
                for Field { key, key_origin, value } in map.fields_mut() {
                    if usage != Use::Loaded && is_plain_date(key, key_origin.span()) {
                        self.sink.report(date_key(key, key_origin.span()));
                    }
                    // Pools have a list with this name.
                    let is_map_of_labels = key == "labels" && value.as_map().is_some();
                    let below = match key.as_str() {
                        _ if usage != Use::Option => usage,
                        "node-attributes" => Use::Stored,
                        name if is_map_of_labels || SENT.contains(&name) => Use::Sent,
                        _ => Use::Option,
                    };
                    self.walk(value, key, below);
                }
            }
            _ => {}
        }
    }
}

/// Whether the key is an unquoted date: with quotes, its span would be longer.
fn is_plain_date(key: &str, written: Span) -> bool {
    written.parts().1 as usize == key.len() && PythonDate::read(key).is_some()
}

fn impossible_date(node: &Node) -> Diagnostic {
    let text = node.as_str().unwrap_or_default();
    file_fault(node, message!("invalid date `{text}`"))
        .at("read as a date by the launcher")
        .note("the launcher cannot load the file")
        .help("quote it")
}

fn date_key(key: &str, place: Span) -> Diagnostic {
    Diagnostic::new(&super::NODEPOOL_FILE_INVALID, place, message!("key `{key}` is a date"))
        .at("read as a date by the launcher")
        .note("the launcher cannot store or send it, and declines each request")
        .help("quote it")
}

fn unfit_date(node: &Node, field: &str, usage: Use) -> Option<Diagnostic> {
    let (message, effect) = match usage {
        Use::Loaded | Use::Sent => return None,
        Use::Option => (
            message!("`{field}` is a date"),
            "the launcher requires a string: it rejects the file, or fails when it starts the node",
        ),
        Use::Stored => (
            message!("node attribute `{field}` is a date"),
            "the launcher cannot store it, and declines each request",
        ),
    };
    let finding = file_fault(node, message).at("read as a date by the launcher").note(effect);
    Some(finding.help("quote it"))
}
