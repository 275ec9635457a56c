//! Compiles definitions to objects.

use std::borrow::Cow;
use std::cell::Cell;

use super::rests::Rest;
use super::stage::{Broken, LoweringContext};
use super::{Instance, Instances, Lowering};
use crate::diag::{Diagnostic, Sink, TOO_MUCH_WORK, message};
use crate::kube::Object;
use crate::parallel::{Blocks, ordered_each_after};
use crate::schema::bug;

/// The result of one definition, with its findings.
pub(super) struct Compiled {
    pub(super) made: Vec<Object>,
    broken: Option<Broken>,
    pub(super) findings: Sink,
    /// Whether objects are missing because of a fault, or have stand-ins for faulty parts.
    pub(super) is_failed: bool,
}

/// Compiles definitions, and adds their objects in order. Those with faults are added to `broken`.
pub(super) fn compile_all(
    cx: LoweringContext<'_>,
    instances: &Instances<'_>,
    others: Blocks<Instance>,
    objects: &mut Vec<Object>,
    broken: &mut Vec<Broken>,
    sink: &mut Sink,
) {
    objects.reserve_exact(instances.all().len() + others.len());
    let count = Cell::new(sink.total());
    let mut take = |compiled: Compiled| {
        let Compiled { made, broken: fault, findings, .. } = compiled;
        sink.absorb(findings);
        objects.extend(made);
        broken.extend(fault);
        count.set(sink.total());
        count.get()
    };
    // A referenced definition is copied for its compilation, because others inherit from it.
    let compile_copy =
        |before, instance: &Instance| compile_after(cx, before, Cow::Borrowed(instance), instances);
    ordered_each_after(count.get(), cx.texts.bytes(), instances.all(), compile_copy, &mut take);
    let compile_itself =
        |before, instance: Instance| compile_after(cx, before, Cow::Owned(instance), instances);
    ordered_each_after(count.get(), cx.texts.bytes(), others, compile_itself, &mut take);
}

/// The objects of one definition, in a run with this number of findings so far; none if they are too
/// many, or the run is out of fuel.
fn compile_after(
    cx: LoweringContext<'_>,
    before: usize,
    instance: Cow<'_, Instance>,
    instances: &Instances<'_>,
) -> Compiled {
    let findings = Sink::of_document_after(before);
    if findings.is_over() || cx.fuel.is_out() {
        return Compiled::without_objects(findings);
    }
    let kept = match &instance {
        Cow::Borrowed(whole) => Cow::Borrowed(*whole),
        Cow::Owned(whole) => Cow::Owned(whole.kept()),
    };
    let mut compiled = compile(cx, instance.into_owned(), &kept, instances, before);
    if let (true, Some(broken)) = (compiled.is_failed, &mut compiled.broken) {
        broken.rest = Some(Rest::of_failed(kept.into_owned(), &compiled.findings));
        compiled.made.clear();
    }
    compiled
}

/// The objects of one definition, of which a part is kept, in a run with this number of findings so far.
pub(super) fn compile(
    cx: LoweringContext<'_>,
    instance: Instance,
    kept: &Instance,
    instances: &Instances<'_>,
    findings_before: usize,
) -> Compiled {
    let mut findings = Sink::of_document_after(findings_before);
    let (lower, document) = (instance.kind.lower, instance.document);
    let Some(setup) = cx.setup_of(instance.kind) else {
        let name = instance.kind.name;
        let message = message!("the {name} is not compiled: its system has no settings");
        findings.report(bug(document.start_point(), message));
        return Compiled::without_objects(findings);
    };
    let fuel = cx.fuel.document();
    let mut lowering = Lowering {
        targets: cx.targets,
        kinds: cx.shared,
        instances,
        setup,
        sink: &mut findings,
        objects: Vec::with_capacity(1),
        fuel: &fuel,
    };
    let outcome = lower(instance, &mut lowering);
    let mut made = lowering.objects;
    if fuel.is_out() {
        let message = "the objects of the definition take too many steps";
        findings.report(Diagnostic::new(&TOO_MUCH_WORK, document.start_point(), message));
    }
    for object in &mut made {
        object.root.shrink_to_fit();
    }
    let is_failed = outcome.is_err();
    let has_fault = is_failed || findings.reported().is_some();
    // The objects of a failed lowering have stand-ins.
    let broken = has_fault.then(|| cx.broken(kept).without(if is_failed { &[] } else { &made }));
    Compiled { made, broken, findings, is_failed }
}

impl Compiled {
    const fn without_objects(findings: Sink) -> Self {
        Self { made: Vec::new(), broken: None, findings, is_failed: false }
    }
}

impl Broken {
    /// Removes the objects that exist despite the fault.
    fn without(mut self, made: &[Object]) -> Self {
        self.objects.retain(|key| {
            let is_it = |object: &Object| {
                object.gvk.is(key.group, key.kind)
                    && (&object.namespace, &object.name) == (&key.namespace, &key.name)
            };
            !made.iter().any(is_it)
        });
        self
    }
}
