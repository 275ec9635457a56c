//! Compiles definitions to objects.

use std::cell::Cell;

use super::budget::Made;
use super::rests::Rest;
use super::stage::{Broken, Cx};
use super::{Instance, Instances, Lowering};
use crate::diag::Sink;
use crate::kube::Object;
use crate::parallel::{Blocks, ordered_each_after};
use crate::source::Span;

/// The result of one definition, with its findings.
pub(super) struct Compiled {
    document: Span,
    pub(super) made: Vec<Object>,
    /// The minimum number of objects.
    announced: usize,
    /// The values of the objects.
    values: usize,
    broken: Option<Broken>,
    pub(super) findings: Sink,
    /// Whether objects are missing because of a fault, or have stand-ins for faulty parts.
    pub(super) is_failed: bool,
}

/// Compiles definitions, and adds their objects in order. Those with faults are added to `broken`.
pub(super) fn compile_all(
    cx: Cx<'_>,
    instances: &Instances<'_>,
    others: Blocks<Instance>,
    objects: &mut Vec<Object>,
    broken: &mut Vec<Broken>,
    sink: &mut Sink,
) -> Made {
    objects.reserve_exact(instances.all().len() + others.len());
    let progress = Cell::new(Made::after(sink));
    let mut take = |compiled: Compiled| {
        let Compiled { document, made, announced, values, broken: fault, findings, .. } = compiled;
        sink.absorb(findings);
        let size = (made.len().max(announced), values);
        progress.set(progress.get().and(document, size, sink));
        objects.extend(made);
        broken.extend(fault);
        progress.get()
    };
    // A referenced definition is copied for its compilation, because others inherit from it.
    let copied =
        |before, it: &Instance| compile_after(cx, before, it.document, || it.clone(), instances);
    ordered_each_after(progress.get(), cx.texts.bytes(), instances.all(), copied, &mut take);
    let moved = |before, it: Instance| compile_after(cx, before, it.document, || it, instances);
    ordered_each_after(progress.get(), cx.texts.bytes(), others, moved, &mut take);
    progress.get()
}

/// The objects of one definition, after what others compiled to; none after a limit.
fn compile_after(
    cx: Cx<'_>,
    before: Made,
    document: Span,
    instance: impl FnOnce() -> Instance,
    instances: &Instances<'_>,
) -> Compiled {
    if before.is_over() {
        let findings = Sink::of_document_after(before.findings);
        return Compiled::without_objects(document, findings);
    }
    let instance = instance();
    let copy = instance.clone();
    let mut compiled = compile(cx, instance, instances, before.findings);
    if let (true, Some(broken)) = (compiled.is_failed, &mut compiled.broken) {
        broken.rest = Some(Rest::of_failed(copy, &compiled.findings));
        compiled.made.clear();
    }
    compiled
}

/// The objects of one definition, in a run with this number of findings so far.
pub(super) fn compile(
    cx: Cx<'_>,
    instance: Instance,
    instances: &Instances<'_>,
    findings_before: usize,
) -> Compiled {
    let mut findings = Sink::of_document_after(findings_before);
    let (lower, document) = (instance.kind.lower, instance.document);
    let Some(setup) = cx.setup_of(instance.kind) else {
        return Compiled::without_objects(document, findings);
    };
    // Lowering consumes the tree.
    let broken = cx.broken(&instance);
    let mut lowering = Lowering {
        targets: cx.targets,
        kinds: cx.shared,
        instances,
        setup,
        sink: &mut findings,
        objects: Vec::with_capacity(1),
        announced: 0,
        values: 0,
    };
    let outcome = lower(instance, &mut lowering);
    let (mut made, announced, values) = (lowering.objects, lowering.announced, lowering.values);
    for object in &mut made {
        object.root.shrink_to_fit();
    }
    let is_failed = outcome.is_err();
    let has_fault = is_failed || findings.reported().is_some();
    // The objects of a failed lowering have stand-ins.
    let broken = has_fault.then(|| broken.without(if is_failed { &[] } else { &made }));
    Compiled { document, made, announced, values, broken, findings, is_failed }
}

impl Compiled {
    const fn without_objects(document: Span, findings: Sink) -> Self {
        Self {
            document,
            made: Vec::new(),
            announced: 0,
            values: 0,
            broken: None,
            findings,
            is_failed: false,
        }
    }
}

impl Broken {
    /// Removes the objects that exist despite the fault.
    fn without(mut self, made: &[Object]) -> Self {
        self.objects.retain(|it| {
            let is_it = |object: &Object| {
                object.gvk.is(it.group, it.kind)
                    && (&object.namespace, &object.name) == (&it.namespace, &it.name)
            };
            !made.iter().any(is_it)
        });
        self
    }
}
