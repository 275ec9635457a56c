//! Unknown fields that the next release line of a system has.

use super::ObjectContext;
use crate::crd::CustomKind;
use crate::crd::description::Newer;
use crate::diag::{About, Diagnostic, Meant, Sink, message};
use crate::kube::Object;
use crate::schema::{self, CheckContext};
use crate::sorted::SortedSet;
use crate::source::Span;

/// Fields that only the next release line has.
pub(super) struct LaterFields {
    newer: &'static Newer,
    /// Their spans.
    fields: SortedSet<Span>,
}

impl LaterFields {
    /// Those among the unknown fields of an object.
    pub(super) fn of(
        cx: ObjectContext<'_>,
        object: &Object,
        kind: &CustomKind<'_>,
        findings: &[Diagnostic],
    ) -> Option<Self> {
        let mut fields = unknown_fields(findings);
        if fields.is_empty() {
            return None;
        }
        let (newer, later) = kind.in_newer(&object.gvk)?;
        let version = later.served(&object.gvk.version)?;
        let context = CheckContext::custom(cx.target, &object.gvk.kind).with_texts(cx.texts);
        let context = context.with_fuel(cx.fuel);
        let mut others = Sink::new();
        schema::check(&object.root, version.root, &context, &mut others);
        for field in unknown_fields(&others.into_sorted()) {
            fields.remove(&field);
        }
        Some(Self { newer, fields })
    }

    /// Names the release in the finding about such a field.
    pub(super) fn name_release(&self, finding: Diagnostic) -> Diagnostic {
        if !self.fields.contains(&finding.primary.span) {
            return finding;
        }
        let Newer { release, instead, .. } = self.newer;
        finding
            .without_advice()
            .about(About::UnknownField(Some(Meant::Elsewhere)))
            .note(message!("the field exists since {release}"))
            .help(*instead)
    }
}

fn unknown_fields(findings: &[Diagnostic]) -> SortedSet<Span> {
    let unknown =
        findings.iter().filter(|finding| matches!(finding.details().about, About::UnknownField(_)));
    unknown.map(|finding| finding.primary.span).collect()
}
