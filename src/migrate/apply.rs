//! Applies the changes of documents to their files.

use std::collections::{BTreeMap, BTreeSet};

use super::Document;
use super::objects::Changed;
use crate::diag::{Diagnostic, Sink};
use crate::findings::json::stays_json;
use crate::fix::{Edit, applied};
use crate::lower::NOT_MIGRATED;
use crate::rewrite::rewrite;
use crate::source::{FileId, Span, Workspace};
use crate::tree::Node;
use crate::yaml;

/// The result of all edits.
#[derive(Debug, Default)]
pub(super) struct Applied {
    /// The changed files, by position.
    pub(super) texts: BTreeMap<usize, String>,
    pub(super) objects: usize,
    pub(super) findings: Vec<Diagnostic>,
}

/// A document with its edit.
struct Ready<'c> {
    changed: &'c Changed,
    edits: Vec<Edit>,
}

/// Applies what can be applied.
pub(super) fn apply(workspace: &Workspace, documents: &[Document], all: Vec<Changed>) -> Applied {
    let mut by_file: BTreeMap<usize, Vec<Changed>> = BTreeMap::new();
    for changed in all {
        if let Some(document) = documents.get(changed.document) {
            by_file.entry(document.position).or_default().push(changed);
        }
    }
    let mut result = Applied::default();
    for (position, changed) in by_file {
        let is_here = |document: &&Document| document.position == position;
        let Some(first) = documents.iter().position(|document| is_here(&document)) else {
            continue;
        };
        let here: Vec<_> = documents.iter().filter(is_here).collect();
        let Some(file) = here.first().map(|document| document.file) else { continue };
        let file = OneFile { workspace, file, position, first, documents: here };
        file.apply(&changed, &mut result);
    }
    result
}

/// A file with changed documents.
struct OneFile<'d> {
    workspace: &'d Workspace,
    file: FileId,
    position: usize,
    /// The position of its first document.
    first: usize,
    documents: Vec<&'d Document>,
}

impl OneFile<'_> {
    fn apply(&self, all: &[Changed], result: &mut Applied) {
        let text = self.workspace.file(self.file).text();
        let mut ready = Vec::new();
        for changed in all {
            match self.edits(changed, text) {
                Some(edits) => ready.push(Ready { changed, edits }),
                None => result.findings.extend(refused(changed)),
            }
        }
        // Each round leaves out a document.
        while !ready.is_empty() {
            let edits: BTreeSet<_> = ready.iter().flat_map(|it| it.edits.iter().cloned()).collect();
            let mut texts = vec![String::new(); self.position];
            texts.push(text.to_owned());
            let Some(written) = applied(&texts, &edits).remove(&self.position) else { break };
            let Some(wrong) = self.wrong(text, &written, &ready) else {
                result.objects += ready.iter().map(|it| it.changed.objects.len()).sum::<usize>();
                result.texts.insert(self.position, written);
                break;
            };
            let at = ready.iter().position(|it| it.changed.document == wrong).unwrap_or_default();
            result.findings.extend(refused(ready.remove(at).changed));
        }
    }

    /// The edits of a document: that of its text, and the documents after it.
    fn edits(&self, changed: &Changed, text: &str) -> Option<Vec<Edit>> {
        let old = &self.documents.get(changed.document - self.first)?.root;
        let edit = rewrite(self.file, text, old, &changed.root)?;
        let rule = NOT_MIGRATED.name;
        let file = self.position;
        let mut edits = vec![Edit {
            file,
            start: edit.range.start,
            end: edit.range.end,
            replacement: edit.text,
            rule,
        }];
        if !changed.added.is_empty() {
            let start = old.span().within(self.file).range().start;
            let parts = yaml::split(self.workspace, self.file).parts;
            let part = parts.iter().find(|it| it.span.range().contains(&start))?;
            let end = part.span.range().end;
            let replacement = documents_of(&changed.added, part.text, text);
            edits.push(Edit { file, start: end, end, replacement, rule });
        }
        Some(edits)
    }

    /// The first document that would not be the intended one.
    fn wrong(&self, text: &str, written: &str, ready: &[Ready<'_>]) -> Option<usize> {
        let first = ready.first().map(|it| it.changed.document)?;
        let mut sink = Sink::new();
        let read = yaml::documents(self.file, written, &mut sink).read;
        if sink.reported().is_some() || !stays_json(text, written) {
            return Some(first);
        }
        let mut expected: Vec<(usize, &Node)> = Vec::new();
        for (index, document) in self.documents.iter().enumerate() {
            let index = index + self.first;
            match ready.iter().find(|it| it.changed.document == index) {
                Some(it) => {
                    expected.push((index, &it.changed.root));
                    expected.extend(it.changed.added.iter().map(|it| (index, it)));
                }
                None => expected.push((index, &document.root)),
            }
        }
        let mut read = read.iter();
        for (index, root) in &expected {
            if !read.next().is_some_and(|it| it.root.same_value(root)) {
                let is_ready = ready.iter().any(|it| it.changed.document == *index);
                return Some(if is_ready { *index } else { first });
            }
        }
        read.next().map(|_| first)
    }
}

/// The documents that follow one with this text.
fn documents_of(added: &[Node], before: &str, file: &str) -> String {
    let mut out = String::new();
    if !before.ends_with('\n') {
        out.push('\n');
    }
    for node in added {
        out.push_str("---\n");
        yaml::print_document(node, &mut out);
    }
    if file.contains("\r\n") { out.replace('\n', "\r\n") } else { out }
}

/// The findings for the objects of a document that is kept as it is.
fn refused(changed: &Changed) -> impl Iterator<Item = Diagnostic> {
    let finding = |span: &Span| {
        let message = "the object is not migrated, because its source cannot be edited in place";
        Diagnostic::new(&NOT_MIGRATED, *span, message)
            .at("not converted")
            .note("an anchor, an alias, a merge key or a tag is used where fields change")
            .help("write the values that change without it, and migrate again")
    };
    changed.objects.iter().map(finding)
}
