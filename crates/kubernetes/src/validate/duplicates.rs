//! Duplicate objects.

use super::objects::ObjectContext;
use crate::crd;
use crate::diag::{
    About, Diagnostic, ObjectName, Severity, Sink, declare_rules, first_of, message,
};
use crate::kube::{GroupVersionKind, Hook, Object, ObjectSet};
use crate::sorted::{CompactSort as _, SortedMap};
use crate::source::{FileId, FileRole};

declare_rules! {
    DEFINITION_AMBIGUOUS = "definition-ambiguous", Note;
    OBJECT_DUPLICATE = "object-duplicate", Error;
    OBJECT_IN_SEVERAL_FILES = "object-in-several-files", Warning;
}

/// The number of objects that the summary lists by name.
const MAX_NAMED: usize = 10;

/// The treatment of equal names in different files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AcrossFiles {
    /// The files are applied together: an error, as within one file.
    Together,
    /// The files may be alternatives, such as overlays and examples of a repository: one warning
    /// for all objects of manifests.
    Alternatives,
}

/// Reports each object whose kind, namespace and name equal those of an earlier one. The API
/// version is ignored, because the API server serves one object in all versions.
pub(super) fn check(cx: ObjectContext<'_>, set: &ObjectSet<'_>, sink: &mut Sink) {
    let mut repeated: Vec<(&Object, &Object)> = Vec::new();
    for mut objects in set.repeated().flat_map(created_together) {
        if let Some(finding) = ambiguous_definitions(cx, &objects) {
            sink.report(finding);
        }
        // A definition that is only known, for its kind, is not applied.
        objects.retain(|object| !is_known(cx, object));
        // Sorts by position, because compiled definitions follow the manifests.
        objects.compact_sort_by_key(|it| it.name_span());
        let Some(first) = objects.first().copied() else { continue };
        // The first object of each file and of each folder.
        let (mut of_files, mut of_folders) = (SortedMap::new(), SortedMap::new());
        for (number, object) in objects.into_iter().enumerate() {
            let same_file = *of_files.entry(file_of(cx, object)).or_insert(object);
            let near = *of_folders.entry(folder_of(cx, object)).or_insert(object);
            // With `generateName` the API server gives each object its own name.
            if number == 0 || object.name.is_empty() {
                continue;
            }
            let is_alternative = cx.across_files == AcrossFiles::Alternatives
                && !(first.is_compiled() || object.is_compiled());
            let earlier = Some(same_file).filter(|other| !std::ptr::eq(*other, object));
            match earlier {
                // Each rendered directory is a deployment of its own, such as an overlay.
                None if is_alternative && is_rendered(cx, first) && is_rendered(cx, object) => {}
                None if is_alternative => {
                    let near = Some(near).filter(|other| !std::ptr::eq(*other, object));
                    repeated.push((near.unwrap_or(first), object));
                }
                Some(earlier) if is_alternative => {
                    sink.report(duplicate_finding(cx, earlier, object));
                }
                _ => sink.report(duplicate_finding(cx, first, object)),
            }
        }
    }
    repeated.compact_sort_by_key(|(_, object)| object.name_span());
    if let Some(summary) = across_files(cx, &repeated) {
        sink.report(summary);
    }
}

/// Objects of one name, without those that never exist together: Helm and Argo CD create a hook at its events, and
/// not with the release.
fn created_together(objects: Vec<&Object>) -> Vec<Vec<&Object>> {
    if !objects.iter().any(|object| Hook::of(object).is_some()) {
        return vec![objects];
    }
    let mut groups: Vec<Vec<&Object>> = Vec::new();
    for object in objects {
        let meets = |group: &&mut Vec<&Object>| {
            group.first().is_some_and(|first| match (Hook::of(first), Hook::of(object)) {
                (None, None) => true,
                (Some(first), Some(other)) => first.shares_event(other),
                _ => false,
            })
        };
        match groups.iter_mut().find(meets) {
            Some(group) => group.push(object),
            None => groups.push(vec![object]),
        }
    }
    groups
}

/// Whether an object is in a text that a program made, and not in a file.
fn is_rendered(cx: ObjectContext<'_>, object: &Object) -> bool {
    !cx.texts.file_at(object.document).is_named()
}

/// Whether an object is only known, and not part of the output.
fn is_known(cx: ObjectContext<'_>, object: &Object) -> bool {
    matches!(cx.texts.role_at(object.document), FileRole::KnownKinds | FileRole::Policies)
}

/// A note where several definitions of a kind differ: which of them objects are compared with.
fn ambiguous_definitions(cx: ObjectContext<'_>, objects: &[&Object]) -> Option<Diagnostic> {
    let (group, kind) = crd::defines(objects.first()?)?;
    let used = cx.custom.find(group, kind)?.definition?;
    let definition = objects.iter().find(|object| object.name_span() == used)?;
    let different = objects.iter().filter(|object| !object.root.same_value(&definition.root));
    // In one file, or in output that is applied together, it is an error.
    let is_alternative = |object: &&&Object| {
        is_known(cx, object)
            || cx.across_files == AcrossFiles::Alternatives && !is_one_file(cx, object, definition)
    };
    let others: Vec<_> = different.filter(is_alternative).collect();
    if others.is_empty() {
        return None;
    }
    let count = others.len() + 1;
    let message =
        message!("{count} different CustomResourceDefinitions define `{kind}` of `{group}`");
    let finding = Diagnostic::new(&DEFINITION_AMBIGUOUS, used, message)
        .at("objects are compared with this one first")
        .note("which of them is installed is unknown: errors are warnings if another definition of the version accepts the object");
    let finding = others.iter().take(MAX_NAMED).fold(finding, |finding, other| {
        finding.label(other.name_span(), "another definition of the kind")
    });
    Some(finding.help("leave out definitions that are not installed: `--exclude FILE`"))
}

/// The folder of the file of an object.
fn folder_of<'c>(cx: ObjectContext<'c>, object: &Object) -> &'c str {
    cx.texts.file_at(object.document).name().rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The file of an object.
fn file_of(cx: ObjectContext<'_>, object: &Object) -> FileId {
    cx.texts.file_at(object.document).id()
}

fn is_one_file(cx: ObjectContext<'_>, one: &Object, other: &Object) -> bool {
    file_of(cx, one) == file_of(cx, other)
}

/// Reports all objects that are in several files in one warning.
fn across_files(cx: ObjectContext<'_>, repeated: &[(&Object, &Object)]) -> Option<Diagnostic> {
    // The files of one directory are often applied together; files of different directories are
    // often alternatives.
    let is_together =
        |(first, second): &&(&Object, &Object)| folder_of(cx, first) == folder_of(cx, second);
    let together = repeated.iter().find(is_together);
    let (first, second) = together.or(repeated.first())?;
    let names = repeated.iter().map(|(_, object)| {
        let (file, name) = (cx.texts.file_at(object.document).name(), object.describe());
        message!("{name} (`{file}`)")
    });
    let message = match repeated.len() {
        1 => message!("{} is defined in more than one file", second.describe()),
        count => message!("{count} objects are defined in more than one file"),
    };
    let finding = Diagnostic::new(&OBJECT_IN_SEVERAL_FILES, second.name_span(), message)
        .at("defined again here")
        .label(first.name_span(), "first defined here")
        .help("check directories that are not applied together in separate runs, or exclude some with `--exclude`");
    let severity = if together.is_some() { Severity::Warning } else { Severity::Note };
    let is_long = repeated.len() > 1;
    Some(finding.with_severity(severity).note_if(is_long.then(|| first_of(MAX_NAMED, ", ", names))))
}

fn duplicate_finding(cx: ObjectContext<'_>, first: &Object, second: &Object) -> Diagnostic {
    let (here, there) = (second.name_span(), first.name_span());
    let message = match (first.is_compiled(), second.is_compiled()) {
        (true, true) => message!("two definitions compile to {}", second.describe()),
        (false, false) => message!("duplicate object {}", second.describe()),
        _ => message!(
            "definition compiles to {}, which the input also has as a manifest",
            second.describe()
        ),
    };
    let GroupVersionKind { group, kind, .. } = &*second.gvk;
    let object = ObjectName::new(group, kind, &second.namespace, &second.name);
    let diagnostic = Diagnostic::new(&OBJECT_DUPLICATE, here, message)
        .path(&"metadata.name")
        .about(About::DuplicateObject(object));
    // The incomplete expression is reported with the name.
    let is_torn = second.name.contains(['{', '}']);
    let diagnostic = if is_torn { diagnostic.same_mistake_as(here) } else { diagnostic };
    if here == there {
        return diagnostic
            .at("generates the same name repeatedly")
            .help("use `{{ index }}`, `{{ item }}` or `{{ matrix }}` in `metadata.name`");
    }
    // Definitions with other names of their own: the object is not named after them.
    let names = [there, here].map(|span| cx.texts.slice(span));
    let is_named_otherwise = first.is_compiled()
        && second.is_compiled()
        && names[0] != names[1]
        && !names.iter().any(|name| name.contains("{{") || second.name.contains(*name));
    diagnostic.at("defined again here").label(there, "first defined here").help(
        if is_named_otherwise {
            "change the fields that the object is named after, or delete one of the definitions"
        } else {
            "rename one of them, or delete it"
        },
    )
}
