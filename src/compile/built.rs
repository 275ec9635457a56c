//! The output of earlier builds among the files of a directory, such as `build > out.yaml` writes.

use std::sync::Arc;

use lean_string::LeanStr;

use super::sort::object;
use crate::diag::Sink;
use crate::emit::{emit_list, emit_stream};
use crate::folder;
use crate::kube::{self, GroupVersionKind, Object, SharedKinds};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::yaml;

/// Drops the objects of files that `build` has printed: such a file has an object that a definition
/// compiles to, and each of its bytes is as `build` writes it, or `fmt` afterwards. Reports these files,
/// and returns them.
pub(super) fn drop_output(
    workspace: &Workspace,
    kinds: &SharedKinds,
    objects: &mut Vec<Object>,
    sink: &mut Sink,
) -> SortedSet<FileId> {
    let candidates = files_with_compiled_objects(workspace, objects);
    let is_output = |it: &FileId| is_printed(workspace, kinds, *it);
    let files: SortedSet<_> = candidates.into_iter().filter(is_output).collect();
    if !files.is_empty() {
        objects
            .retain(|it| it.is_compiled() || !files.contains(&workspace.file_at(it.document).id()));
        let found = files.iter().filter(|it| workspace.file(**it).role() == FileRole::Found);
        let found = found.map(|it| (workspace.file(*it).name().to_owned(), Span::new(*it, 0, 0)));
        if let Some(note) = folder::build_output(found.collect()) {
            sink.report(note);
        }
    }
    files
}

/// Kind, namespace and name.
type Key = (Arc<GroupVersionKind>, LeanStr, LeanStr);

/// The files of directories with an object that a definition of another file compiles to.
fn files_with_compiled_objects(workspace: &Workspace, objects: &[Object]) -> SortedSet<FileId> {
    let key = |it: &Object| -> Key { (it.gvk.clone(), it.namespace.clone(), it.name.clone()) };
    let of_directory = |it: &&Object| {
        let role = workspace.role_at(it.document);
        !it.is_compiled() && matches!(role, FileRole::Found | FileRole::Context)
    };
    let mut files: SortedMap<Key, Vec<FileId>> = SortedMap::new();
    if !objects.iter().any(Object::is_compiled) {
        return SortedSet::new();
    }
    for object in objects.iter().filter(of_directory) {
        files.entry(key(object)).or_default().push(workspace.file_at(object.document).id());
    }
    if files.is_empty() {
        return SortedSet::new();
    }
    let compiled = objects.iter().filter(|it| it.is_compiled());
    compiled.filter_map(|it| files.get(&key(it))).flatten().copied().collect()
}

/// Whether a file is exactly what `build` would print for its objects, also in the layout of `fmt`.
fn is_printed(workspace: &Workspace, kinds: &SharedKinds, file: FileId) -> bool {
    let text = workspace.file(file).text();
    let mut sink = Sink::new();
    let budget = &mut yaml::Budget::default();
    let documents = yaml::documents_within(file, text, budget, &mut sink);
    if !documents.unread.is_empty() {
        return false;
    }
    let documents = documents.read.into_iter().map(|it| (it.root, it.span));
    let roots = documents.flat_map(|(root, span)| kube::items_of_list(root, span));
    let objects: Vec<_> = roots.map(|(root, span)| object(root, span, kinds)).collect();
    if text.starts_with('{') && text == emit_list(&objects) {
        return true;
    }
    let printed = emit_stream(&objects);
    text == printed || yaml::layout(file, &printed).is_ok_and(|it| it == text)
}
