//! Code actions that need the outlines of a project: refactorings, and objects of the cluster that the
//! Project declares.

use std::ops::Range;
use std::path::Path;

use gen_lsp_types as lsp;
use sandboxc::FileId;
use sandboxc::ide::{self, FileRange, RefactoringKind};
use serde_json::{Value, json};

use super::answers::is_wanted;
use super::client::Abilities;
use super::convert;
use super::indexed::Indexed;
use super::state::Checked;

/// The maximum number of findings for which changes are offered: each is compared with all names.
const MOST: usize = 50;

/// The actions for a range of a document.
pub(super) fn of(
    indexed: &Indexed,
    (checked, file, path): (&Checked, FileId, &Path),
    params: &lsp::CodeActionParams,
    abilities: Abilities,
) -> Vec<Value> {
    let mut actions = Vec::new();
    let Some(number) = indexed.number(path) else { return actions };
    let start = indexed.offset(number, params.range.start);
    let end = indexed.offset(number, params.range.end);
    if is_wanted(params, "quickfix") {
        actions.extend(absent_objects(indexed, (checked, file), (number, start..end), abilities));
    }
    for refactoring in ide::refactorings(indexed.index(), number, start) {
        let kind = match refactoring.kind {
            RefactoringKind::Extract => "refactor.extract",
            RefactoringKind::Inline => "refactor.inline",
        };
        if is_wanted(params, kind) {
            actions.push(json!({
                "title": refactoring.title,
                "kind": kind,
                "edit": indexed.workspace_edit(&refactoring.edits, abilities),
            }));
        }
    }
    actions
}

/// Changes for findings in a range about objects that are missing: the name of a similar object, and a
/// declaration in the Project.
fn absent_objects(
    indexed: &Indexed,
    (checked, file): (&Checked, FileId),
    (number, range): (usize, Range<usize>),
    abilities: Abilities,
) -> Vec<Value> {
    let Checked { texts, compilation, .. } = checked;
    let found = ide::findings(&texts.workspace, &compilation.diagnostics);
    let found = found.get(&file).map_or(&[][..], Vec::as_slice).iter();
    let touched =
        found.filter(|change| change.range.start <= range.end && range.start <= change.range.end);
    let mut actions = Vec::new();
    for finding in touched.take(MOST) {
        let Some(diagnostic) = compilation.diagnostics.get(finding.index) else { continue };
        let corrected = ide::correct_name(indexed.index(), &texts.workspace, diagnostic);
        let corrected = corrected
            .map(|(title, range, text)| (title, FileRange { file: number, range }, text))
            .into_iter();
        let declared = ide::declare_external(indexed.index(), diagnostic);
        actions.extend(corrected.chain(declared).map(|(title, place, text)| {
            json!({
                "title": title,
                "kind": "quickfix",
                "diagnostics": [convert::diagnostic(texts, file, finding, abilities)],
                "edit": indexed.workspace_edit(&[(place, text)], abilities),
            })
        }));
    }
    actions
}
