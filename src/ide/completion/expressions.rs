//! Expressions: variables, the values of Projects, and filters.

use super::super::index::{Declared, Index};
use super::super::outline::{Document, Kind, Outline};
use super::{Completion, CompletionKind};
use crate::expand;
use crate::lower::API_VERSION;
use crate::sorted::SortedSet;
use crate::source::Slice as _;

/// The first words of actions in templates of Go, as Helm has them, that begin no expression.
const OF_GO: [&str; 8] = ["block", "define", "end", "if", "include", "range", "template", "with"];

/// The text of the expression before an offset; `None` outside expressions.
pub(super) fn before(outline: &Outline, offset: usize) -> Option<&str> {
    let text = outline.text().get(..offset)?;
    let line = text.get(text.rfind('\n').map_or(0, |it| it + 1)..)?;
    let inside = line.get(line.rfind("{{")? + 2..)?;
    let is_comment = outline.comment_at(offset).is_some();
    (!inside.contains("}}") && !is_comment).then_some(inside)
}

/// What can be written in an expression.
pub(super) fn of(index: &Index, outline: &Outline, offset: usize, before: &str) -> Vec<Completion> {
    let Some(document) = outline.document_at(offset) else { return Vec::new() };
    if !has_expressions(outline, document) {
        return Vec::new();
    }
    let is_name = |it: char| it.is_alphanumeric() || "_.".contains(it);
    let start = before.trim_end_matches(is_name).len();
    let path = before.slice(start..);
    let around = before.slice(..start).trim_end();
    let (owner, word) = path.rsplit_once('.').unwrap_or(("", path));
    let range = offset - word.len()..offset;
    let offer = |name: &str, detail: &str| Completion {
        detail: detail.to_owned(),
        ..Completion::new(CompletionKind::Variable, name, &range)
    };
    if around.ends_with('|') {
        return expand::filters().into_iter().map(|it| offer(it, "filter")).collect();
    }
    let steps: Vec<_> = owner.split('.').filter(|it| !it.is_empty()).collect();
    let names = |path: &[&str], rest: &[&str]| {
        let at = document.at(outline, path);
        at.map_or_else(SortedSet::new, |at| below(outline, document, at, rest))
    };
    match steps.split_first() {
        None => variables(outline, document)
            .into_iter()
            .map(|(name, about)| offer(name, about))
            .collect(),
        Some((&"values", rest)) => {
            let values = values(index, rest);
            values.iter().map(|it| offer(it, "value of the Project")).collect()
        }
        Some((&"matrix", rest)) => {
            names(&["expand", "matrix"], rest).into_iter().map(|it| offer(it, "list")).collect()
        }
        Some((&"item", rest)) => {
            names(&["expand", "items"], rest).into_iter().map(|it| offer(it, "field")).collect()
        }
        Some(_) => Vec::new(),
    }
}

/// Whether the braces in a document are expressions: it is a definition, and no template of Go has made it.
fn has_expressions(outline: &Outline, document: &Document) -> bool {
    let text = outline.slice(&document.range);
    let mut actions =
        text.split("{{").skip(1).map(|rest| rest.trim_start_matches(['-', ' ', '\t']));
    let is_of_go = |action: &str| {
        let word = action.split_once([' ', '\t', '\n', '}']).map_or(action, |(word, _)| word);
        action.starts_with(['.', '$', '/']) || OF_GO.contains(&word)
    };
    outline.api_version(document) == API_VERSION && !actions.any(is_of_go)
}

/// The variables of an expression.
fn variables(outline: &Outline, document: &Document) -> Vec<(&'static str, &'static str)> {
    let mut found =
        vec![("values", "values of the Project"), ("environment", "name of the environment")];
    let has = |name: &str| document.at(outline, &["expand", name]).is_some();
    if document.at(outline, &["expand"]).is_some() {
        found.push(("index", "number of the definition, from 0"));
    }
    if has("items") {
        found.push(("item", "item of the list"));
    }
    if has("matrix") {
        found.push(("matrix", "items of the lists"));
    }
    found
}

/// The names of the values of Projects and their environments, below a path.
fn values<'i>(index: &'i Index, path: &[&str]) -> SortedSet<&'i str> {
    let mut names = SortedSet::new();
    for Declared { outline, document, .. } in index.declared().filter(Declared::is_project) {
        let mut maps: Vec<_> = document.at(outline, &["spec", "values"]).into_iter().collect();
        if let Some(all) = document.at(outline, &["spec", "environments"]) {
            let of = |(at, _)| document.field(outline, at, "values");
            maps.extend(document.children(all).filter_map(of));
        }
        for map in maps {
            names.extend(below(outline, document, map, path));
        }
    }
    names
}

/// The fields of an entry at a path below it; those of the items of a list together.
fn below<'o>(
    outline: &'o Outline,
    document: &'o Document,
    at: usize,
    path: &[&str],
) -> SortedSet<&'o str> {
    let mut maps = vec![at];
    for name in path {
        maps = maps.iter().flat_map(|it| items(document, *it)).collect();
        maps = maps.iter().filter_map(|it| document.field(outline, *it, name)).collect();
    }
    let maps = maps.iter().flat_map(|it| items(document, *it));
    let fields = maps.flat_map(|it| document.children(it));
    let names = fields.filter(|(_, it)| it.kind == Kind::Field).map(|(_, it)| outline.key(it));
    // An expression cannot contain other names.
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    names.filter(|name| name.chars().all(is_name)).collect()
}

/// The items of a list, or a value itself.
fn items(document: &Document, at: usize) -> Vec<usize> {
    let items = document.children(at).filter(|(_, it)| matches!(it.kind, Kind::Item(_)));
    let mut found: Vec<_> = items.map(|(at, _)| at).collect();
    if found.is_empty() {
        found.push(at);
    }
    found
}
