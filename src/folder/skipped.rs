//! The files of a run that are not compiled, and the notes about them.

use std::collections::{BTreeMap, BTreeSet};

use super::path::folder_of;
use super::{chart, kustomization};
use crate::diag::{Diagnostic, Sink, declare_rules};
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::yaml;

declare_rules! {
    FILE_NOT_A_MANIFEST = "file-not-a-manifest", Note;
    HELM_CHART_SKIPPED = "helm-chart-skipped", Note;
    KUSTOMIZATION_SKIPPED = "kustomization-skipped", Note;
}

/// The number of files or folders that a note lists by name.
const MOST_NAMED: usize = 10;

/// The skipped files, by reason.
#[derive(Debug, Default)]
pub(crate) struct Skipped {
    /// The folders of Helm charts, each with the span to show.
    charts: BTreeMap<String, Span>,
    /// Kustomizations, by name.
    kustomizations: BTreeMap<String, Span>,
    /// Files without `apiVersion` and `kind`, in the order of the run.
    others: Vec<(String, Span)>,
    /// All files that are not compiled.
    files: BTreeSet<FileId>,
}

impl Skipped {
    /// Finds charts, and kustomizations with their patches, among the files that were found in
    /// folders.
    pub(crate) fn find(workspace: &Workspace) -> Self {
        let mut skipped = Self::default();
        let files = workspace.ids().map(|id| workspace.file(id));
        let found: Vec<_> = files.filter(|it| it.role() == FileRole::Found).collect();
        let names: Vec<_> = found.iter().map(|it| it.name()).collect();
        let charts = chart::charts(&names);
        let mut parts = BTreeSet::new();
        for file in &found {
            let place = Span::new(file.id(), 0, 0);
            if let Some(chart) = charts.iter().find(|chart| chart::is_part(file.name(), chart)) {
                skipped.files.insert(file.id());
                let shown = skipped.charts.entry(chart.clone()).or_insert(place);
                if file.name() == format!("{chart}/Chart.yaml") {
                    *shown = place;
                }
            } else if kustomization::has_name(file.name()) {
                let read =
                    yaml::documents(file.id(), file.text(), |_| {}, &mut Sink::unused()).read;
                for document in read {
                    parts.extend(kustomization::parts(file.name(), &document.root));
                }
                skipped.files.insert(file.id());
                skipped.kustomizations.insert(file.name().to_owned(), place);
            }
        }
        let is_part = |name: &str| parts.contains(name);
        let of_parts = found.iter().filter(|file| is_part(file.name()));
        skipped.files.extend(of_parts.map(|file| file.id()));
        skipped
    }

    /// Whether a file is skipped.
    pub(crate) fn contains(&self, file: FileId) -> bool {
        self.files.contains(&file)
    }

    /// The number of compiled files: neither skipped nor only read for context.
    pub(crate) fn compiled_files(&self, workspace: &Workspace) -> usize {
        let role = |file: FileId| workspace.file(file).role();
        let is_context = |file| matches!(role(file), FileRole::Context | FileRole::Values);
        workspace.ids().filter(|it| !self.contains(*it) && !is_context(*it)).count()
    }

    /// Skips a file without a manifest.
    pub(crate) fn add_other(&mut self, workspace: &Workspace, file: FileId) {
        self.files.insert(file);
        self.others.push((workspace.file(file).name().to_owned(), Span::new(file, 0, 0)));
    }

    /// Notes a kustomization that was found by its kind.
    pub(crate) fn add_kustomization(&mut self, workspace: &Workspace, document: Span) {
        let name = workspace.file_at(document).name().to_owned();
        self.kustomizations.entry(name).or_insert(document);
    }

    /// Reports what was skipped: one note for each reason.
    pub(crate) fn report(self, sink: &mut Sink) {
        let Self { charts, kustomizations, others, files: _ } = self;
        let charts: Vec<_> = charts.into_iter().collect();
        if let Some((folder, place)) = charts.first() {
            let folder = if folder.is_empty() { "." } else { folder };
            sink.report(
                Diagnostic::new(
                    &HELM_CHART_SKIPPED,
                    *place,
                    skipped(charts.len(), "Helm chart", "its templates are not rendered"),
                )
                .help(format!("render it: `helm template {folder} | sandboxc check -`"))
                .note_if(list(&charts)),
            );
        }
        let kustomizations: Vec<_> = kustomizations.into_iter().collect();
        if let Some((file, place)) = kustomizations.first() {
            let folder = Some(folder_of(file)).filter(|it| !it.is_empty()).unwrap_or(".");
            sink.report(
                Diagnostic::new(
                    &KUSTOMIZATION_SKIPPED,
                    *place,
                    skipped(
                        kustomizations.len(),
                        "kustomization",
                        "its patches are not whole objects",
                    ),
                )
                .help(format!("build it: `kubectl kustomize {folder} | sandboxc check -`"))
                .note_if(list(&kustomizations)),
            );
        }
        if let Some((_, place)) = others.first() {
            sink.report(
                Diagnostic::new(
                    &FILE_NOT_A_MANIFEST,
                    *place,
                    skipped(others.len(), "file", "no `apiVersion` and no `kind`"),
                )
                .note_if(list(&others)),
            );
        }
    }
}

/// `skipped 3 Helm charts: ...`.
fn skipped(count: usize, noun: &str, reason: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    let reason = if count == 1 { reason.to_owned() } else { reason.replacen("its ", "their ", 1) };
    format!("skipped {count} {noun}{plural}: {reason}")
}

/// The names after the first, which the source excerpt shows already.
fn list(all: &[(String, Span)]) -> Option<String> {
    let named: Vec<_> = all.iter().take(MOST_NAMED).map(|(name, _)| format!("`{name}`")).collect();
    let more = all.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (all.len() > 1).then(|| format!("{}{more}", named.join(", ")))
}
