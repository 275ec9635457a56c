//! The stage that lowers definitions to objects.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::budget::Made;
use super::instances::Key;
use super::{
    DeclaredData, Dialect, Instance, Instances, Kind, Lowering, ObjectKey, Setup, amounts, moved,
};
use crate::diag::{About, Diagnostic, Meant, Severity, Sink};
use crate::expand::Unevaluated;
use crate::kube::{Hidden, Object, SharedKinds};
use crate::parallel::{Blocks, ordered_each_after};
use crate::schema::{self, CheckContext, Earlier, FIELD_MISSING, Type, Versions};
use crate::source::{Span, Workspace};
use crate::tree::{Node, Value};

/// The context of the stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx<'c> {
    /// The systems.
    pub(crate) dialects: &'static [&'static Dialect],
    /// The settings of each system, in the same order.
    pub(crate) setups: &'c [Setup],
    /// The versions whose API servers must accept the objects.
    pub(crate) targets: Versions,
    /// The files that the definitions were read from.
    pub(crate) texts: &'c Workspace,
    /// The kinds of the run, which its objects share.
    pub(crate) shared: &'c SharedKinds,
    /// The namespace of definitions that name none.
    pub(crate) namespace: Option<&'c Node>,
    /// Secrets and ConfigMaps in the cluster whose keys are declared.
    pub(crate) external: &'c [DeclaredData],
    /// Whether the summaries of the systems are required.
    pub(crate) is_summarized: bool,
}

/// The results of the stage in addition to objects and findings.
#[derive(Debug, Default)]
pub(crate) struct Lowered {
    /// The definitions that cannot be compiled.
    pub(crate) broken: Vec<Broken>,
    /// The summaries of the systems that have one.
    pub(crate) summaries: Vec<String>,
    /// The documents of definitions that extend another one, each with the document of its base.
    pub(crate) bases: BTreeMap<Span, Span>,
    /// The documents of definitions that were compiled without their faulty fields, so that their
    /// references are checked. Other findings about these objects are unreliable.
    pub(crate) partial: BTreeSet<Span>,
}

/// The maximum number of definitions with faults whose references are checked.
const MOST_RESTS: usize = 100;

/// The maximum number of findings, for all versions, about a definition whose references are checked
/// despite them: to remove a field of a large map moves all fields after it.
const MOST_FAULTS: usize = 500;

/// Whether a finding is about a missing object of a reference.
pub(crate) fn is_reference(finding: &Diagnostic) -> bool {
    matches!(finding.about, About::AbsentObject(_))
}

/// A definition that cannot be compiled. References to its objects are not reported as missing.
#[derive(Debug)]
pub(crate) struct Broken {
    /// Kind, namespace and name of the definition.
    key: Key,
    /// The objects that are missing because of its fault.
    pub(crate) objects: Vec<ObjectKey>,
    /// The definition without its faulty fields. If it is valid, its references are checked.
    rest: Option<Instance>,
}

/// Compiles definitions to objects, and adds these in the order of the definitions. Every
/// definition is checked, even if others have faults; those that cannot be compiled are returned,
/// and the names in those of an unknown kind are hidden.
pub(crate) fn run<'c>(
    cx: Cx<'c>,
    definitions: Blocks<(Node, Span)>,
    unevaluated: Vec<(Unevaluated, Span)>,
    objects: &mut Vec<Object>,
    names: &mut Hidden<'c>,
    sink: &mut Sink,
) -> Lowered {
    let earlier = Earlier::by(sink);
    let check = |count, (root, document)| {
        let mut sink = Sink::of_document_after(count);
        let outcome = if sink.is_over() { None } else { check(cx, root, document, &mut sink) };
        earlier.link(&mut sink);
        (outcome, document, sink)
    };
    let (mut referenced, mut broken) = (Vec::new(), Vec::new());
    let mut others = Blocks::default();
    ordered_each_after(sink.total(), definitions, check, |(outcome, document, findings)| {
        sink.absorb(findings);
        match outcome {
            Some(Ok(instance)) if instance.kind.is_referenced => referenced.push(instance),
            Some(Ok(instance)) => others.push(instance),
            // It has a name, but in the wrong field.
            Some(Err(it)) if it.key.2.is_empty() => names.add(cx.texts.slice(document)),
            Some(Err(it)) => broken.push(it),
            None => names.add(cx.texts.slice(document)),
        }
        sink.total()
    });
    for (definition, document) in unevaluated {
        broken.extend(check_unevaluated(cx, definition, document, sink));
    }
    let mut instances = Instances::new(referenced);
    instances.declare_data(cx.external, objects);
    if let Some(reported) = sink.reported() {
        let keys = broken.iter().map(|it| it.key.clone());
        instances.declare_broken(keys, names, reported);
    }
    let chains = instances.chains_of(others.iter(), sink);
    instances.declare_chains(chains);
    let mut summaries = Vec::new();
    for setup in cx.setups {
        (setup.dialect.check_definitions)(&instances, setup, sink);
        if cx.is_summarized {
            summaries.extend((setup.dialect.summarize)(&instances, setup));
        }
    }
    let rests = broken.iter_mut().filter_map(|it| it.rest.take());
    let rests: Vec<_> = rests.take(MOST_RESTS).filter(|it| is_valid(cx, it)).collect();
    let bases = instances.bases(instances.all().iter().chain(others.iter()));
    objects.reserve_exact(instances.all().len() + others.len());
    let progress = Cell::new(Made::after(sink));
    let mut take = |Compiled { document, made, announced, broken: fault, findings }| {
        sink.absorb(findings);
        progress.set(progress.get().and(document, made.len().max(announced), sink));
        objects.extend(made);
        broken.extend(fault);
        progress.get()
    };
    // A referenced definition is copied for its compilation, because others inherit from it.
    let copied =
        |before, it: &Instance| compile_after(cx, before, it.document, || it.clone(), &instances);
    ordered_each_after(progress.get(), instances.all(), copied, &mut take);
    let moved = |before, it: Instance| compile_after(cx, before, it.document, || it, &instances);
    ordered_each_after(progress.get(), others, moved, &mut take);
    let mut partial = BTreeSet::new();
    if progress.get().is_over() {
        // References to the objects that are left out would be reported as missing.
        objects.clear();
        return Lowered { broken, summaries, bases, partial };
    }
    for rest in rests {
        let document = rest.document;
        let before = progress.get().findings;
        let Compiled { made, mut findings, .. } = compile(cx, rest, &instances, before);
        findings.retain(is_reference);
        sink.absorb(findings);
        objects.extend(made);
        partial.insert(document);
    }
    Lowered { broken, summaries, bases, partial }
}

/// The result of one definition, with its findings.
pub(super) struct Compiled {
    document: Span,
    pub(super) made: Vec<Object>,
    /// The minimum number of objects.
    announced: usize,
    broken: Option<Broken>,
    findings: Sink,
}

/// The definition with its kind and namespace, if it is valid.
pub(super) fn check(
    cx: Cx<'_>,
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
    broken.rest = without_faults(instance, sink);
    Some(Err(broken))
}

/// Checks the fields of a definition that are not expressions. Returns the definition if its name is
/// known.
fn check_unevaluated(
    cx: Cx<'_>,
    Unevaluated { root, gaps }: Unevaluated,
    document: Span,
    sink: &mut Sink,
) -> Option<Broken> {
    let mut findings = Sink::of_document_after(sink.total());
    let outcome = check(cx, root, document, &mut findings);
    findings.retain(|it| gaps.is_certain(it));
    sink.absorb(findings);
    let broken = match outcome? {
        Ok(instance) => cx.broken(&instance),
        Err(broken) => Broken { rest: None, ..broken },
    };
    (!broken.key.2.is_empty()).then_some(broken)
}

fn check_schema(cx: Cx<'_>, kind: &Kind, root: &Node, findings: &mut Sink) {
    findings.per_version(cx.targets, |target, findings| {
        let against = CheckContext::definition(target, kind.name).with_texts(cx.texts);
        schema::check(root, Type::Object(kind.document), &against, findings);
    });
}

fn is_valid(cx: Cx<'_>, instance: &Instance) -> bool {
    let mut findings = Sink::new();
    check_schema(cx, instance.kind, &instance.root, &mut findings);
    findings.reported().is_none()
}

/// `image:` without a value, in a definition that inherits none. Elsewhere `null` counts as absent,
/// but an image is required.
fn image_without_value(root: &Node) -> Option<Diagnostic> {
    let spec = root.get("spec")?;
    let image = spec.entries().iter().find(|it| it.key == "image" && it.value.is_null())?;
    if spec.get("extends").is_some() || spec.get("abstract").is_some() {
        return None;
    }
    Some(
        Diagnostic::new(&FIELD_MISSING, image.key_origin.span(), "`image` of `spec` has no value")
            .at("`image` is required")
            .path(&"spec.image")
            .help("write the image after the colon: `image: python:3.13`"),
    )
}

/// The definition without the fields that have errors, and with unknown fields renamed to the
/// likely ones; `None` if a fault has no place.
fn without_faults(mut instance: Instance, sink: &Sink) -> Option<Instance> {
    if sink.len() > MOST_FAULTS {
        return None;
    }
    for finding in sink.iter().filter(|it| it.severity == Severity::Error) {
        if matches!(finding.about, About::MissingField(_)) {
            continue;
        }
        let path = finding.path.as_ref()?.steps();
        let removed = instance.root.remove_at(path);
        if let About::UnknownField(Some(Meant::Field(name))) = &finding.about
            && let (Some((_, owner)), Some(value)) = (path.split_last(), removed)
            && let Some(owner) = instance.root.at_path_mut(owner)
            && owner.get(name).is_none()
        {
            owner.set(&**name, value);
        }
    }
    Some(instance)
}

fn metadata_of(root: &mut Node) -> Option<&mut Node> {
    root.as_map_mut()?.get_mut("metadata").filter(|node| matches!(node.value, Value::Map(_)))
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
    compile(cx, instance(), instances, before.findings)
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
    };
    let outcome = lower(instance, &mut lowering);
    let (mut made, announced) = (lowering.objects, lowering.announced);
    for object in &mut made {
        object.root.shrink_to_fit();
    }
    let has_fault = outcome.is_err() || findings.reported().is_some();
    let broken = has_fault.then(|| broken.without(&made));
    Compiled { document, made, announced, broken, findings }
}

impl Compiled {
    const fn without_objects(document: Span, findings: Sink) -> Self {
        Self { document, made: Vec::new(), announced: 0, broken: None, findings }
    }
}

impl<'c> Cx<'c> {
    fn setup_of(self, kind: &'static Kind) -> Option<&'c Setup> {
        let has = |it: &&Setup| it.dialect.kinds.iter().any(|own| std::ptr::eq(own, kind));
        self.setups.iter().find(has)
    }

    fn broken(self, instance: &Instance) -> Broken {
        let setup = self.setup_of(instance.kind);
        let objects = setup.map(|setup| (instance.kind.declares)(instance, setup));
        Broken { key: instance.key(), objects: objects.unwrap_or_default(), rest: None }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, compile};

    #[test]
    fn references_of_a_definition_with_many_faults_are_not_checked() {
        let rules = |faults: usize| {
            let unknown: Vec<_> = (0..faults).map(|it| format!("zzzzzz{it}: 1")).collect();
            let text = format!(
                "apiVersion: sandboxc.dev/v1alpha1\nkind: Claim\nmetadata: {{name: a}}\n\
                 spec: {{warmPool: absent, {}}}\n",
                unknown.join(", ")
            );
            let mut workspace = Workspace::new();
            workspace.add("a.yaml", text);
            let diagnostics = compile(&workspace, &Options::default()).diagnostics;
            let is_reference = |it: &&Diagnostic| it.rule.name == "warm-pool-not-found";
            (diagnostics.len(), diagnostics.iter().filter(is_reference).count())
        };
        assert_eq!(rules(20), (21, 1));
        assert_eq!(rules(MOST_FAULTS + 1), (MOST_FAULTS + 1, 0));
    }
}
