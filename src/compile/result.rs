//! The last stage: what a run returns.

use std::cell::LazyCell;

use super::Run;
use super::compilation::{Compilation, Judged, Kinds};
use super::creation::Created;
use super::lowering::Lowered;
use super::options::{Options, Purpose};
use super::prepare::{Input, Settings};
use super::projects::is_like_project;
use crate::diag::Sink;
use crate::effective;
use crate::emit::in_apply_order;
use crate::findings::levels::Levels;
use crate::findings::{Selected, Selection};
use crate::kube::{self, InputObject, Object};
use crate::parallel::ordered_map;
use crate::rules;
use crate::sorted::SortedSet;
use crate::source::{FileId, FileRole, Workspace};

/// The number of findings whose report needs little memory compared with the objects.
const FEW: usize = 1_000;

/// Whether an object of the files is part of the input: it is neither around it nor in one of the
/// files that `build` has printed.
fn is_judged(workspace: &Workspace, built: &SortedSet<FileId>, input: &InputObject) -> bool {
    let file = workspace.file_at(input.place);
    file.role() != FileRole::Context && !built.contains(&file.id())
}

/// The number of files that were found in directories.
fn count_found(workspace: &Workspace, files: &SortedSet<FileId>) -> usize {
    files.iter().filter(|file| workspace.file(**file).role() == FileRole::Found).count()
}

/// What a run returns.
pub(super) fn result_of(
    Run { workspace, options, .. }: Run<'_>,
    input: Input<'_>,
    settings: &Settings,
    lowered: Lowered,
    created: Created,
    mut sink: Sink,
) -> Compilation {
    let project = &settings.project;
    let rules = LazyCell::new(rules::all as fn() -> _);
    let levels = Levels::of(project, &options.levels, &rules, &mut sink);
    let mut findings = sink.into_sorted_for(project.kubernetes);
    effective::attach(created.conditions, &mut findings);
    let is_like_project = |object: &&InputObject| is_like_project(object);
    let selection = Selection {
        workspace,
        project,
        levels: &levels,
        grouping: options.grouping,
        is_check: options.purpose == Purpose::Check,
        keeps_secrets: options.keeps_secrets,
        inputs: &input.inputs,
        projects: input.inputs.iter().filter(is_like_project).map(|object| object.place).collect(),
        unread_projects: &input.unread_projects,
        bases: &lowered.bases,
        kustomized: &input.kustomized,
        evaluated: &input.evaluated,
        rules,
    };
    let Selected { diagnostics, left_out, secrets, allowed } = selection.select(findings);
    let is_strict = levels.denies_warnings;
    let kinds = Kinds::of(options, &created.objects, workspace, settings);
    let (objects, checked) = parted(created.objects, workspace, options.purpose, diagnostics.len());
    let Input { mut inputs, files, .. } = input;
    inputs.retain(|object| is_judged(workspace, &lowered.built, object));
    Compilation {
        objects,
        inputs,
        files: files.saturating_sub(count_found(workspace, &lowered.built)),
        diagnostics,
        left_out,
        secrets,
        allowed,
        summaries: lowered.summaries,
        remarks: created.remarks,
        is_strict,
        judged: vec![Judged::of(workspace, project, options)],
        environment: options.environment.clone(),
        applier: project.applier,
        kinds,
        missing: lowered.broken.into_iter().flat_map(|broken| broken.objects).collect(),
        checked,
    }
}

/// The objects of the output, in apply order, and those that were only checked.
fn parted(
    mut objects: Vec<Object>,
    workspace: &Workspace,
    purpose: Purpose,
    findings: usize,
) -> (Vec<Object>, Vec<Object>) {
    if purpose == Purpose::Check {
        if findings <= FEW {
            return (Vec::new(), objects);
        }
        // To release the memory of all trees takes a while.
        ordered_map(objects, drop);
        return (Vec::new(), Vec::new());
    }
    let is_input = |place| matches!(workspace.role_at(place), FileRole::Named | FileRole::Found);
    objects.retain(|object| is_input(object.document));
    (in_apply_order(canonical(objects)), Vec::new())
}

/// The objects; compiled ones are in the form in which the API server returns them.
fn canonical(mut objects: Vec<Object>) -> Vec<Object> {
    for object in objects.iter_mut().filter(|it| it.is_compiled()) {
        kube::canonicalize(&mut object.root, &object.gvk);
    }
    objects
}

impl Kinds {
    /// What a comparison of the objects needs.
    fn of(
        options: &Options,
        objects: &[Object],
        workspace: &Workspace,
        settings: &Settings,
    ) -> Self {
        if !matches!(options.purpose, Purpose::Compare | Purpose::Test(_)) {
            return Self::default();
        }
        let is_known = |object: &&Object| {
            object.gvk.is("apiextensions.k8s.io", "CustomResourceDefinition")
                && !matches!(workspace.role_at(object.document), FileRole::Named | FileRole::Found)
        };
        let definitions = objects.iter().filter(is_known).cloned().collect();
        Self { systems: settings.systems().collect(), definitions }
    }
}
