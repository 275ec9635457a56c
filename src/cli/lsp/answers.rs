//! The answers to requests: each from the text of a document, or from a check of its project.

use gen_lsp_types as lsp;
use lsp_server::ErrorCode;
use sandboxc::ide::{self, ActionKind, Edit};
use sandboxc::markup::visible_line;
use sandboxc::{FileId, LineIndex};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::client::{Abilities, failure, value_of};
use super::convert::{findings_of, lines, workspace_edit};
use super::position::Lines;
use super::state::Checked;

/// The kind of an action that applies all safe repairs of a document.
pub(super) const FIX_ALL: &str = "source.fixAll.sandboxc";

/// Reads the parameters of a request.
pub(super) fn read<T: DeserializeOwned>(params: Value) -> Result<T, lsp_server::ResponseError> {
    serde_json::from_value(params)
        .map_err(|error| failure(ErrorCode::InvalidParams, error.to_string()))
}

/// The findings of a document.
pub(super) fn diagnostics(checked: &Checked, file: FileId, abilities: Abilities) -> Value {
    json!({"kind": "full", "items": findings_of(checked, file, abilities)})
}

/// The changes for a range of a document.
pub(super) fn code_actions(
    checked: &Checked,
    file: FileId,
    params: &lsp::CodeActionParams,
    abilities: Abilities,
) -> Vec<Value> {
    let Checked { texts, compilation, options, .. } = checked;
    let workspace = &texts.workspace;
    let is_wanted = |kind: &str| is_wanted(params, kind);
    let mut actions = Vec::new();
    if is_wanted("quickfix") {
        let range = lines(workspace, file, abilities.encoding).offsets(params.range);
        let found = ide::findings(workspace, &compilation.diagnostics);
        let found = found.get(&file).map_or(&[][..], Vec::as_slice);
        for action in ide::actions(workspace, &compilation.diagnostics, file, range) {
            let finding = found.iter().find(|it| it.index == action.finding);
            let finding =
                finding.map(|finding| super::convert::diagnostic(texts, file, finding, abilities));
            actions.push(json!({
                "title": visible_line(&action.title),
                "kind": "quickfix",
                "diagnostics": finding.into_iter().collect::<Vec<_>>(),
                "isPreferred": action.kind == ActionKind::Fix,
                "edit": workspace_edit(texts, &action.edits, abilities),
            }));
        }
    }
    if is_wanted(FIX_ALL)
        && let Some(text) = ide::fix_all(workspace, options, file)
    {
        let range = 0..workspace.file(file).text().len();
        actions.push(json!({
            "title": "Apply all safe repairs",
            "kind": FIX_ALL,
            "edit": workspace_edit(texts, &[Edit { file, range, text }], abilities),
        }));
    }
    actions
}

/// Whether a request is about actions of a kind. Without a list, changes of the whole document are not
/// requested.
pub(super) fn is_wanted(params: &lsp::CodeActionParams, kind: &str) -> bool {
    let only = params.context.only.as_deref();
    only.map_or(kind != FIX_ALL, |it| it.iter().any(|it| is_kind(kind, it)))
}

/// Whether an action has a kind, or one below it: `source.fixAll.sandboxc` is a `source`.
fn is_kind(kind: &str, wanted: &lsp::CodeActionKind) -> bool {
    let Value::String(wanted) = value_of(wanted) else { return false };
    let rest = kind.strip_prefix(&*wanted);
    wanted.is_empty() || rest.is_some_and(|below| below.is_empty() || below.starts_with('.'))
}

/// The layout of a document. One that cannot be read keeps its own: its findings say why.
pub(super) fn formatting(text: &str, abilities: Abilities) -> Value {
    let index = LineIndex::new(text);
    let lines = Lines { text, index: &index, encoding: abilities.encoding };
    let edits = ide::formatting(text).into_iter().flatten();
    let edits =
        edits.map(|edit| lsp::TextEdit { range: lines.range(&edit.range), new_text: edit.text });
    json!(edits.collect::<Vec<_>>())
}
