//! Converts files of the systems to definitions.
//!
//! Each document is passed to the first system that recognizes it. An ordinary Kubernetes object
//! that none recognizes is kept unchanged: definitions and objects can share a file.

pub(crate) mod comments;
pub(crate) mod projects;

use std::io::{self, Write};
use std::path::Path;

use self::comments::{Comments, Kept};
use crate::diag::{Diagnostic, Message, Rule, Sink, declare_rules, message};
use crate::dialect::{DIALECTS, importers};
use crate::emit::write_stream_with;
use crate::expand::quote_expressions;
use crate::kube::{Object, SharedKinds, items_of_list};
use crate::lower::{Dialect, Import, ImportCx};
use crate::source::{Span, Workspace};
use crate::tree::Node;
use crate::yaml;

declare_rules! {
    IMPORT_COMMENT_DROPPED = "import-comment-dropped", Note;
    IMPORT_EMPTY = "import-empty", Warning;
    IMPORT_NOT_RECOGNIZED = "import-not-recognized", Error;
    IMPORT_PROJECT = "import-project", Note;
}

/// The rules of this module.
pub(crate) static ALL_RULES: &[&[&Rule]] = &[RULES];

/// The options of an import.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Whether to drop fields that definitions cannot express, with a warning.
    pub lossy: bool,
    /// The system of the files. `None`: it is detected for each document.
    pub system: Option<String>,
}

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    /// The definitions, and the unchanged objects, in input order. Do not use them if a diagnostic
    /// is an error.
    pub objects: Vec<Object>,
    /// The findings, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The parts of the input that are not imported, one line each.
    pub left_out: Vec<String>,
    /// The spans of secret values near the findings, for [`Workspace::mask`].
    pub secrets: Vec<Span>,
    /// Whether a document became definitions.
    pub(crate) is_converted: bool,
    /// The comments of the input.
    pub(crate) comments: Comments,
    /// Those that the objects have.
    pub(crate) kept: Kept,
}

/// Writes the objects of an import as [`write_stream`](crate::write_stream) does, with the comments of the
/// input.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_imported(imported: &Imported, out: &mut dyn Write) -> io::Result<()> {
    write_stream_with(
        &imported.objects,
        |object, text| comments::print(imported, object, text),
        out,
    )
}

/// The names of the systems whose files can be imported.
pub fn importable() -> impl Iterator<Item = &'static str> {
    let is_importable =
        |dialect: &&&Dialect| dialect.import.is_some() || dialect.adoption.is_some();
    DIALECTS.iter().filter(is_importable).map(|it| it.name)
}

/// Converts the files of other programs to definitions.
#[must_use]
pub(crate) fn import(workspace: &Workspace, options: &ImportOptions) -> Imported {
    let mut sink = Sink::new();
    let (mut objects, mut left_out) = (Vec::new(), Vec::new());
    let (mut is_converted, mut comments) = (false, Comments::default());
    let kinds = SharedKinds::default();
    let mut budget = yaml::Budget::default();
    for file in workspace.ids() {
        let text = workspace.file(file).text();
        if yaml::check_file(file, workspace.file(file), &mut sink).is_err() {
            continue;
        }
        let documents = yaml::documents_within(file, text, &mut budget, &mut sink).read;
        comments.add(file, workspace, &documents);
        for document in documents {
            for (root, span) in items_of_list(document.root, document.span) {
                let definitions = match importer_of(&root, options) {
                    Some(import) => {
                        is_converted = true;
                        convert(root, import, workspace, options, &mut left_out, &mut sink)
                    }
                    None => keep_object(root, &mut sink),
                };
                objects.extend(definitions.into_iter().map(|root| object(root, span, &kinds)));
            }
        }
    }
    projects::merge(&mut objects);
    report_nothing(workspace, &objects, &mut sink);
    let diagnostics = sink.into_sorted();
    let (secrets, kept) = (Vec::new(), Kept::default());
    Imported { objects, diagnostics, left_out, secrets, is_converted, comments, kept }
}

/// Reports that nothing was imported.
fn report_nothing(workspace: &Workspace, objects: &[Object], sink: &mut Sink) {
    let file = workspace.ids().next();
    if let Some(file) = file.filter(|_| objects.is_empty() && sink.is_empty()) {
        let message = "nothing to import in the input";
        let finding = Diagnostic::new(&IMPORT_EMPTY, Span::new(file, 0, 0), message);
        sink.report(finding.at("nothing becomes a definition"));
    }
}

/// The importer of a document, if it belongs to one of the chosen systems.
fn importer_of(root: &Node, options: &ImportOptions) -> Option<&'static Import> {
    let is_asked_for =
        |dialect: &Dialect| options.system.as_ref().is_none_or(|name| *name == dialect.name);
    let mut asked_for = importers().filter(|(dialect, _)| is_asked_for(dialect));
    asked_for.find(|(_, import)| (import.recognizes)(root)).map(|it| it.1)
}

/// The definitions of a document.
fn convert(
    mut root: Node,
    import: &Import,
    workspace: &Workspace,
    options: &ImportOptions,
    left_out: &mut Vec<String>,
    sink: &mut Sink,
) -> Vec<Node> {
    // Of a JSON file there is one reading.
    let file = workspace.file(workspace.locate(root.span()).file);
    let is_json = Path::new(file.name()).extension().is_some_and(|it| it == "json");
    if import.is_pyyaml && !is_json {
        yaml::read_as_python(&mut root, workspace);
    }
    let mut cx = ImportCx { is_lossy: options.lossy, left_out: Vec::new(), sink };
    let mut definitions = (import.definitions)(root, &mut cx);
    definitions.iter_mut().for_each(quote_expressions);
    left_out.append(&mut cx.left_out);
    definitions
}

/// A document that no system recognizes, if it is an object.
fn keep_object(root: Node, sink: &mut Sink) -> Vec<Node> {
    if root.is_null() {
        return Vec::new();
    }
    let is_object = root.str_at(&["apiVersion"]).is_some() && root.str_at(&["kind"]).is_some();
    if is_object {
        return vec![root];
    }
    sink.report(not_recognized(&root));
    Vec::new()
}

fn not_recognized(root: &Node) -> Diagnostic {
    let known: Vec<_> = importers().map(|(_, import)| import.what).collect();
    let place = root.entries().first().map_or_else(|| root.span(), |it| it.key_origin().span());
    let finding = Diagnostic::new(
        &IMPORT_NOT_RECOGNIZED,
        place,
        "the document is not a file of any system that can be imported",
    )
    .at("not recognized");
    if known.is_empty() {
        finding
    } else {
        finding.note(message!(
            "it can be {}",
            Message::joined(known.iter().map(|name| message!("{name}")), ", ")
        ))
    }
}

pub(crate) fn object(root: Node, document: Span, kinds: &SharedKinds) -> Object {
    let text = |keys: &[&str]| root.text_at(keys);
    let gvk = kinds.get(text(&["apiVersion"]), text(&["kind"]));
    let name = text(&["metadata", "name"]).into();
    let namespace = text(&["metadata", "namespace"]).into();
    Object { gvk, name, namespace, root, document }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_kept_and_other_documents_are_errors() {
        let mut workspace = Workspace::new();
        let object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: b}}";
        workspace.add("a.yaml", format!("{object}\n---\n# nothing\n---\nname: web\n"));
        let imported = import(&workspace, &ImportOptions::default());
        let [object] = imported.objects.as_slice() else { panic!("{imported:?}") };
        assert_eq!(object.describe(), "ConfigMap/a");
        let [finding] = imported.diagnostics.as_slice() else { panic!("{imported:?}") };
        assert_eq!(finding.rule.name, "import-not-recognized");
    }
}
