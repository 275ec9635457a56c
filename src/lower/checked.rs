//! Checks definitions before they are compiled.

use super::rests::Rest;
use super::stage::{Broken, LoweringContext};
use super::{Instance, Kind, amounts, moved};
use crate::diag::{Diagnostic, Sink};
use crate::expand::{Gaps, Unevaluated};
use crate::kube::Hidden;
use crate::parallel::{Blocks, ordered_each_after};
use crate::schema::{self, CheckContext, Earlier, FIELD_MISSING, Type};
use crate::source::Span;
use crate::tree::{Node, Value};

/// The definitions of a run.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// The valid ones that others can refer to.
    pub(super) referenced: Vec<Instance>,
    /// The other valid ones.
    pub(super) others: Blocks<Instance>,
    /// Those with faults.
    pub(super) broken: Vec<Broken>,
}

/// Checks every definition, even if others have faults. The names in those of an unknown kind are
/// hidden.
pub(super) fn check_all<'c>(
    cx: LoweringContext<'c>,
    definitions: Blocks<(Node, Span)>,
    unevaluated: Vec<(Unevaluated, Span)>,
    names: &mut Hidden<'c>,
    sink: &mut Sink,
) -> Checked {
    let earlier = Earlier::by(sink);
    let check = |count, (root, document)| {
        let mut sink = Sink::of_document_after(count);
        let outcome = if sink.is_over() { None } else { check(cx, root, document, &mut sink) };
        earlier.link(&mut sink);
        (outcome, document, sink)
    };
    let mut all = Checked::default();
    let size = cx.texts.bytes();
    ordered_each_after(sink.total(), size, definitions, check, |(outcome, document, findings)| {
        sink.absorb(findings);
        match outcome {
            Some(Ok(instance)) if instance.kind.is_referenced => all.referenced.push(instance),
            Some(Ok(instance)) => all.others.push(instance),
            // It has a name, but in the wrong field.
            Some(Err(broken)) if broken.key.2.is_empty() => names.add(cx.texts.slice(document)),
            Some(Err(broken)) => all.broken.push(broken),
            None => names.add(cx.texts.slice(document)),
        }
        sink.total()
    });
    for (definition, document) in unevaluated {
        all.broken.extend(check_unevaluated(cx, definition, document, sink));
    }
    all
}

/// The definition with its kind and namespace, if it is valid.
pub(super) fn check(
    cx: LoweringContext<'_>,
    mut root: Node,
    document: Span,
    sink: &mut Sink,
) -> Option<Result<Instance, Broken>> {
    let kind = Kind::of(&root, cx.dialects, sink)?;
    if let (Some(namespace), Some(metadata)) = (cx.namespace, metadata_of(&mut root))
        && metadata.get("namespace").is_none()
    {
        metadata.set("namespace", namespace.clone());
    }
    let mut findings = sink.part();
    check_schema(cx, kind, &root, &mut findings);
    moved::explain(kind, &root, findings, sink);
    if let Some(finding) = image_without_value(&root) {
        sink.report(finding);
    }
    amounts::as_strings(&mut root, Type::Object(kind.document));
    let instance = Instance { kind, root, document };
    if sink.reported().is_none() {
        return Some(Ok(instance));
    }
    let mut broken = cx.broken(&instance);
    broken.rest = Rest::of(instance, Gaps::default()).without_schema_faults(sink);
    Some(Err(broken))
}

/// Checks the fields of a definition that are not expressions.
fn check_unevaluated(
    cx: LoweringContext<'_>,
    Unevaluated { root, gaps }: Unevaluated,
    document: Span,
    sink: &mut Sink,
) -> Option<Broken> {
    let mut findings = Sink::of_document_after(sink.total());
    let outcome = check(cx, root, document, &mut findings);
    findings.retain(|finding| gaps.is_certain(finding));
    sink.absorb(findings);
    let broken = match outcome? {
        Ok(instance) => {
            let broken = cx.broken(&instance);
            Broken { rest: Some(Rest::of(instance, gaps)), ..broken }
        }
        Err(broken) => Broken { rest: broken.rest.map(|it| it.with_gaps(gaps)), ..broken },
    };
    Some(broken)
}

fn check_schema(cx: LoweringContext<'_>, kind: &Kind, root: &Node, findings: &mut Sink) {
    findings.per_version(cx.targets, |target, findings| {
        let against = CheckContext::definition(target, kind.name).with_texts(cx.texts);
        schema::check(root, Type::Object(kind.document), &against, findings);
    });
}

/// Whether a definition fits the schema of its kind.
pub(super) fn is_valid(cx: LoweringContext<'_>, instance: &Instance) -> bool {
    let mut findings = Sink::new();
    check_schema(cx, instance.kind, &instance.root, &mut findings);
    findings.reported().is_none()
}

/// `image:` without a value, in a definition that inherits none. Elsewhere `null` counts as absent,
/// but an image is required.
fn image_without_value(root: &Node) -> Option<Diagnostic> {
    let spec = root.get("spec")?;
    let image =
        spec.entries().iter().find(|entry| entry.key == "image" && entry.value.is_null())?;
    if spec.get("extends").is_some() || spec.get("abstract").is_some() {
        return None;
    }
    Some(
        Diagnostic::new(
            &FIELD_MISSING,
            image.key_origin().span(),
            "`image` of `spec` has no value",
        )
        .at("`image` is required")
        .path(&"spec.image")
        .help("write the image after the colon: `image: python:3.13`"),
    )
}

fn metadata_of(root: &mut Node) -> Option<&mut Node> {
    root.get_mut("metadata").filter(|node| matches!(node.value, Value::Map(_)))
}

#[cfg(test)]
mod tests {
    use super::super::rests::MAX_FAULTS;
    use super::*;
    use crate::{Options, Workspace, compile};

    #[test]
    fn references_of_a_definition_with_many_faults_are_not_checked() {
        let rules = |faults: usize| {
            let unknown: Vec<_> = (0..faults).map(|number| format!("zzzzzz{number}: 1")).collect();
            let text = format!(
                "apiVersion: sandboxc.dev/v1alpha1\nkind: Claim\nmetadata: {{name: a}}\n\
                 spec: {{warmPool: absent, {}}}\n",
                unknown.join(", ")
            );
            let mut workspace = Workspace::new();
            workspace.add("a.yaml", text);
            let diagnostics = compile(&workspace, &Options::default()).diagnostics;
            let is_reference = |finding: &&Diagnostic| finding.rule.name == "warm-pool-not-found";
            (diagnostics.len(), diagnostics.iter().filter(is_reference).count())
        };
        assert_eq!(rules(20), (21, 1));
        assert_eq!(rules(MAX_FAULTS + 1), (MAX_FAULTS + 1, 0));
    }
}
