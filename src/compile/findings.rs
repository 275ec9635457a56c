//! The last stage: selects the findings that a report shows.

use std::cell::{LazyCell, RefCell};

use super::levels::Levels;
use super::projects::is_like_project;
use super::read::has_expressions;
use super::{Grouping, Options, json};
use crate::consequence::{self, LeftOut, leave_out};
use crate::diag::{About, CommonCause, Diagnostic, Severity, message};
use crate::exception::{self, Held};
use crate::expand::reads_defined_value;
use crate::folder;
use crate::grouping;
use crate::kube::InputObject;
use crate::lower::{API_GROUP, may_have_definitions};
use crate::placeholder;
use crate::project::{PROJECT_MISSING, Project};
use crate::rendered::Templates;
use crate::rules;
use crate::secrecy;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, FileRole, Span, Workspace, offset};

/// The inputs of the selection of findings.
pub(super) struct Cx<'c> {
    pub(super) workspace: &'c Workspace,
    pub(super) options: &'c Options,
    pub(super) project: &'c Project,
    pub(super) levels: &'c Levels<'c>,
    pub(super) inputs: &'c [InputObject],
    /// Each definition and the one it extends.
    pub(super) bases: &'c SortedMap<Span, Span>,
    /// The resources of kustomizations, each with the folder of one that lists it.
    pub(super) kustomized: &'c SortedMap<FileId, String>,
    /// The documents that cannot be read and are probably a Project.
    pub(super) unread_projects: &'c [Span],
    /// The ordinary objects whose expressions are evaluated.
    pub(super) evaluated: &'c SortedSet<Span>,
}

/// The findings of a run, as [`Compilation`](super::Compilation) has them.
pub(super) struct Finished {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) secrets: Vec<Span>,
    pub(super) allowed: usize,
}

impl Cx<'_> {
    /// Applies the exceptions, then recognizes placeholders, then leaves out what only follows from another finding, then groups
    /// what has one cause, then hides the values of secrets.
    pub(super) fn finish(&self, findings: Vec<Diagnostic>) -> Finished {
        let Self {
            workspace,
            options,
            project,
            levels,
            inputs,
            bases,
            kustomized,
            unread_projects,
            evaluated,
        } = *self;
        let rules = LazyCell::new(rules::all as fn() -> _);
        let templates = &Templates::of(workspace);
        let exceptions = exception::Cx { texts: workspace, inputs, project, rules, templates };
        let Held { findings, mut allowed } = exception::hold(&exceptions, findings);
        let projects: Vec<_> =
            inputs.iter().filter(|it| is_like_project(it)).map(|it| it.place).collect();
        let mut governing = project.place.map_or_else(Vec::new, |it| vec![it]);
        if governing.is_empty() {
            governing.extend(projects.iter().chain(unread_projects));
        }
        let findings = of_named_files(workspace, &governing, findings);
        // For a document that cannot be read, the text of its file decides, which can be large.
        let has_definitions = RefCell::new(SortedMap::new());
        let is_in_definitions = |place| {
            let file = workspace.file_at(place);
            let contains = || may_have_definitions(file.text());
            *has_definitions.borrow_mut().entry(file.id()).or_insert_with(contains)
        };
        let is_definition = |place| {
            let object = InputObject::index_at(inputs, place).and_then(|it| inputs.get(it));
            // The finding is about the value of the expression.
            if object.is_some_and(|it| evaluated.contains(&it.place))
                && has_expressions(workspace.slice(place))
            {
                return true;
            }
            object.map_or_else(|| is_in_definitions(place), |it| it.gvk.group == API_GROUP)
        };
        let is_value = |text: &str| reads_defined_value(text, &project.values);
        let mut findings = placeholder::replace(workspace, &is_value, &is_definition, findings);
        // `build` prints the objects unchanged, so its findings keep their severity.
        if options.findings_alone {
            for finding in &mut findings {
                let place = finding.primary.span;
                if let Some(folder) = kustomized.get(&workspace.file_at(place).id())
                    && !is_definition(place)
                {
                    soften_incomplete(finding, folder);
                }
            }
        }
        allowed += levels.apply(&mut findings);
        for finding in &mut findings {
            name_policy_file(workspace, finding, options.findings_alone);
        }
        json::rewrite_suggestions(workspace, &mut findings);
        let (mut diagnostics, mut left_out) = leave_out(
            consequence::Cx { inputs, bases, projects: &projects, unread_projects },
            findings,
        );
        diagnostics = match options.grouping {
            Grouping::None => diagnostics,
            Grouping::ByPlace => grouping::group_by_place(diagnostics, &mut left_out),
            Grouping::ByCause => {
                let is_check = options.findings_alone;
                grouping::group(workspace, diagnostics, is_check, &mut left_out)
            }
        };
        name_templates(templates, &mut diagnostics);
        let secrets = if options.keeps_secrets {
            Vec::new()
        } else {
            hide_secrets(workspace, &mut diagnostics, &mut left_out)
        };
        Finished { diagnostics, left_out, secrets, allowed }
    }
}

/// Hides secret values in findings, and returns those near them.
pub(super) fn hide_secrets(
    workspace: &Workspace,
    diagnostics: &mut [Diagnostic],
    left_out: &mut [LeftOut],
) -> Vec<Span> {
    let following = left_out.iter_mut().map(|it| &mut it.finding);
    let all = diagnostics.iter_mut().chain(following).collect();
    let mut secrets = secrecy::redact(workspace, all);
    hide_other_files(workspace, diagnostics, &mut secrets);
    secrets
}

/// Hides what is in files of other programs, such as their credentials: a note about them only names
/// them.
fn hide_other_files(workspace: &Workspace, findings: &[Diagnostic], secrets: &mut Vec<Span>) {
    let of_rule = findings.iter().filter(|it| *it.rule == folder::FILE_NOT_A_MANIFEST);
    let before = secrets.len();
    secrets.extend(of_rule.map(|finding| {
        let file = workspace.file_at(finding.primary.span);
        Span::new(file.id(), 0, offset(file.text().len()))
    }));
    if secrets.len() > before {
        secrets.sort_unstable();
    }
}

/// Adds the template that the document of a finding was rendered from.
fn name_templates(templates: &Templates<'_>, findings: &mut [Diagnostic]) {
    for finding in findings {
        if let Some(template) = templates.at(finding.primary.span) {
            finding.add_note(message!("the document is rendered from `{template}`"));
        }
    }
}

/// Adds the file of a policy of the input, if it is another one, and how to leave it out. A policy
/// that is an example may not be applied with the objects of other directories, so `check` of a
/// directory only warns about those.
fn name_policy_file(workspace: &Workspace, finding: &mut Diagnostic, findings_alone: bool) {
    let Some(CommonCause::Decision(policy, _)) = finding.details().common_cause else { return };
    let (file, own) = (workspace.file_at(policy), workspace.file_at(finding.primary.span));
    if file.id() == own.id() || file.role() == FileRole::Policies {
        return;
    }
    let name = file.name();
    finding.add_note(message!("the policy is in `{name}`"));
    if file.role() == FileRole::Found {
        let is_apart = folder::is_example(name) && !folder::is_within(own.name(), name);
        if findings_alone
            && own.role() == FileRole::Found
            && is_apart
            && finding.severity == Severity::Error
        {
            finding.severity = Severity::Warning;
            let help = "if it is for this object, name its directory: `--policies DIRECTORY`";
            finding.add_help(help);
        }
        let help = message!("if it is not for this object, exclude it: `--exclude {name}`");
        finding.add_help(help);
    }
}

/// A resource of a kustomization can lack what the kustomization adds: a namespace, labels and their
/// selectors, generated ConfigMaps and keys of them, the values of variables.
fn soften_incomplete(finding: &mut Diagnostic, folder: &str) {
    let is_absent = matches!(
        finding.details().about,
        About::AbsentObject(_) | About::AbsentDataKey | About::MissingField(_)
    );
    let is_open = is_absent || placeholder::is_placeholder(finding);
    if !is_open || finding.is_policy || finding.severity == Severity::Note {
        return;
    }
    let folder = if folder.is_empty() { "." } else { folder };
    finding.severity = Severity::Note;
    finding.details_mut().common_cause.get_or_insert(CommonCause::Kustomization);
    finding.replace_help(
        "the kustomization that lists this file can add it",
        message!("check what is applied: `sandboxc check --render {folder}`"),
    );
}

/// The findings on the requested files. The Project governs them, so its file counts too, and so does
/// a file that might contain it.
fn of_named_files(
    workspace: &Workspace,
    governing: &[Span],
    mut findings: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let governing: SortedSet<_> = governing.iter().map(|it| workspace.file_at(*it).id()).collect();
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
