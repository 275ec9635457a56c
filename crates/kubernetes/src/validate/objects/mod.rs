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
pub(in crate::validate) use unread::is_dropped;

use super::{AcrossFiles, present};
use crate::crd::CustomKinds;
use crate::diag::{About, Diagnostic, FieldPath, Sink, declare_rules, report_work};
use crate::kube::Object;
use crate::limits::Fuel;
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
    SCHEMA_UNKNOWN = "schema-unknown", Note;
}

/// The context that objects are checked against.
#[derive(Clone, Copy, Debug)]
pub struct ObjectContext<'c> {
    /// The version whose API server must accept them.
    pub target: KubernetesVersion,
    /// The source files of the objects.
    pub texts: &'c Workspace,
    /// A check of the caller.
    pub also: Option<AlsoCheck<'c>>,
    /// Describes a document that is not an object, if the caller can convert it: `a nodepool.yaml`.
    pub convertible: Option<fn(&Node) -> Option<&'static str>>,
    /// The known custom resources.
    pub custom: &'c CustomKinds<'c>,
    /// The earlier findings about the objects.
    pub earlier: &'c Earlier,
    /// The treatment of equal names in different files.
    pub across_files: AcrossFiles,
    /// The fuel of the run, or of the object that is checked.
    pub fuel: &'c Fuel<'c>,
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

/// Checks each object: envelope, kind, name, and the schema of its kind.
///
/// Returns the spans of objects with a wrong kind, version or metadata, whose intended kind and
/// name are unknown. `rule_findings` has an item for each object, or none for a single target version.
pub fn check(
    cx: ObjectContext<'_>,
    objects: &[Object],
    rule_findings: &[RuleFindings],
    sink: &mut Sink,
) -> Vec<Span> {
    let objects = objects.iter().enumerate();
    let check = |findings, (index, object): (usize, &Object)| {
        let mut sink = Sink::of_document_after(findings);
        if sink.is_over() || cx.fuel.is_out() {
            return (object.document, false, sink);
        }
        let fuel = cx.fuel.document();
        let cx = ObjectContext { fuel: &fuel, rule_findings: rule_findings.get(index), ..cx };
        let is_known = check_one(cx, object, &mut sink);
        report_work(&fuel, object.document.start_point(), &|| object.describe(), &mut sink);
        let is_unknown = !is_known && sink.reported().is_some() || sink.iter().any(is_about_name);
        (object.document, is_unknown, sink)
    };
    let mut unknown = Vec::new();
    let size = cx.texts.bytes();
    ordered_each_after(sink.total(), size, objects, check, |(document, is_unknown, findings)| {
        unknown.extend(is_unknown.then_some(document));
        sink.absorb(findings);
        sink.total()
    });
    unknown
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

/// Checks one object, and returns whether its kind is known.
pub(super) fn check_one(cx: ObjectContext<'_>, object: &Object, sink: &mut Sink) -> bool {
    let mut findings = sink.part();
    let is_known = check_by_kind(cx, object, &mut findings);
    present::point_at_empty_fields(object, &mut findings);
    if let Some(AlsoCheck { values, check }) = cx.also {
        check(values, object, &mut findings);
    }
    cx.earlier.link(&mut findings);
    sink.absorb(findings);
    is_known
}

fn check_by_kind(cx: ObjectContext<'_>, object: &Object, sink: &mut Sink) -> bool {
    if let Some(is_known) = custom::check(cx, object, sink) {
        return is_known;
    }
    let Some(kind) = envelope::check(cx, object, sink) else { return false };
    let Some(definition) = kind.definition else { return true };
    let named =
        name::Named { group: kind.group, kind: kind.kind, is_namespaced: kind.is_namespaced };
    name::check(cx, object, named, sink);
    let context = CheckContext::built_in(cx.target, kind.kind);
    let context = context.of_applied_object().with_texts(cx.texts);
    schema::check(&object.root, Type::Object(definition), &context, sink);
    if object.gvk.is("apiextensions.k8s.io", "CustomResourceDefinition") {
        expressions::check_definition(cx, object, sink);
    }
    unread::soften(object, cx.target, sink);
    true
}
