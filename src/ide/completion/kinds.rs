//! Kinds, their versions, and the start of a document of each.

use crate::language::{Form, KindName, Shape};
use crate::markup;
use crate::markup::{Markdown, Markup, Snippet};

use super::super::outline::Slot;
use super::fields::LEVEL;
use super::values::plain;
use super::{Completion, CompletionContext, CompletionKind};

/// The maximum depth of the required fields in the start of a document.
const DEEPEST: usize = 8;

/// The values of `kind`.
pub(super) fn kinds(cx: &CompletionContext<'_>) -> Vec<Completion> {
    let document = cx.cursor.document;
    let api_version = cx.outline.api_version(document);
    let has_version = document.at(cx.outline, &["apiVersion"]).is_some();
    let known = cx.index.kinds();
    let is_of_version = |it: &&KindName| api_version.is_empty() || it.api_version == api_version;
    let start = document.entry(cx.cursor.entry).key.start;
    let after = if document.is_in_brackets() {
        ", ".to_owned()
    } else {
        format!("\n{}", " ".repeat(cx.column(start)))
    };
    let of = |it: &KindName| Completion {
        detail: it.api_version.clone(),
        docs: Markup::<Markdown>::of(&it.about).into_string(),
        text: cx.quoted(&it.kind, true),
        beside: (!has_version && !cx.is_json())
            .then(|| (start, format!("apiVersion: {}{after}", plain(&it.api_version)))),
        rank: rank(it),
        ..Completion::new(CompletionKind::Kind, &*it.kind, &cx.cursor.range)
    };
    known.iter().filter(is_of_version).map(of).collect()
}

/// The values of `apiVersion`: those of the kind, if the document has one.
pub(super) fn api_versions(cx: &CompletionContext<'_>) -> Vec<Completion> {
    let kind = cx.outline.kind(cx.cursor.document);
    let known = cx.index.kinds();
    let named = |it: &&KindName| it.kind == kind;
    let is_known = known.iter().any(|it| it.kind == kind);
    let offered = known.iter().filter(|it| !is_known || named(it));
    let mut found: Vec<Completion> = Vec::new();
    for it in offered {
        if found.iter().all(|found| found.label != it.api_version) {
            let kind = CompletionKind::Kind;
            let rank = rank(it);
            found.push(Completion {
                rank,
                text: cx.quoted(&it.api_version, true),
                ..Completion::new(kind, &*it.api_version, &cx.cursor.range)
            });
        }
    }
    found
}

/// The start of a document for each kind.
pub(super) fn skeletons(cx: &CompletionContext<'_>) -> Vec<Completion> {
    if !matches!(cx.cursor.slot, Slot::NewKey { column: 0, .. }) {
        return Vec::new();
    }
    let kinds = cx.index.kinds();
    let has_version = !cx.outline.api_version(cx.cursor.document).is_empty();
    let offered = kinds
        .iter()
        .filter(|it| !has_version || it.api_version == cx.outline.api_version(cx.cursor.document));
    let of = |it: &KindName| {
        let shape = cx.index.shape_of(&it.api_version, &it.kind)?;
        let Skeleton { text, snippet, .. } = Skeleton::of(it, &shape, has_version);
        Some(Completion {
            text,
            snippet: snippet.into_string(),
            detail: it.api_version.clone(),
            docs: Markup::<Markdown>::of(&it.about).into_string(),
            rank: 2 + rank(it),
            ..Completion::new(CompletionKind::Snippet, &*it.kind, &cx.cursor.range)
        })
    };
    offered.filter_map(of).collect()
}

fn rank(kind: &KindName) -> u8 {
    u8::from(!kind.is_stable)
}

/// A document, and the same in the syntax of snippets.
struct Skeleton {
    text: String,
    snippet: Markup<Snippet>,
    /// The number of the last place to fill in.
    stop: usize,
}

impl Skeleton {
    fn of(kind: &KindName, shape: &Shape<'_>, has_version: bool) -> Self {
        let mut skeleton = Self { text: String::new(), snippet: Markup::new(), stop: 0 };
        if !has_version {
            skeleton.push(&format!("apiVersion: {}", plain(&kind.api_version)));
            skeleton.line(0);
        }
        skeleton.push(&format!("kind: {}", plain(&kind.kind)));
        skeleton.line(0);
        skeleton.push("metadata:");
        skeleton.line(LEVEL);
        skeleton.push("name: ");
        skeleton.stop();
        for name in ["spec", "data", "rules"] {
            if let Some(field) = shape.field(name) {
                skeleton.line(0);
                skeleton.field(&field, 0, 0);
                break;
            }
        }
        skeleton.line(0);
        skeleton
    }

    /// Appends words on one line.
    fn push(&mut self, words: &str) {
        self.text.push_str(words);
        self.snippet.push(words);
    }

    /// Starts a line at a column.
    fn line(&mut self, column: usize) {
        self.text.push('\n');
        self.snippet.literal("\n");
        self.push(&" ".repeat(column));
    }

    fn stop(&mut self) {
        self.stop += 1;
        markup!(self.snippet, "${}", self.stop);
    }

    /// A field with the required fields in it.
    fn field(&mut self, shape: &Shape<'_>, column: usize, depth: usize) {
        self.push(&plain(shape.name()));
        self.push(":");
        let required: Vec<_> = match shape.form() {
            Form::Map | Form::ListOfMaps if depth < DEEPEST => {
                shape.fields().into_iter().filter(Shape::is_required).collect()
            }
            _ => Vec::new(),
        };
        let (dash, inner) = match shape.form() {
            Form::Scalar => {
                self.push(" ");
                return self.stop();
            }
            Form::Map => ("", column + LEVEL),
            Form::List | Form::ListOfMaps => ("- ", column + 2 * LEVEL),
        };
        self.line(column + LEVEL);
        self.push(dash);
        if required.is_empty() {
            return self.stop();
        }
        for (number, field) in required.iter().enumerate() {
            if number > 0 {
                self.line(inner);
            }
            self.field(field, inner, depth + 1);
        }
    }
}
