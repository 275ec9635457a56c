//! The stage that lowers definitions to objects.

use super::checked::{Checked, check_all, is_valid};
use super::compiled::compile_all;
use super::instances::Key;
use super::rests::{MAX_RESTS, Partial, Rest, compile_rests};
use super::{DeclaredData, Dialect, Instance, Instances, Kind, ObjectKey, Setup, copies};
use crate::diag::{Sink, within};
use crate::expand::Unevaluated;
use crate::kube::{Hidden, Object, SharedKinds};
use crate::limits::Fuel;
use crate::parallel::Blocks;
use crate::schema::Versions;
use crate::sorted::SortedMap;
use crate::source::{Span, Workspace};
use crate::tree::Node;

/// The context of the stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoweringContext<'c> {
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
    /// The fuel of the run.
    pub(crate) fuel: &'c Fuel<'c>,
}

/// The results of the stage in addition to objects and findings.
#[derive(Debug, Default)]
pub(crate) struct Lowered {
    /// The definitions that cannot be compiled.
    pub(crate) broken: Vec<Broken>,
    /// The summaries of the systems that have one.
    pub(crate) summaries: Vec<String>,
    /// The documents of definitions that extend another one, each with the document of its base.
    pub(crate) bases: SortedMap<Span, Span>,
    /// The definitions that were compiled without their faulty fields.
    pub(crate) partial: Partial,
}

/// A definition that cannot be compiled. References to its objects are not reported as missing.
#[derive(Debug)]
pub(crate) struct Broken {
    /// Kind, namespace and name of the definition.
    pub(super) key: Key,
    /// The objects that are missing because of its fault.
    pub(crate) objects: Vec<ObjectKey>,
    /// The definition without its faulty fields.
    pub(super) rest: Option<Rest>,
}

/// Compiles definitions to objects, and adds these in the order of the definitions. Every
/// definition is checked, even if others have faults; those that cannot be compiled are returned,
/// and the names in those of an unknown kind are hidden.
pub(crate) fn run<'c>(
    cx: LoweringContext<'c>,
    definitions: Blocks<(Node, Span)>,
    unevaluated: Vec<(Unevaluated, Span)>,
    objects: &mut Vec<Object>,
    names: &mut Hidden<'c>,
    sink: &mut Sink,
) -> Lowered {
    let Checked { referenced, others, mut broken } =
        check_all(cx, definitions, unevaluated, names, sink);
    let mut instances = Instances::new(referenced);
    instances.declare_data(cx.external, objects);
    if let Some(reported) = sink.reported() {
        let keys = broken.iter().map(|broken| broken.key.clone());
        instances.declare_broken(keys, names, reported);
    }
    let chains = instances.chains_of(others.iter(), cx.fuel, sink);
    instances.declare_chains(chains);
    copies::spend(cx, &instances, others.iter(), sink);
    let mut summaries = Vec::new();
    for setup in cx.setups.iter().filter(|_| !cx.fuel.is_out()) {
        (setup.dialect.check_definitions)(&instances, setup, sink);
        if cx.is_summarized {
            summaries.extend((setup.dialect.summarize)(&instances, setup));
        }
    }
    let bases = instances.bases(instances.all().iter().chain(others.iter()));
    let first = instances.all().iter().chain(others.iter()).next();
    let place = first.map_or(cx.texts.start(), |first| first.document.start_point());
    let compiled = within(cx.fuel, (place, "compile definitions"), sink, |sink| {
        compile_all(cx, &instances, others, objects, &mut broken, sink);
    });
    let mut partial = Partial::default();
    if compiled.is_none() || sink.is_over() {
        // References to the objects that are left out would be reported as missing.
        objects.clear();
    } else {
        let rests = broken
            .iter_mut()
            .filter_map(|broken| broken.rest.take())
            .filter(|rest| is_valid(cx, &rest.instance))
            .take(MAX_RESTS)
            .collect();
        partial = compile_rests(cx, rests, &mut instances, objects, sink);
    }
    Lowered { broken, summaries, bases, partial }
}

impl<'c> LoweringContext<'c> {
    pub(super) fn setup_of(self, kind: &'static Kind) -> Option<&'c Setup> {
        let has = |setup: &&Setup| setup.dialect.kinds.iter().any(|own| std::ptr::eq(own, kind));
        self.setups.iter().find(has)
    }

    pub(super) fn broken(self, instance: &Instance) -> Broken {
        let declare = |setup| (instance.kind.declares)(instance, setup);
        let objects = self.setup_of(instance.kind).map_or_else(Vec::new, declare);
        Broken { key: instance.key(), objects, rest: None }
    }
}
