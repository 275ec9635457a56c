//! Checks of single objects: the envelope, the name, then the schema of the target version.

mod custom;
mod definitions;
mod envelope;
pub(in crate::validate) mod expressions;
mod kinds;
mod name;
mod newer;
mod scale;
mod unread;

pub use definitions::report_unchecked;
pub use envelope::check_reference;
pub use expressions::RuleFindings;

use super::{AcrossFiles, present};
use crate::crd::CustomKinds;
use crate::diag::{About, Diagnostic, FieldPath, Sink, declare_rules};
use crate::kube::Object;
use crate::limits;
use crate::parallel::ordered_each_after;
use crate::schema::{self, CheckContext, Earlier, KubernetesVersion, Type};
use crate::source::{Span, Workspace};
use crate::tree::Node;

declare_rules! {
    API_VERSION_DEPRECATED = "api-version-deprecated", Warning;
    API_VERSION_MISSING = "api-version-missing", Error;
    API_VERSION_NOT_SERVED = "api-version-not-served", Error;
    API_VERSION_REMOVED = "api-version-removed", Error;
    API_VERSION_WRONG = "api-version-wrong", Error;
    KIND_MISSING = "kind-missing", Error;
    KIND_NOT_IN_VERSION = "kind-not-in-version", Error;
    KIND_UNKNOWN = "kind-unknown", Error;
    NAME_INVALID = "name-invalid", Error;
    NAME_MISSING = "name-missing", Error, follows = [Misplaced];
    NAMESPACE_INVALID = "namespace-invalid", Error;
    NAMESPACE_ON_CLUSTER_SCOPED = "namespace-on-cluster-scoped", Note;
    NOT_AN_OBJECT = "not-an-object", Error;
    SCHEMA_TOO_COMPLEX = "schema-too-complex", Error;
    SCHEMA_UNKNOWN = "schema-unknown", Note;
}

/// The context that objects are checked against.
#[derive(Clone, Copy, Debug)]
pub struct Cx<'c> {
    /// The version whose API server must accept them.
    pub target: KubernetesVersion,
    /// The source files of the objects.
    pub texts: &'c Workspace,
    /// A check of the caller.
    pub also: Option<AlsoCheck<'c>>,
    /// The known custom resources.
    pub custom: &'c CustomKinds<'c>,
    /// The earlier findings about the objects.
    pub earlier: &'c Earlier,
    /// The treatment of equal names in different files.
    pub across_files: AcrossFiles,
    /// The maximum number of steps to validate a custom resource against its schema.
    pub steps: u64,
    /// The violated rules of the object, which the check for the first of several target versions
    /// finds.
    pub rule_findings: Option<&'c RuleFindings>,
}

/// A check of every object that is not the API server's: the caller's own.
#[derive(Clone, Copy, Debug)]
pub struct AlsoCheck<'c> {
    /// Passed to `check`.
    pub values: &'c Node,
    /// Reports the findings of one object.
    pub check: fn(&Node, &Object, &mut Sink),
}

/// The result of checking one object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    /// Whether its kind is known.
    is_known: bool,
    /// The steps of its validation against the schema of a custom resource.
    steps: u64,
}

/// The steps of each object that do not count toward the limit of a run.
const FREE_STEPS: u64 = 1_000;

/// The findings and the steps of the check so far.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    findings: usize,
    steps: u64,
}

impl Progress {
    /// The steps available for another object.
    fn left(self) -> u64 {
        let of_run = u64::from(limits::RUN_SCHEMA_STEPS.most).saturating_sub(self.steps);
        of_run.min(limits::SCHEMA_STEPS.most.into())
    }

    /// Counts the steps of an object, and returns whether it is the first one above the limit.
    fn exceeds(&mut self, steps: u64) -> bool {
        let most = u64::from(limits::RUN_SCHEMA_STEPS.most);
        let was_over = self.steps > most;
        self.steps = self.steps.saturating_add(steps.saturating_sub(FREE_STEPS));
        !was_over && self.steps > most
    }
}

/// Checks each object: envelope, kind, name, and the schema of its kind. Outlines are skipped.
///
/// Returns the spans of objects with a wrong kind, version or metadata, whose intended kind and
/// name are unknown. `rule_findings` has an item for each object, or none for a single target version.
pub fn check(
    cx: Cx<'_>,
    objects: &[Object],
    rule_findings: &[RuleFindings],
    sink: &mut Sink,
) -> Vec<Span> {
    let whole = objects.iter().enumerate().filter(|(_, it)| it.outline_of.is_none());
    let check = |progress: Progress, (index, object): (usize, &Object)| {
        let mut sink = Sink::of_document_after(progress.findings);
        if sink.is_over() {
            return (object.document, false, 0, sink);
        }
        let cx = Cx { steps: progress.left(), rule_findings: rule_findings.get(index), ..cx };
        let Checked { is_known, steps } = check_one(cx, object, &mut sink);
        let is_unknown = !is_known && sink.reported().is_some() || sink.iter().any(is_about_name);
        (object.document, is_unknown, steps, sink)
    };
    let mut unknown = Vec::new();
    let mut progress = Progress { findings: sink.total(), steps: 0 };
    let size = cx.texts.bytes();
    ordered_each_after(progress, size, whole, check, |(document, is_unknown, steps, findings)| {
        unknown.extend(is_unknown.then_some(document));
        sink.absorb(findings);
        if progress.exceeds(steps) {
            sink.report(too_many_steps(document));
        }
        progress.findings = sink.total();
        progress
    });
    expressions::report_cost(cx, objects, sink);
    unknown
}

/// The finding at the first object whose validation exceeds the limit of a run.
fn too_many_steps(document: Span) -> Diagnostic {
    let most = limits::thousands(limits::RUN_SCHEMA_STEPS.count());
    let message =
        format!("validation of custom resources against their schemas exceeds {most} steps");
    Diagnostic::new(&SCHEMA_TOO_COMPLEX, document.start_point(), message)
        .at("first object that is not checked to the end")
        .help("check fewer files at a time, or use fewer alternatives in the schemas")
}

/// Whether the finding means that the intended name or namespace is unknown.
fn is_about_name(finding: &Diagnostic) -> bool {
    let is_field = |path: &FieldPath| path.steps().iter().all(|step| step.field().is_some());
    let is_in_metadata = |path: &FieldPath| path.starts_with(&["metadata"]) && is_field(path);
    match finding.details().about {
        About::MissingName => true,
        About::UnknownField(_) => finding.details().path.as_ref().is_some_and(is_in_metadata),
        _ => false,
    }
}

/// Checks one object.
pub(super) fn check_one(cx: Cx<'_>, it: &Object, sink: &mut Sink) -> Checked {
    let mut findings = sink.part();
    let checked = object(cx, it, &mut findings);
    present::point_at_empty_fields(it, &mut findings);
    if let Some(AlsoCheck { values, check }) = cx.also {
        check(values, it, &mut findings);
    }
    cx.earlier.link(&mut findings);
    sink.absorb(findings);
    checked
}

fn object(cx: Cx<'_>, object: &Object, sink: &mut Sink) -> Checked {
    if let Some(checked) = custom::check(cx, object, sink) {
        return checked;
    }
    let checked = |is_known| Checked { is_known, steps: 0 };
    let Some(kind) = envelope::check(cx, object, sink) else { return checked(false) };
    let Some(definition) = kind.definition else { return checked(true) };
    let named =
        name::Named { group: kind.group, kind: kind.kind, is_namespaced: kind.is_namespaced };
    name::check(cx, object, named, sink);
    let context = CheckContext::built_in(cx.target, kind.kind).with_texts(cx.texts);
    schema::check(&object.root, Type::Object(definition), &context, sink);
    if object.gvk.is("apiextensions.k8s.io", "CustomResourceDefinition") {
        expressions::check_definition(cx, object, sink);
    }
    unread::soften(object, cx.target, sink);
    checked(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_of_a_run_take_as_many_steps_as_the_limit() {
        let most = u64::from(limits::RUN_SCHEMA_STEPS.most);
        for (more, is_over) in [(-1, false), (0, false), (1, true)] {
            let mut progress = Progress::default();
            let all = most.checked_add_signed(more).unwrap();
            assert!(!progress.exceeds(FREE_STEPS), "the first steps of an object are free");
            assert_eq!(progress.exceeds(all + FREE_STEPS), is_over, "{all}");
            assert_eq!(progress.left(), most.saturating_sub(all), "{all}");
            assert!(progress.exceeds(10_000) != is_over, "it is reported once");
        }
        assert_eq!(Progress::default().left(), u64::from(limits::SCHEMA_STEPS.most));
    }
}
