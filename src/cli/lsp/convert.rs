//! What the library says, in the types of the protocol.

use std::collections::BTreeMap;
use std::ops::Range;

use gen_lsp_types as lsp;
use sandboxc::ide::{self, Edit, Finding};
use sandboxc::{FileId, Severity, Workspace};
use serde_json::{Value, json};

use super::client::Abilities;
use super::position::{Encoding, Lines};
use super::state::{Checked, Texts};

/// The name of the program next to its findings.
const SOURCE: &str = "sandboxc";

/// The maximum number of findings of a file, the last of which counts the others. VS Code shows as many and drops
/// the rest; other editors draw all of them and take seconds for each key.
const MOST: usize = 1_000;

/// The lines of a file.
pub(super) fn lines(workspace: &Workspace, file: FileId, encoding: Encoding) -> Lines<'_> {
    let file = workspace.file(file);
    Lines { text: file.text(), index: file.lines(), encoding }
}

/// The findings of each open document and of each other file with some: its address, the version of the
/// document, and the findings.
pub(super) fn findings(
    checked: &Checked,
    abilities: Abilities,
) -> Vec<(String, Option<i32>, Vec<lsp::Diagnostic>)> {
    let Checked { texts, compilation, .. } = checked;
    let mut found = ide::findings(&texts.workspace, &compilation.diagnostics);
    for file in texts.open() {
        found.entry(file).or_default();
    }
    let of_file = |(file, findings): (FileId, Vec<Finding>)| {
        let version = texts.document(file).map(|it| it.version);
        Some((texts.uri(file)?, version, shown(texts, file, &findings, abilities)))
    };
    found.into_iter().filter_map(of_file).collect()
}

/// The findings of one file.
pub(super) fn findings_of(
    checked: &Checked,
    file: FileId,
    abilities: Abilities,
) -> Vec<lsp::Diagnostic> {
    let Checked { texts, compilation, .. } = checked;
    let found = ide::findings(&texts.workspace, &compilation.diagnostics);
    shown(texts, file, found.get(&file).map_or(&[][..], Vec::as_slice), abilities)
}

/// The findings of a file that an editor shows: the gravest, in order.
fn shown(
    texts: &Texts,
    file: FileId,
    findings: &[Finding],
    abilities: Abilities,
) -> Vec<lsp::Diagnostic> {
    let mut shown: Vec<_> = findings.iter().enumerate().collect();
    if findings.len() > MOST {
        shown.sort_by_key(|(_, finding)| finding.severity);
        shown.truncate(MOST - 1);
        shown.sort_unstable_by_key(|(at, _)| *at);
    }
    let mut diagnostics: Vec<_> =
        shown.iter().map(|(_, finding)| diagnostic(texts, file, finding, abilities)).collect();
    let left = findings.len() - shown.len();
    let last = diagnostics.last().map(|it| it.range).filter(|_| left > 0);
    if let Some(range) = last {
        diagnostics.push(lsp::Diagnostic {
            range,
            severity: Some(lsp::DiagnosticSeverity::Information),
            source: Some(SOURCE.to_owned()),
            message: lsp::Message::String(format!(
                "{left} more findings are not shown: `sandboxc check` reports all of them"
            )),
            ..lsp::Diagnostic::default()
        });
    }
    diagnostics
}

/// A finding.
pub(super) fn diagnostic(
    texts: &Texts,
    file: FileId,
    finding: &Finding,
    abilities: Abilities,
) -> lsp::Diagnostic {
    let Finding { severity, rule, message, page, related, tag, .. } = finding;
    let severity = match severity {
        Severity::Error => lsp::DiagnosticSeverity::Error,
        Severity::Warning => lsp::DiagnosticSeverity::Warning,
        Severity::Note => lsp::DiagnosticSeverity::Information,
    };
    let tag = tag.map(|it| match it {
        ide::Tag::Deprecated => lsp::DiagnosticTag::Deprecated,
        ide::Tag::Unnecessary => lsp::DiagnosticTag::Unnecessary,
    });
    let related = related.iter().filter(|_| abilities.related).filter_map(|it| {
        let location = location(texts, it.place.file, &it.place.range(), abilities.encoding)?;
        Some(lsp::DiagnosticRelatedInformation { location, message: it.text.clone() })
    });
    let related: Vec<_> = related.collect();
    lsp::Diagnostic {
        range: lines(&texts.workspace, file, abilities.encoding).range(&finding.range),
        severity: Some(severity),
        code: Some(lsp::Code::String(rule.name.to_owned())),
        code_description: page.clone().map(|page| lsp::CodeDescription { href: page.into() }),
        source: Some(SOURCE.to_owned()),
        message: lsp::Message::String(message.clone()),
        tags: tag.map(|it| vec![it]),
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    }
}

/// A range of a file.
pub(super) fn location(
    texts: &Texts,
    file: FileId,
    range: &Range<usize>,
    encoding: Encoding,
) -> Option<lsp::Location> {
    let range = lines(&texts.workspace, file, encoding).range(range);
    Some(lsp::Location { uri: texts.uri(file)?.into(), range })
}

/// A change of files, as a `WorkspaceEdit`.
pub(super) fn workspace_edit(texts: &Texts, edits: &[Edit], abilities: Abilities) -> Value {
    let mut files: BTreeMap<FileId, Vec<lsp::TextEdit>> = BTreeMap::new();
    for Edit { file, range, text } in edits {
        let range = lines(&texts.workspace, *file, abilities.encoding).range(range);
        files.entry(*file).or_default().push(lsp::TextEdit { range, new_text: text.clone() });
    }
    let known = files.into_iter().filter_map(|(file, edits)| Some((file, texts.uri(file)?, edits)));
    if !abilities.versioned_edits {
        let changes: BTreeMap<_, _> = known.map(|(_, uri, edits)| (uri, edits)).collect();
        return json!({"changes": changes});
    }
    let changes = known.map(|(file, uri, edits)| {
        let version = texts.document(file).map(|it| it.version);
        json!({"textDocument": {"uri": uri, "version": version}, "edits": edits})
    });
    json!({"documentChanges": changes.collect::<Vec<_>>()})
}
