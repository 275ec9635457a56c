//! The answers from the outlines of a project: completions, descriptions, names and structure.

use std::path::Path;

use gen_lsp_types as lsp;
use lsp_server::ErrorCode;
use sandboxc::Options;
use sandboxc::ide::{
    self, Completion, CompletionKind, FileRange, HintKind, LinkTarget, Outline, Symbol,
};
use sandboxc::markup::visible_line;
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Abilities, Answer, failure};
use super::indexed::Indexed;

/// The maximum number of symbols of a search.
const SYMBOLS: usize = 200;

/// The maximum size of a project whose definitions are compiled for a hover, in bytes.
const COMPILED: usize = 4 << 20;

/// What can be written at a position.
pub(super) fn completion(
    indexed: &Indexed,
    file: usize,
    position: lsp::Position,
    abilities: Abilities,
) -> Value {
    let offset = indexed.offset(file, position);
    let mut found = ide::completion(indexed.index(), file, offset);
    let is_narrowed = narrow(indexed, file, offset, &mut found);
    let item = |(number, it): (usize, &Completion)| {
        let Completion { label, filter, kind, detail, docs, range, text, snippet, beside, .. } = it;
        let kind = match kind {
            CompletionKind::Field => lsp::CompletionItemKind::Field,
            CompletionKind::Value => lsp::CompletionItemKind::EnumMember,
            CompletionKind::Kind => lsp::CompletionItemKind::Class,
            CompletionKind::Reference => lsp::CompletionItemKind::Reference,
            CompletionKind::Variable => lsp::CompletionItemKind::Variable,
            CompletionKind::Rule => lsp::CompletionItemKind::Constant,
            CompletionKind::Snippet => lsp::CompletionItemKind::Snippet,
        };
        let has_snippet = abilities.snippets && !snippet.is_empty();
        let range = indexed.ranges(file, [range]).pop();
        let new = indexed.with_breaks_of(file, if has_snippet { snippet } else { text });
        let mut item = json!({
            "label": visible_line(label),
            "kind": kind,
            // Neovim shows all items with an edit that have none.
            "filterText": filter,
            "sortText": format!("{number:05}"),
            "insertTextFormat": if has_snippet { 2 } else { 1 },
            // The text has the indentation of its place.
            "insertTextMode": 1,
            "textEdit": {"range": range, "newText": new},
        });
        if !detail.is_empty() {
            set(&mut item, "detail", json!(visible_line(detail)));
        }
        if !docs.is_empty() {
            set(&mut item, "documentation", json!({"kind": "markdown", "value": docs}));
        }
        if it.is_deprecated {
            set(&mut item, "tags", json!([1]));
        }
        if let Some((at, text)) = beside {
            let range = indexed.ranges(file, [&(*at..*at)]).pop();
            let text = indexed.with_breaks_of(file, text);
            set(&mut item, "additionalTextEdits", json!([{"range": range, "newText": text}]));
        }
        item
    };
    let items: Vec<_> = found.iter().enumerate().map(item).collect();
    json!({"isIncomplete": is_narrowed, "items": items})
}

/// Leaves the items that begin with the text before the cursor or, if none does, those that contain its
/// letters in this order. Returns whether others may match after the next key.
fn narrow(indexed: &Indexed, file: usize, offset: usize, found: &mut Vec<Completion>) -> bool {
    let text = indexed.index().outline(file).map_or("", Outline::text);
    let typed = |item: &Completion| text.get(item.range.start..offset).unwrap_or("").to_lowercase();
    let begins = |item: &Completion| item.filter.to_lowercase().starts_with(&typed(item));
    let contains = |item: &Completion| {
        let filter = item.filter.to_lowercase();
        let mut letters = filter.chars();
        typed(item).chars().all(|wanted| letters.any(|letter| letter == wanted))
    };
    let all = found.len();
    if found.iter().any(begins) {
        found.retain(begins);
    } else {
        found.retain(contains);
    }
    found.len() < all
}

fn set(item: &mut Value, key: &str, value: Value) {
    if let Some(fields) = item.as_object_mut() {
        fields.insert(key.to_owned(), value);
    }
}

/// The description of what is at a position: of findings, of the text, and the value in effect.
pub(super) fn hover(
    indexed: &Indexed,
    file: usize,
    path: &Path,
    position: lsp::Position,
    options: &Options,
) -> Value {
    let offset = indexed.offset(file, position);
    let own = ide::hover(indexed.index(), file, offset);
    let (mut range, mut parts) = (None, Vec::new());
    let mut add = |hover: ide::Hover| {
        range.get_or_insert(hover.range);
        parts.push(hover.text);
    };
    if let Some(own) = own {
        add(own);
    }
    let checked = indexed.checked.as_deref();
    if let Some((checked, id)) =
        checked.and_then(|checked| Some((checked, checked.texts.file(path)?)))
    {
        let workspace = &checked.texts.workspace;
        if workspace.bytes() < COMPILED
            && let Some(text) =
                ide::effective(workspace, options, (indexed.index(), file), id, offset)
        {
            parts.push(text);
        }
        let findings = &checked.compilation.diagnostics;
        if let Some(of_findings) = ide::hover_of_findings(workspace, findings, id, offset) {
            range.get_or_insert(of_findings.range);
            parts.push(of_findings.text);
        }
    }
    if parts.is_empty() {
        return Value::Null;
    }
    let range = range.and_then(|range| indexed.ranges(file, [&range]).pop());
    json!({"contents": {"kind": "markdown", "value": parts.join("\n\n---\n\n")}, "range": range})
}

/// Where the name at a position is declared.
pub(super) fn definition(indexed: &Indexed, file: usize, position: lsp::Position) -> Value {
    let found = ide::definition(indexed.index(), file, indexed.offset(file, position));
    json!(indexed.locations(&found))
}

/// Where the name at a position is written.
pub(super) fn references(
    indexed: &Indexed,
    file: usize,
    position: lsp::Position,
    params: &Value,
) -> Value {
    let has_declarations = params.pointer("/context/includeDeclaration") == Some(&json!(true));
    let offset = indexed.offset(file, position);
    json!(indexed.locations(&ide::references(indexed.index(), file, offset, has_declarations)))
}

/// The parts of the file with the name at a position.
pub(super) fn highlights(indexed: &Indexed, file: usize, position: lsp::Position) -> Value {
    let offset = indexed.offset(file, position);
    let found = ide::references(indexed.index(), file, offset, true);
    let own = found.iter().filter(|it| it.file == file).map(|it| &it.range);
    let ranges = indexed.ranges(file, own).into_iter();
    Value::Array(ranges.map(|range| json!({"range": range})).collect())
}

/// The name at a position that can be renamed.
pub(super) fn prepare_rename(indexed: &Indexed, file: usize, position: lsp::Position) -> Value {
    let found = ide::renamable(indexed.index(), file, indexed.offset(file, position));
    json!(found.and_then(|range| indexed.ranges(file, [&range]).pop()))
}

/// The edits that give a new name to what is at a position.
pub(super) fn rename(
    indexed: &Indexed,
    file: usize,
    (position, params): (lsp::Position, &Value),
    abilities: Abilities,
) -> Answer {
    let Some(new) = params.get("newName").and_then(Value::as_str) else {
        return Err(failure(ErrorCode::InvalidParams, "missing parameter `newName`"));
    };
    let offset = indexed.offset(file, position);
    if ide::renamable(indexed.index(), file, offset).is_none() {
        let message = "there is no name here that can be changed";
        return Err(failure(ErrorCode::RequestFailed, message));
    }
    let Some(edits) = ide::rename_to(indexed.index(), file, offset, new) else {
        return Err(failure(ErrorCode::RequestFailed, format!("`{new}` is not a valid name")));
    };
    let is_elsewhere = edits.iter().any(|(place, _)| place.file != file);
    let mut edit = indexed.workspace_edit(&edits, abilities);
    if is_elsewhere && abilities.annotations {
        confirm(&mut edit, &format!("Rename to `{new}`"));
    }
    Ok(edit)
}

/// Lets the editor show the changes of other files before it makes them.
fn confirm(edit: &mut Value, label: &str) {
    const ID: &str = "sandboxc";
    let documents = edit.get_mut("documentChanges").and_then(Value::as_array_mut);
    let changes = documents.into_iter().flatten().filter_map(|it| it.get_mut("edits"));
    for change in changes.filter_map(Value::as_array_mut).flatten() {
        set(change, "annotationId", json!(ID));
    }
    set(edit, "changeAnnotations", json!({ID: {"label": label, "needsConfirmation": true}}));
}

/// A parameter of a request; `None` if it is missing or has another type.
pub(super) fn parameter<'p, T: Deserialize<'p>>(params: &'p Value, pointer: &str) -> Option<T> {
    T::deserialize(params.pointer(pointer)?).ok()
}

/// The objects of a file, each with its fields.
pub(super) fn document_symbols(indexed: &Indexed, file: usize) -> Value {
    let found = ide::document_symbols(indexed.index(), file);
    Value::Array(found.iter().map(|it| symbol(indexed, file, it)).collect())
}

fn symbol(indexed: &Indexed, file: usize, symbol: &Symbol) -> Value {
    let ranges = indexed.ranges(file, [&symbol.range, &symbol.name_range]);
    let children: Vec<_> =
        symbol.children.iter().map(|it| self::symbol(indexed, file, it)).collect();
    json!({
        "name": visible_line(&symbol.name),
        "detail": visible_line(&symbol.detail),
        "kind": symbol_kind(symbol),
        "range": ranges.first(),
        "selectionRange": ranges.last(),
        "children": children,
    })
}

fn symbol_kind(symbol: &Symbol) -> lsp::SymbolKind {
    if symbol.is_object { lsp::SymbolKind::Class } else { lsp::SymbolKind::Field }
}

/// The objects of all projects that match a query.
pub(super) fn workspace_symbols(projects: &[Indexed], query: &str) -> Value {
    let mut symbols = Vec::new();
    for indexed in projects {
        for (file, symbol) in ide::workspace_symbols(indexed.index(), query, SYMBOLS) {
            let place = FileRange { file, range: symbol.name_range.clone() };
            let location = indexed.locations(&[place]).pop();
            symbols.push(json!({
                "name": visible_line(&symbol.name),
                "containerName": visible_line(&symbol.detail),
                "kind": symbol_kind(&symbol),
                "location": location,
            }));
        }
    }
    Value::Array(symbols)
}

/// The parts of a file that can be folded.
pub(super) fn folds(indexed: &Indexed, file: usize) -> Value {
    let folds = ide::folds(indexed.index(), file);
    let ranges = indexed.ranges(file, &folds).into_iter();
    let fold =
        |range: lsp::Range| json!({"startLine": range.start.line, "endLine": range.end.line});
    Value::Array(ranges.map(fold).collect())
}

/// The growing selections at positions.
pub(super) fn selections(indexed: &Indexed, file: usize, params: &Value) -> Value {
    let positions: Option<Vec<lsp::Position>> = parameter(params, "/positions");
    let selection = |position: lsp::Position| {
        let found = ide::selections(indexed.index(), file, indexed.offset(file, position));
        let ranges = indexed.ranges(file, &found);
        let nested = ranges.into_iter().rev().fold(Value::Null, |parent, range| {
            if parent.is_null() {
                json!({"range": range})
            } else {
                json!({"range": range, "parent": parent})
            }
        });
        if nested.is_null() {
            json!({"range": {"start": position, "end": position}})
        } else {
            nested
        }
    };
    Value::Array(positions.into_iter().flatten().map(selection).collect())
}

/// The links of a file.
pub(super) fn links(indexed: &Indexed, file: usize, path: &Path) -> Value {
    let found = ide::links(indexed.index(), file);
    let ranges = indexed.ranges(file, found.iter().map(|it| &it.range));
    let link = |(link, range): (&ide::Link, lsp::Range)| {
        let target = match &link.target {
            LinkTarget::Path(it) => super::address::uri_of(&path.with_file_name(it)),
            LinkTarget::Address(it) => it.clone(),
        };
        json!({"range": range, "target": target})
    };
    Value::Array(found.iter().zip(ranges).map(link).collect())
}

/// The hints in a range of a file, except for the kinds that the editor has turned off.
pub(super) fn hints(indexed: &Indexed, file: usize, params: &Value, off: &[HintKind]) -> Value {
    let range: Option<lsp::Range> = parameter(params, "/range");
    let (start, end) = match range {
        Some(it) => (indexed.offset(file, it.start), indexed.offset(file, it.end)),
        None => (0, usize::MAX),
    };
    let mut found = ide::hints(indexed.index(), file);
    found.retain(|hint| start <= hint.offset && hint.offset <= end && !off.contains(&hint.kind));
    let parts: Vec<_> = found.iter().map(|hint| hint.offset..hint.offset).collect();
    let ranges = indexed.ranges(file, &parts);
    let hint = |(hint, range): (&ide::Hint, lsp::Range)| json!({"position": range.start, "label": visible_line(&hint.text), "paddingLeft": true});
    Value::Array(found.iter().zip(ranges).map(hint).collect())
}
