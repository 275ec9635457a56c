//! From the findings of all stages to those that a report shows.

pub(crate) mod consequence;
mod context;
pub(crate) mod exception;
pub(crate) mod grouping;
pub(crate) mod json;
pub(crate) mod levels;
pub(crate) mod placeholder;
pub(crate) mod rendered;
pub(crate) mod secrecy;

use std::cell::LazyCell;

use self::consequence::LeftOut;
use self::context::{Contexts, name_policy_files};
use self::exception::Held;
use self::grouping::Grouping;
use self::levels::Levels;
use self::rendered::Templates;
use crate::diag::{Diagnostic, Rule, message};
use crate::expand::reads_defined_value;
use crate::folder;
use crate::kube::InputObject;
use crate::project::{Applier, PROJECT_MISSING, Project};
use crate::schema;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, FileRole, Span, Workspace, offset};
use crate::validate::request::OBJECT_TOO_LARGE_TO_APPLY;

/// What the selection of findings reads.
pub(crate) struct Selection<'c> {
    pub(crate) workspace: &'c Workspace,
    pub(crate) project: &'c Project,
    pub(crate) levels: &'c Levels<'c>,
    /// Which findings become one.
    pub(crate) grouping: Grouping,
    /// Whether only the findings are required, and no objects.
    pub(crate) is_check: bool,
    /// Whether the findings keep the values of secrets.
    pub(crate) keeps_secrets: bool,
    /// The objects of the input, sorted by position.
    pub(crate) inputs: &'c [InputObject],
    /// The documents of Projects, and of kinds with a similar name.
    pub(crate) projects: Vec<Span>,
    /// The documents that cannot be read and are probably a Project.
    pub(crate) unread_projects: &'c [Span],
    /// Each definition and the one it extends.
    pub(crate) bases: &'c SortedMap<Span, Span>,
    /// The resources of kustomizations, each with the folder of one that lists it.
    pub(crate) kustomized: &'c SortedMap<FileId, String>,
    /// The ordinary objects whose expressions are evaluated.
    pub(crate) evaluated: &'c SortedSet<Span>,
    /// All rules, sorted by name; only computed if there is an exception.
    pub(crate) rules: LazyCell<Vec<&'static Rule>>,
}

/// The findings of a run, as [`Compilation`](crate::Compilation) has them.
pub(crate) struct Selected {
    /// Those to report, sorted by position.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Those that only follow from one of them.
    pub(crate) left_out: Vec<LeftOut>,
    /// The values of secrets near them.
    pub(crate) secrets: Vec<Span>,
    /// The number of findings that exceptions and levels suppress.
    pub(crate) allowed: usize,
}

impl Selection<'_> {
    /// Selects the findings that a report shows. Each step is a function from findings to findings.
    pub(crate) fn select(self, findings: Vec<Diagnostic>) -> Selected {
        let Self { workspace, project, inputs, bases, unread_projects, .. } = self;
        let templates = Templates::of(workspace);
        let contexts = Contexts::of(&self);
        let governing = self.governing();
        let projects = &self.projects;

        let exceptions = exception::ExceptionContext {
            texts: workspace,
            inputs,
            project,
            rules: self.rules,
            templates: &templates,
        };
        let Held { findings, allowed: excepted } = exception::hold(&exceptions, findings);
        let findings = of_named_files(workspace, &governing, findings);
        let is_value = |text: &str| reads_defined_value(text, &project.values);
        let is_definition = |place| contexts.is_definition(place);
        let findings = placeholder::replace(workspace, &is_value, &is_definition, findings);
        let findings = for_applier(project, findings);
        let findings = contexts.set_severities(findings);
        let findings = name_policy_files(workspace, findings);
        let (findings, not_reported) = self.levels.apply(findings);
        let origins = consequence::ObjectsOfRun { inputs, bases, projects, unread_projects };
        let (findings, mut left_out) = consequence::leave_out(origins, findings);
        let findings =
            grouping::group_by(self.grouping, workspace, findings, self.is_check, &mut left_out);
        let findings = json::rewrite_suggestions(workspace, findings);
        let mut diagnostics = name_templates(&templates, findings);
        let mut secrets = Vec::new();
        if !self.keeps_secrets {
            secrets = hide_secrets(workspace, &mut diagnostics, &mut left_out);
        }
        Selected { diagnostics, left_out, secrets, allowed: excepted + not_reported }
    }

    /// The Project of the run, or what could be it.
    fn governing(&self) -> SortedSet<FileId> {
        let places = match self.project.place {
            Some(place) => vec![place],
            None => self.projects.iter().chain(self.unread_projects).copied().collect(),
        };
        places.into_iter().map(|place| self.workspace.file_at(place).id()).collect()
    }
}

/// The findings on the requested files. The Project governs them, so its file counts too, and so does
/// a file that might contain it.
fn of_named_files(
    workspace: &Workspace,
    governing: &SortedSet<FileId>,
    mut findings: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    findings.retain(|finding| {
        let file = workspace.file_at(finding.primary.span);
        // Only a run over the whole project shows that an exception is not used.
        if file.role() == FileRole::Context && exception::is_unused(finding) {
            return false;
        }
        file.role() != FileRole::Context
            || governing.contains(&file.id())
            || file.unreadable().is_some()
            || finding.rule == &PROJECT_MISSING
    });
    findings
}

/// The findings without those about client-side apply, if another program applies the output.
fn for_applier(project: &Project, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    const OF_CLIENT: [&Rule; 2] = [&schema::ITEM_LOST_ON_APPLY, &OBJECT_TOO_LARGE_TO_APPLY];
    if !project.applier.is_none_or(Applier::is_client_side) {
        findings.retain(|finding| !OF_CLIENT.contains(&finding.rule));
    }
    findings
}

/// Adds the template that the document of a finding was rendered from.
fn name_templates(templates: &Templates<'_>, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for finding in &mut findings {
        if let Some(template) = templates.at(finding.primary.span) {
            finding.add_note(message!("the document is rendered from `{template}`"));
        }
    }
    findings
}

/// Hides secret values in findings, and returns those near them.
pub(crate) fn hide_secrets(
    workspace: &Workspace,
    diagnostics: &mut [Diagnostic],
    left_out: &mut [LeftOut],
) -> Vec<Span> {
    let following = left_out.iter_mut().map(|following| &mut following.finding);
    let all = diagnostics.iter_mut().chain(following).collect();
    let mut secrets = secrecy::redact(workspace, all);
    hide_other_files(workspace, diagnostics, &mut secrets);
    secrets
}

/// Hides what is in files of other programs, such as their credentials: a note about them only names
/// them.
fn hide_other_files(workspace: &Workspace, findings: &[Diagnostic], secrets: &mut Vec<Span>) {
    let of_rule = findings.iter().filter(|finding| *finding.rule == folder::FILE_NOT_A_MANIFEST);
    let before = secrets.len();
    secrets.extend(of_rule.map(|finding| {
        let file = workspace.file_at(finding.primary.span);
        Span::new(file.id(), 0, offset(file.text().len()))
    }));
    if secrets.len() > before {
        secrets.sort_unstable();
    }
}
