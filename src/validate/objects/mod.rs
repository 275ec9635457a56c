//! Each object by itself: the envelope, the name, then the schema of the target version.

mod custom;
mod envelope;
mod kinds;
mod name;
mod rules;

use std::collections::BTreeSet;

use crate::crd::CustomKinds;
use crate::diag::Sink;
use crate::kube::Object;
use crate::parallel::ordered_map;
use crate::schema::{self, CheckContext, KubernetesVersion, Type};
use crate::source::{Span, Workspace};

pub(crate) use rules::RULES;

/// What objects are checked against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx<'c> {
    /// The version whose API server shall accept them.
    pub(crate) target: KubernetesVersion,
    /// The texts that they were read from.
    pub(crate) texts: &'c Workspace,
    /// The custom resources that are known.
    pub(crate) custom: &'c CustomKinds<'c>,
}

/// Checks each object by itself: form, kind, name, and the schema of its kind.
///
/// Where the reader of the text has found a fault already (a blank is missing behind a dash), the
/// same scalar is not reported once more for the type that it has because of that.
pub(crate) fn check(cx: Cx<'_>, objects: &[Object], sink: &mut Sink) {
    let told: BTreeSet<Span> = sink.iter().map(|finding| finding.primary.span).collect();
    let findings = ordered_map(objects.iter().collect(), |it| {
        let mut sink = Sink::new();
        object(cx, it, &mut sink);
        sink.retain(|finding| {
            let span = finding.primary.span;
            let is_consequence =
                [&schema::WRONG_TYPE, &schema::UNKNOWN_FIELD].contains(&finding.rule);
            !is_consequence || told.range(span.start_point()..=span.end_point()).next().is_none()
        });
        sink
    });
    for it in findings {
        sink.absorb(it);
    }
}

fn object(cx: Cx<'_>, object: &Object, sink: &mut Sink) {
    if custom::check(cx, object, sink) {
        return;
    }
    let Some(kind) = envelope::check(cx, object, sink) else { return };
    let Some(definition) = kind.definition else { return };
    let named =
        name::Named { group: kind.group, kind: kind.kind, is_namespaced: kind.is_namespaced };
    name::check(cx, object, named, sink);
    let context = CheckContext::built_in(cx.target, kind.kind).with_texts(cx.texts);
    schema::check(&object.root, Type::Object(definition), &context, sink);
}
