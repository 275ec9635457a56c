//! The result of a run, and of several runs together.

use super::options::Options;
use crate::crd::description::System;
use crate::diag::{Diagnostic, Severity};
use crate::findings::consequence::LeftOut;
use crate::findings::hide_secrets;
use crate::kube::{InputObject, Object, Remarks};
use crate::lower::ObjectKey;
use crate::parallel::ordered_map;
use crate::project::{Applier, Project};
use crate::schema::Versions;
use crate::source::{Span, Workspace};

/// The result of a run: the objects in apply order, and the findings.
#[derive(Debug)]
pub struct Compilation {
    /// The objects, in apply order. Do not use them if a diagnostic is an error.
    pub objects: Vec<Object>,
    /// The objects, definitions and the Project of the input, sorted by position.
    pub inputs: Vec<InputObject>,
    /// The number of compiled files: neither skipped nor only read for context.
    pub files: usize,
    /// The findings, sorted by position, without the values of secrets.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that only follow from one of the diagnostics, which is at least as severe. They do
    /// not contain the values of secrets either.
    pub left_out: Vec<LeftOut>,
    /// The values of secrets in files with findings, sorted. Call [`Workspace::mask`] with them
    /// before you show source text of the workspace, as every report with excerpts does.
    pub secrets: Vec<Span>,
    /// The number of findings that exceptions suppress.
    pub allowed: usize,
    /// The human-readable summaries of the systems, such as the quota table of Nodepool. Empty
    /// unless requested.
    pub summaries: Vec<String>,
    /// Remarks on objects that controllers create. Empty for other compilations.
    pub remarks: Remarks,
    /// Whether warnings fail the run, as the Project or [`Options::levels`] demand.
    pub is_strict: bool,
    /// The settings by which the input was judged; several if it has several projects.
    pub judged: Vec<Judged>,
    /// The selected environment of the Project.
    pub(crate) environment: Option<String>,
    /// The program that applies the output, if all Projects name one.
    pub(crate) applier: Option<Applier>,
    /// The known custom resources that are not part of the output. Empty unless objects are compared.
    pub(crate) kinds: Kinds,
    /// The objects that definitions with errors would have been compiled to.
    pub(crate) missing: Vec<ObjectKey>,
    /// Objects that were only checked, unless there are many findings: see [`release`](Self::release).
    pub(crate) checked: Vec<Object>,
}

/// Custom resources that are known without being part of the output.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    /// The systems that install some.
    pub(crate) systems: Vec<&'static System>,
    /// Definitions in files that are only read for context.
    pub(crate) definitions: Vec<Object>,
}

/// The settings by which one project was judged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Judged {
    /// The name of the file with the Project, if there is one.
    pub project: Option<String>,
    /// The versions whose API servers must accept the output.
    pub kubernetes: Versions,
    /// The selected environment of the Project.
    pub environment: Option<String>,
}

impl Judged {
    pub(super) fn of(workspace: &Workspace, project: &Project, options: &Options) -> Self {
        Self {
            project: project.place.map(|place| workspace.file_at(place).name().to_owned()),
            kubernetes: project.kubernetes,
            environment: options.environment.clone(),
        }
    }
}

/// How the inputs of two compilations are related.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// They are different projects.
    Projects,
    /// They are one input in different environments.
    Environments,
}

impl Compilation {
    /// Whether the output must not be used.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Releases the memory of objects that were only checked, which takes as long as a part of the checks. A process
    /// that ends soon need not.
    pub fn release(&mut self) {
        ordered_map(std::mem::take(&mut self.checked), drop);
    }

    /// Hides the values of secrets, if the options keep them.
    pub(crate) fn hide_secrets(&mut self, workspace: &Workspace) {
        let Self { diagnostics, left_out, secrets, .. } = self;
        *secrets = hide_secrets(workspace, diagnostics, left_out);
    }

    /// Adds the results of another run. The findings of environments are joined by their places, and their objects
    /// are not those of one output: the caller has taken both.
    pub(super) fn join(&mut self, other: Self, relation: Relation) {
        self.left_out.extend(other.left_out);
        self.secrets.extend(other.secrets);
        self.summaries.extend(other.summaries);
        self.judged.extend(other.judged);
        self.is_strict |= other.is_strict;
        self.applier = self.applier.filter(|applier| other.applier == Some(*applier));
        if relation == Relation::Environments {
            self.allowed = self.allowed.max(other.allowed);
            return;
        }
        self.allowed += other.allowed;
        self.files += other.files;
        self.objects.extend(other.objects);
        self.inputs.extend(other.inputs);
        self.diagnostics.extend(other.diagnostics);
        self.remarks.extend(other.remarks);
        self.missing.extend(other.missing);
        self.kinds.systems.extend(other.kinds.systems);
        self.kinds.definitions.extend(other.kinds.definitions);
        self.checked.extend(other.checked);
    }

    /// Sorts the spans of secrets, each of which is one span.
    pub(super) fn sort_secrets(&mut self) {
        self.secrets.sort_unstable();
        self.secrets.dedup();
    }
}
