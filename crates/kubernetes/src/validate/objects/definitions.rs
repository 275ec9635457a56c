//! Custom resources that are not completely checked, because their definitions have errors.

use super::SCHEMA_UNKNOWN;
use crate::crd;
use crate::diag::{Diagnostic, Severity, Sink, message};
use crate::kube::Object;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{Span, Workspace};

/// The text that a file with a definition contains, even if it cannot be read.
const DEFINITION: &str = "CustomResourceDefinition";

/// Reports each kind among `objects` once whose definition has an error in `sink`, and names the files
/// that cannot be read and can have the definition of an unknown kind.
pub fn report_unchecked(objects: &[Object], texts: &Workspace, sink: &mut Sink) {
    let found = sink.iter().filter(|finding| finding.severity == Severity::Error);
    let errors: SortedSet<Span> = found.map(|finding| finding.primary.span).collect();
    if errors.is_empty() {
        return;
    }
    let mut broken = broken_definitions(objects, &errors);
    for object in objects {
        let Some(definition) =
            broken.remove(&(object.gvk.group.as_str(), object.gvk.kind.as_str()))
        else {
            continue;
        };
        sink.report(not_fully_checked(object, definition));
    }
    let is_unknown = |finding: &&mut Diagnostic| {
        *finding.rule == SCHEMA_UNKNOWN && finding.details().secondary.is_empty()
    };
    let mut unread = None;
    for finding in sink.iter_mut().filter(is_unknown) {
        let file = *unread.get_or_insert_with(|| file_with_definition(texts, &errors));
        let Some(file) = file else { return };
        finding.add_note(message!("its definition may be in `{file}`, which has errors"));
    }
}

/// The definitions with errors, by group and kind.
fn broken_definitions<'o>(
    objects: &'o [Object],
    errors: &SortedSet<Span>,
) -> SortedMap<(&'o str, &'o str), &'o Object> {
    let definitions =
        objects.iter().filter(|object| object.gvk.is("apiextensions.k8s.io", DEFINITION));
    let has_error = |object: &&Object| {
        let within = object.document.start_point()..=object.document.end_point();
        errors.range(within).next().is_some()
    };
    definitions
        .filter(has_error)
        .filter_map(|object| Some((crd::defines(object)?, object)))
        .collect()
}

fn not_fully_checked(object: &Object, definition: &Object) -> Diagnostic {
    let (group, kind) = (&object.gvk.group, &object.gvk.kind);
    let at = object.root.entry("kind").map_or(object.document, |entry| entry.value.span());
    let message = message!("`{kind}` of `{group}` is not fully checked: its definition has errors");
    Diagnostic::new(&SCHEMA_UNKNOWN, at, message)
        .at("custom resource")
        .label(definition.name_span(), "has errors")
        .help("fix the definition, and run `check` again")
}

/// The first file with an error and the text of a definition.
fn file_with_definition<'t>(texts: &'t Workspace, errors: &SortedSet<Span>) -> Option<&'t str> {
    let ids: SortedSet<_> = errors.iter().map(|span| texts.file_at(*span).id()).collect();
    let mut files = ids.into_iter().map(|id| texts.file(id));
    files.find(|file| file.text().contains(DEFINITION)).map(crate::source::SourceFile::name)
}
