//! The stage: definitions in, objects out.

use lean_string::LeanStr;

use super::{Instance, Instances, Kind, Lowering, moved};
use crate::diag::Sink;
use crate::kube::{Hidden, Object, SharedKinds};
use crate::parallel::{Blocks, ordered_each};
use crate::schema::{self, CheckContext, Told, Type, Versions};
use crate::source::{Span, Workspace};
use crate::tree::{Node, Value};

/// What the stage needs besides the definitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx<'c> {
    /// All kinds.
    pub(crate) kinds: &'static [&'static [Kind]],
    /// The versions whose API servers shall accept the objects.
    pub(crate) targets: Versions,
    /// The texts that the definitions were read from.
    pub(crate) texts: &'c Workspace,
    /// The kinds of the run, which its objects share.
    pub(crate) shared: &'c SharedKinds,
    /// The namespace of definitions that name none.
    pub(crate) namespace: Option<&'c Node>,
}

/// A definition that cannot be compiled. References to its objects are not missing; it is.
#[derive(Debug)]
pub(crate) struct Broken {
    /// Its kind.
    pub(crate) kind: &'static Kind,
    /// Its namespace, empty where none is given.
    pub(crate) namespace: LeanStr,
    /// Its name.
    pub(crate) name: LeanStr,
}

/// Compiles definitions to objects, and adds these in the order of the definitions. Every definition
/// is checked, whatever becomes of the others; those that cannot be compiled are returned, and those
/// of no known kind are hidden.
pub(crate) fn run<'c>(
    cx: Cx<'c>,
    definitions: Blocks<(Node, Span)>,
    objects: &mut Vec<Object>,
    names: &mut Hidden<'c>,
    sink: &mut Sink,
) -> Vec<Broken> {
    let told = Told::by(sink);
    let check = |(root, document)| {
        let mut sink = Sink::new();
        let outcome = check(cx, root, document, &mut sink);
        told.drop_consequences(&mut sink);
        (outcome, document, sink)
    };
    let (mut extensible, mut broken) = (Vec::new(), Vec::new());
    let mut others = Blocks::default();
    ordered_each(definitions, check, |(outcome, document, findings)| {
        sink.absorb(findings);
        match outcome {
            Some(Ok(instance)) if instance.kind.is_extensible => extensible.push(instance),
            Some(Ok(instance)) => others.push(instance),
            // It has a name, at the wrong place.
            Some(Err(it)) if it.name.is_empty() => names.add(cx.texts.slice(document)),
            Some(Err(it)) => broken.push(it),
            None => names.add(cx.texts.slice(document)),
        }
    });
    let mut instances = Instances::new(extensible);
    if let Some(reported) = sink.reported() {
        let broken = broken.iter().filter(|it| it.kind.is_extensible);
        let broken = broken.map(|it| (it.namespace.clone(), it.name.clone()));
        let hidden = instances.all().iter().chain(others.iter()).filter_map(Instance::extended);
        let hidden = hidden.filter(|(_, name)| names.may_define(name));
        let absent: Vec<_> = broken.chain(hidden).collect();
        instances.declare_absent(absent, reported);
    }
    objects.reserve_exact(instances.all().len() + others.len());
    let mut take = |(outcome, findings): Compiled| {
        sink.absorb(findings);
        match outcome {
            Ok(made) => objects.extend(made),
            Err(it) => broken.push(it),
        }
    };
    // One is copied while it is compiled: others inherit from it.
    let copied = |instance: &Instance| compile(cx, instance.clone(), &instances);
    ordered_each(instances.all(), copied, &mut take);
    let moved = |instance| compile(cx, instance, &instances);
    ordered_each(others, moved, &mut take);
    broken
}

/// What became of one definition, and what there is to say about it.
type Compiled = (Result<Vec<Object>, Broken>, Sink);

/// The definition with its kind and namespace, if it is sound.
fn check(
    cx: Cx<'_>,
    mut root: Node,
    document: Span,
    sink: &mut Sink,
) -> Option<Result<Instance, Broken>> {
    let kind = Kind::of(&root, cx.kinds, sink)?;
    if let (Some(namespace), Some(metadata)) = (cx.namespace, metadata_of(&mut root))
        && metadata.get("namespace").is_none()
    {
        metadata.set("namespace", namespace.clone());
    }
    let mut findings = Sink::new();
    findings.per_version(cx.targets, |target, findings| {
        let against = CheckContext::definition(target, kind.name).with_texts(cx.texts);
        schema::check(&root, Type::Object(kind.document), &against, findings);
    });
    moved::explain(kind, &root, findings, sink);
    let instance = Instance { kind, root, document };
    Some(if sink.reported().is_some() { Err(instance.as_broken()) } else { Ok(instance) })
}

fn metadata_of(root: &mut Node) -> Option<&mut Node> {
    root.as_map_mut()?.get_mut("metadata").filter(|node| matches!(node.value, Value::Map(_)))
}

fn compile(cx: Cx<'_>, instance: Instance, instances: &Instances) -> Compiled {
    let mut sink = Sink::new();
    let lower = instance.kind.lower;
    let broken = instance.as_broken();
    let mut lowering = Lowering {
        targets: cx.targets,
        kinds: cx.shared,
        instances,
        sink: &mut sink,
        objects: Vec::with_capacity(1),
    };
    lower(instance, &mut lowering);
    let mut objects = lowering.objects;
    for object in &mut objects {
        object.root.shrink_to_fit();
    }
    let outcome = if objects.is_empty() { Err(broken) } else { Ok(objects) };
    (outcome, sink)
}

impl Instance {
    fn as_broken(&self) -> Broken {
        Broken { kind: self.kind, namespace: self.namespace().into(), name: self.name().into() }
    }
}
