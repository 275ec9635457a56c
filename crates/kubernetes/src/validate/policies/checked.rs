//! The findings of the rules for policies and their bindings.
//!
//! They decide which policies the API server has, before any object is checked. The rules compile
//! all expressions of a policy, so that they are applied once.

use crate::diag::{Diagnostic, Severity, Sink};
use crate::kube::Object;
use crate::parallel::ordered_map_of;
use crate::sorted::SortedMap;
use crate::validate::objects::ObjectContext;
use crate::validate::rules;

/// The findings of the rules for objects of a run.
pub(super) struct Checked {
    /// By the address of the object: several objects can come from one document.
    findings: SortedMap<usize, Vec<Diagnostic>>,
}

impl Checked {
    /// Checks the objects, in a run with the findings of `sink`.
    pub(super) fn of(cx: ObjectContext<'_>, objects: Vec<&Object>, sink: &Sink) -> Self {
        let before = sink.total();
        let findings = ordered_map_of(cx.texts.bytes(), objects, |object| {
            let mut sink = Sink::of_document_after(before);
            rules::check(object, cx.target, &mut sink);
            (address_of(object), sink.iter().cloned().collect())
        });
        Self { findings: findings.into_iter().collect() }
    }

    /// The findings for an object, if it was checked.
    pub(super) fn findings(&self, object: &Object) -> Option<&[Diagnostic]> {
        self.findings.get(&address_of(object)).map(Vec::as_slice)
    }

    /// Whether the API server rejects the object.
    pub(super) fn has_error(&self, object: &Object) -> bool {
        let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
        self.findings(object).is_some_and(|findings| findings.iter().any(is_error))
    }
}

fn address_of(object: &Object) -> usize {
    std::ptr::from_ref(object).addr()
}
