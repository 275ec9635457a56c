//! Keys: the fields that a map does not have yet.

use crate::language::{Form, Shape};

use super::super::outline::{Kind, Slot, Style};
use super::super::reference::field_names;
use super::kinds;
use super::values::{in_quotes, plain};
use super::{Completion, CompletionContext, CompletionKind};
use crate::markup::json_string;

/// The indentation of a level, as `fmt` writes it.
pub(super) const LEVEL: usize = 2;

/// The rank of what is rarely meant.
const LAST: u8 = 9;

/// Keys of amounts in a container.
const AMOUNTS: &[&str] = &["cpu", "memory", "ephemeral-storage"];

/// Fields of `metadata` and of the document that the API server sets.
const OF_SERVER: &[&str] = &[
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "status",
    "uid",
];

/// Fields of every document.
const OF_ALL: [&str; 2] = ["apiVersion", "kind"];

/// Fields whose keys are labels.
const LABELS: &[&str] = &["labels", "matchLabels", "nodeSelector", "selector"];

/// How a key is written.
#[derive(Clone, Copy)]
pub(super) struct Writing {
    /// The column of the key.
    pub(super) column: usize,
    pub(super) around: Around,
    /// The quotes around it.
    pub(super) quote: Option<char>,
    /// Whether it is a key of JSON.
    pub(super) is_json: bool,
}

/// What a key is written with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    /// Nothing: its colon exists.
    Nothing,
    /// A colon, in brackets.
    Brackets,
    /// A colon, and its value on lines of its own.
    Lines,
    /// The same after a dash.
    Dash,
}

pub(super) fn of(cx: &CompletionContext<'_>) -> Vec<Completion> {
    let entry = cx.cursor.document.entry(cx.cursor.entry);
    if let Slot::NewKey { is_flow, column } = cx.cursor.slot {
        let is_json = cx.is_json();
        let around = if is_flow { Around::Brackets } else { Around::Lines };
        let writing =
            Writing { column, around, quote: cx.quote().or(is_json.then_some('"')), is_json };
        return below(cx, cx.cursor.entry, writing);
    }
    let quote = cx.quote();
    below(
        cx,
        entry.parent,
        Writing { column: 0, around: Around::Nothing, quote, is_json: cx.is_json() },
    )
}

/// The fields of an entry.
pub(super) fn below(
    cx: &CompletionContext<'_>,
    parent: usize,
    mut writing: Writing,
) -> Vec<Completion> {
    let (outline, document) = (cx.outline, cx.cursor.document);
    let path = outline.path(document, parent);
    let is_own = |at: usize| {
        matches!(cx.cursor.slot, Slot::Key) && at == cx.cursor.entry
            || document.entry(at).key == cx.cursor.range
    };
    let existing: Vec<_> = document
        .children(parent)
        .filter(|(at, it)| it.kind == Kind::Field && !is_own(*at))
        .map(|(_, it)| outline.key(it))
        .collect();
    let mut found = Vec::new();
    if parent == 0 {
        let missing = OF_ALL.into_iter().filter(|it| !existing.contains(it));
        found.extend(missing.map(|it| simple(cx, it, writing)));
        if document.head.kind.is_none() && writing.around == Around::Lines {
            found.extend(kinds::skeletons(cx));
        }
    }
    let Some(shape) = cx.index.shape_at(outline, document, &path) else { return found };
    let is_item = matches!(document.entry(parent).kind, Kind::Item(_));
    match shape.form() {
        Form::List | Form::ListOfMaps if !is_item => {
            let is_bracket = document.entry(parent).style == Style::Brackets;
            if is_bracket || writing.around != Around::Lines {
                return found;
            }
            writing.around = Around::Dash;
        }
        _ => {}
    }
    let values = shape.values();
    if !values.is_empty() {
        let dash = if writing.around == Around::Dash { "- " } else { "" };
        found.extend(values.into_iter().map(|value| Completion {
            text: format!("{dash}{}", cx.quoted(&value, shape.is_string())),
            ..Completion::new(CompletionKind::Value, value, &cx.cursor.range)
        }));
        return found;
    }
    let fields = shape.fields();
    // The schema of a custom resource can repeat the fields of all objects.
    let is_offered = |name: &str| parent == 0 && OF_ALL.contains(&name);
    let is_new = |it: &&Shape<'_>| !existing.contains(&it.name()) && !is_offered(it.name());
    let is_outer = matches!(field_names(&path)[..], [] | ["metadata"]);
    found.extend(fields.iter().filter(is_new).map(|it| {
        let is_of_server = is_outer && OF_SERVER.contains(&it.name());
        let completion = field(cx, it, writing);
        Completion { rank: if is_of_server { LAST } else { completion.rank }, ..completion }
    }));
    if fields.is_empty() {
        let keys = keys(cx, &field_names(&path));
        let keys = keys.into_iter().filter(|it| !existing.contains(&it.as_str()));
        found.extend(keys.map(|it| simple(cx, &it, writing)));
    }
    found
}

/// The likely keys of a map that may have any.
fn keys(cx: &CompletionContext<'_>, path: &[&str]) -> Vec<String> {
    match path {
        [.., "resources", "limits" | "requests"] => {
            AMOUNTS.iter().map(|it| (*it).to_owned()).collect()
        }
        [.., last] if LABELS.contains(last) => super::names::label_keys(cx.index),
        _ => Vec::new(),
    }
}

/// A key with a scalar.
fn simple(cx: &CompletionContext<'_>, name: &str, writing: Writing) -> Completion {
    let text = written(name, Form::Scalar, writing);
    let kind = CompletionKind::Field;
    Completion { text, rank: 0, ..Completion::new(kind, name, &cx.cursor.range) }
}

fn field(cx: &CompletionContext<'_>, shape: &Shape<'_>, writing: Writing) -> Completion {
    let name = shape.name();
    Completion {
        text: written(name, shape.form(), writing),
        detail: shape.traits(),
        docs: shape.page().into_string(),
        is_deprecated: shape.is_deprecated(),
        rank: u8::from(!shape.is_required()),
        ..Completion::new(CompletionKind::Field, name, &cx.cursor.range)
    }
}

/// A key with the text after it.
fn written(name: &str, form: Form, writing: Writing) -> String {
    let name = match writing.quote {
        _ if writing.is_json => json_string(name),
        Some(quote) => in_quotes(name, quote),
        None => plain(name),
    };
    let (dash, column) = match writing.around {
        Around::Nothing => return name,
        Around::Brackets => return format!("{name}: "),
        Around::Lines => ("", writing.column),
        Around::Dash => ("- ", writing.column + LEVEL),
    };
    let below = " ".repeat(column + LEVEL);
    match form {
        Form::Scalar => format!("{dash}{name}: "),
        Form::Map => format!("{dash}{name}:\n{below}"),
        Form::List | Form::ListOfMaps => format!("{dash}{name}:\n{below}- "),
    }
}

impl CompletionContext<'_> {
    /// Whether the document is JSON, so that strings need quotes.
    pub(super) fn is_json(&self) -> bool {
        let text = self.outline.slice(&self.cursor.document.range).trim_start();
        text.strip_prefix('{').is_some_and(|it| it.trim_start().starts_with(['"', '}']))
    }
}
