//! Converts files of the systems to definitions.
//!
//! Each document is passed to the first system that recognizes it. An ordinary Kubernetes object
//! that none recognizes is kept unchanged: definitions and objects can share a file.

pub(crate) mod projects;

use std::path::Path;

use crate::diag::{Diagnostic, Message, Rule, Sink, declare_rules, message};
use crate::dialect::DIALECTS;
use crate::expand::quote_expressions;
use crate::kube::{Object, SharedKinds, items_of_list};
use crate::lower::{Dialect, Import, ImportCx};
use crate::source::{Span, Workspace};
use crate::tree::Node;
use crate::yaml;

declare_rules! {
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
    /// The parts that a lossy import omitted, one line each.
    pub left_out: Vec<String>,
    /// The spans of secret values near the findings, for [`Workspace::mask`].
    pub secrets: Vec<Span>,
}

/// The names of the systems whose files can be imported.
pub fn importable() -> impl Iterator<Item = &'static str> {
    let is_importable = |it: &&&Dialect| it.import.is_some() || it.adoption.is_some();
    DIALECTS.iter().filter(is_importable).map(|it| it.name)
}

fn importers() -> impl Iterator<Item = (&'static Dialect, &'static Import)> {
    DIALECTS.iter().filter_map(|it| Some((*it, it.import.as_ref()?)))
}

/// Converts the files of other programs to definitions.
#[must_use]
pub(crate) fn import(workspace: &Workspace, options: &ImportOptions) -> Imported {
    let mut sink = Sink::new();
    let (mut objects, mut left_out) = (Vec::new(), Vec::new());
    let kinds = SharedKinds::default();
    let mut budget = yaml::Budget::default();
    for file in workspace.ids() {
        let text = workspace.file(file).text();
        if yaml::check_file(file, workspace.file(file), &mut sink).is_err() {
            continue;
        }
        for document in yaml::documents_within(file, text, &mut budget, &mut sink).read {
            for (root, span) in items_of_list(document.root, document.span) {
                let definitions = import_one(root, workspace, options, &mut left_out, &mut sink);
                objects.extend(definitions.into_iter().map(|it| object(it, span, &kinds)));
            }
        }
    }
    projects::merge(&mut objects);
    report_result(workspace, &objects, &mut sink);
    Imported { objects, diagnostics: sink.into_sorted(), left_out, secrets: Vec::new() }
}

/// Reports that nothing was imported, or that the result has a Project.
fn report_result(workspace: &Workspace, objects: &[Object], sink: &mut Sink) {
    let file = workspace.ids().next();
    if let Some(file) = file.filter(|_| objects.is_empty() && sink.is_empty()) {
        let message = "nothing to import in the input";
        let finding = Diagnostic::new(&IMPORT_EMPTY, Span::new(file, 0, 0), message);
        sink.report(finding.at("nothing becomes a definition"));
    }
    let is_printed = sink.reported().is_none();
    if let Some(project) = objects.iter().find(|it| is_printed && projects::is_project(it)) {
        let message = "the output contains a Project, and an input can have only one";
        sink.report(
            Diagnostic::new(&IMPORT_PROJECT, project.document, message)
                .at("its settings are in the Project")
                .help("if your files have a Project, add the fields of the new one to it"),
        );
    }
}

fn import_one(
    mut root: Node,
    workspace: &Workspace,
    options: &ImportOptions,
    left_out: &mut Vec<String>,
    sink: &mut Sink,
) -> Vec<Node> {
    if root.is_null() {
        return Vec::new();
    }
    let is_asked_for = |it: &Dialect| options.system.as_ref().is_none_or(|name| *name == it.name);
    let mut asked_for = importers().filter(|(dialect, _)| is_asked_for(dialect));
    if let Some((_, import)) = asked_for.find(|(_, import)| (import.recognizes)(&root)) {
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
        return definitions;
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
    let text = |keys: &[&str]| root.str_at(keys).unwrap_or("");
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
