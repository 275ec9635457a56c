//! `migrate`: objects of removed and deprecated versions become objects of their replacement, in the
//! source.
//!
//! An object is converted as a tree, and `rewrite` turns the difference into an edit, so comments and
//! layout are kept. All edits of a file are read again: an edit after which a document is not the
//! intended one, because of an anchor for example, is not applied.

mod apply;
mod kustomization;
mod objects;
mod settings;
#[cfg(test)]
mod tests;

use self::objects::Run;
use self::settings::Settings;
use crate::compile::Options;
use crate::diag::Sink;
use crate::edited::Edited;
use crate::folder::{self, Skipped, Why};
use crate::format::{is_template, skips};
use crate::source::{FileId, FileRole, Workspace};
use crate::tree::Node;
use crate::yaml;

/// The result of [`migrate`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Migrated {
    /// The files after the changes, and the findings.
    pub edited: Edited,
    /// The number of converted objects.
    pub objects: usize,
}

/// A document of the input.
#[derive(Debug)]
struct Document {
    file: FileId,
    /// The position of the file in the workspace.
    position: usize,
    root: Node,
    /// Whether it can be changed, and is not only read for the others.
    is_input: bool,
    /// Whether it is merged over an object, and only has a part of it.
    is_patch: bool,
    is_kustomization: bool,
}

/// Converts the objects of a workspace that have a removed or deprecated version to the version that
/// replaces it in the target version of [`Options::kubernetes`].
///
/// Only files that were named or found in a directory change, and only the lines that must. An object
/// that cannot be converted is a finding, and is kept as it is. Migrating the result changes nothing.
///
/// ```
/// use sandboxc::{Options, Workspace, migrate};
///
/// let mut workspace = Workspace::new();
/// let job = "apiVersion: batch/v1beta1 # old\nkind: CronJob\nmetadata: {name: a}\n";
/// workspace.add("job.yaml", job);
/// let migrated = migrate(&workspace, &Options::default());
/// let [change] = &migrated.edited.changes(&workspace)[..] else { panic!("one file") };
/// assert_eq!(change.after, job.replace("v1beta1", "v1"));
/// ```
#[must_use]
pub fn migrate(workspace: &Workspace, options: &Options) -> Migrated {
    let mut sink = Sink::new();
    let (documents, settings) = read(workspace, options, &mut sink);
    let mut run = Run::new(workspace, &documents, settings);
    let changed = run.convert(&documents);
    let applied = apply::apply(workspace, &documents, changed);
    run.findings.into_iter().for_each(|it| sink.report(it));
    let objects = applied.objects;
    applied.findings.into_iter().for_each(|it| sink.report(it));
    Migrated { edited: Edited::new(workspace, applied.texts, sink), objects }
}

/// Reads the files as `fmt` does, and those around them.
fn read(workspace: &Workspace, options: &Options, sink: &mut Sink) -> (Vec<Document>, Settings) {
    let mut skipped = Skipped::find(workspace);
    let (mut documents, mut budget) = (Vec::new(), yaml::Budget::default());
    for (position, file) in workspace.ids().enumerate() {
        let role = workspace.file(file).role();
        let is_input = matches!(role, FileRole::Named | FileRole::Found);
        let is_read = is_input || role == FileRole::Context;
        let is_patch = is_read && skipped.is_patch(workspace, file);
        let is_kustomization = folder::has_kustomization_name(workspace.file(file).name());
        let mut is_skipped = || skipped.contains(file) || skips(workspace, file, &mut skipped);
        if !is_read || !is_patch && !is_kustomization && is_skipped() {
            continue;
        }
        if is_kustomization {
            skipped.read_kustomization(workspace, file);
        }
        let mut findings = Sink::new();
        let mut roots = Vec::new();
        if yaml::check_file(file, workspace.file(file), &mut findings).is_ok() {
            let text = workspace.file(file).text();
            let read = yaml::documents_within(file, text, &mut budget, &mut findings).read;
            roots.extend(read.into_iter().map(|it| it.root));
        }
        if is_patch {
            // A JSON patch has no version.
            roots.retain(|it| findings.reported().is_none() && folder::is_manifest(it));
            findings = Sink::new();
        }
        let is_manifest = is_patch || is_kustomization || roots.iter().any(folder::is_manifest);
        if findings.reported().is_none() {
            if !is_manifest && role == FileRole::Found {
                skipped.add(workspace, file, Why::Other);
            }
        } else if is_template(workspace, file, &findings) {
            skipped.add(workspace, file, Why::Template);
            continue;
        } else if is_input {
            // A file with a fault is not changed: its objects are not certain.
            sink.absorb(findings);
            continue;
        }
        let is_input = workspace.file(file).can_change();
        let document =
            |root| Document { file, position, root, is_input, is_patch, is_kustomization };
        documents.extend(roots.into_iter().map(document));
    }
    let mut notes = Sink::new();
    skipped.report(workspace, &mut notes);
    notes.into_sorted().into_iter().for_each(|it| sink.report(it.without_advice()));
    let settings = Settings::of(workspace, &documents, options);
    (documents, settings)
}
