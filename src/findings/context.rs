//! Severities that depend on where a finding is, and not only on its rule.

use std::cell::RefCell;

use super::{Selection, placeholder};
use crate::diag::{About, CommonCause, Diagnostic, Severity, message};
use crate::folder;
use crate::kube::InputObject;
use crate::lower::{API_GROUP, may_have_definitions};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, FileRole, SourceFile, Span, Workspace};
use crate::unevaluated::has_expressions;

/// The contexts of the findings of a run.
pub(super) struct Contexts<'c> {
    workspace: &'c Workspace,
    is_check: bool,
    inputs: &'c [InputObject],
    evaluated: &'c SortedSet<Span>,
    kustomized: &'c SortedMap<FileId, String>,
    /// Whether each file may have definitions. For a document that cannot be read, the text of its file decides,
    /// which can be large.
    has_definitions: RefCell<SortedMap<FileId, bool>>,
}

/// What changes the severity of a finding.
enum Context<'c> {
    /// A resource of the kustomization in a folder can lack what the kustomization adds: a namespace, labels and
    /// their selectors, generated ConfigMaps and keys of them, the values of variables.
    Kustomized { folder: &'c str },
    /// A policy that is an example may not be applied with the objects of other directories.
    ExamplePolicy,
}

impl Context<'_> {
    fn severity(&self) -> Severity {
        match self {
            Self::Kustomized { .. } => Severity::Note,
            Self::ExamplePolicy => Severity::Warning,
        }
    }

    /// Adds what the severity depends on.
    fn explain(&self, finding: &mut Diagnostic) {
        match self {
            Self::Kustomized { folder } => {
                let folder = if folder.is_empty() { "." } else { folder };
                finding.details_mut().common_cause.get_or_insert(CommonCause::Kustomization);
                finding.replace_help(
                    "the kustomization that lists this file can add it",
                    message!("check what is applied: `sandboxc check --render {folder}`"),
                );
            }
            Self::ExamplePolicy => finding
                .add_help("if it is for this object, name its directory: `--policies DIRECTORY`"),
        }
    }
}

impl<'c> Contexts<'c> {
    pub(super) fn of(selection: &Selection<'c>) -> Self {
        let Selection { workspace, is_check, inputs, evaluated, kustomized, .. } = *selection;
        let has_definitions = RefCell::default();
        Self { workspace, is_check, inputs, evaluated, kustomized, has_definitions }
    }

    /// Whether a place is in a definition, or in an ordinary object with expressions that are evaluated: a finding
    /// is about the value of an expression then.
    pub(super) fn is_definition(&self, place: Span) -> bool {
        let index = InputObject::index_at(self.inputs, place);
        let Some(object) = index.and_then(|index| self.inputs.get(index)) else {
            return self.may_have_definitions(place);
        };
        let is_evaluated = || has_expressions(self.workspace.slice(place));
        object.gvk.group == API_GROUP || self.evaluated.contains(&object.place) && is_evaluated()
    }

    fn may_have_definitions(&self, place: Span) -> bool {
        let file = self.workspace.file_at(place);
        let contains = || may_have_definitions(file.text());
        *self.has_definitions.borrow_mut().entry(file.id()).or_insert_with(contains)
    }

    /// Sets the severities of findings.
    pub(super) fn set_severities(&self, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for finding in &mut findings {
            let context = self.kustomized(finding).or_else(|| self.example_policy(finding));
            if let Some(context) = context {
                finding.severity = context.severity();
                context.explain(finding);
            }
        }
        findings
    }

    /// `build` prints the objects unchanged, so its findings keep their severity.
    fn kustomized(&self, finding: &Diagnostic) -> Option<Context<'c>> {
        if !self.is_check || self.kustomized.is_empty() || finding.is_policy {
            return None;
        }
        let is_absent = matches!(
            finding.details().about,
            About::AbsentObject(_) | About::AbsentDataKey | About::MissingField(_)
        );
        let is_open = is_absent || placeholder::is_placeholder(finding);
        if !is_open || finding.severity == Severity::Note {
            return None;
        }
        let place = finding.primary.span;
        let folder = self.kustomized.get(&self.workspace.file_at(place).id())?;
        (!self.is_definition(place)).then_some(Context::Kustomized { folder })
    }

    fn example_policy(&self, finding: &Diagnostic) -> Option<Context<'c>> {
        let (policy, own) = policy_and_own_file(self.workspace, finding)?;
        let are_found = [policy, own].iter().all(|file| file.role() == FileRole::Found);
        let is_apart =
            folder::is_example(policy.name()) && !folder::is_within(own.name(), policy.name());
        let is_error = finding.severity == Severity::Error;
        (self.is_check && is_error && are_found && is_apart).then_some(Context::ExamplePolicy)
    }
}

/// Adds the file of the policy that findings are about, if it is another file of the input, and how to leave it
/// out.
pub(super) fn name_policy_files(
    workspace: &Workspace,
    mut findings: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    for finding in &mut findings {
        let Some((policy, _)) = policy_and_own_file(workspace, finding) else { continue };
        let name = policy.name();
        finding.add_note(message!("the policy is in `{name}`"));
        if policy.role() == FileRole::Found {
            finding
                .add_help(message!("if it is not for this object, exclude it: `--exclude {name}`"));
        }
    }
    findings
}

/// The file of the policy of the input that a finding is about, and that of the finding, if they differ.
fn policy_and_own_file<'w>(
    workspace: &'w Workspace,
    finding: &Diagnostic,
) -> Option<(&'w SourceFile, &'w SourceFile)> {
    let Some(CommonCause::Decision(policy, _)) = finding.details().common_cause else {
        return None;
    };
    let (policy, own) = (workspace.file_at(policy), workspace.file_at(finding.primary.span));
    (policy.id() != own.id() && policy.role() != FileRole::Policies).then_some((policy, own))
}
