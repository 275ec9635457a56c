//! `Trials`: definitions that are compiled repeatedly with changes, to see what each part does.

use super::checked::check;
use super::compiled::compile;
use super::stage::LoweringContext;
use super::{Instance, Instances};
use crate::diag::Sink;
use crate::kube::Object;
use crate::parallel::{Blocks, ordered_each};
use crate::source::Span;
use crate::tree::Node;

/// The definitions of a run. Unlike in the stage itself, all kinds are found by name.
#[derive(Debug)]
pub(crate) struct Trials<'c> {
    cx: LoweringContext<'c>,
    instances: Instances<'c>,
}

impl<'c> Trials<'c> {
    /// Checks the definitions; those with a fault are left out, without a message.
    pub(crate) fn new(
        cx: LoweringContext<'c>,
        definitions: Blocks<(Node, Span)>,
        objects: &[Object],
    ) -> Self {
        let mut sound = Vec::new();
        let check = |(root, document)| check(cx, root, document, &mut Sink::new());
        ordered_each(definitions, check, |outcome| sound.extend(outcome.and_then(Result::ok)));
        let mut instances = Instances::new(sound);
        instances.declare_data(cx.external, objects);
        Self { cx, instances }
    }

    /// The definitions.
    pub(crate) fn all(&self) -> &[Instance] {
        self.instances.all()
    }

    /// The indexes of the definitions with this name that others can refer to.
    pub(crate) fn named(&self, namespace: &str, name: &str) -> impl Iterator<Item = usize> {
        self.instances.named(namespace, name)
    }

    /// The objects of one definition, as all definitions are now.
    pub(crate) fn objects(&self, at: usize) -> Vec<Object> {
        let Some(instance) = self.instances.all().get(at) else { return Vec::new() };
        compile(self.cx, instance.clone(), instance, &self.instances, 0).made
    }

    /// Replaces the document of a definition and returns the old one. The name must not change.
    pub(crate) fn replace(&mut self, at: usize, root: Node) -> Option<Node> {
        let own = self.instances.root_mut(at)?;
        Some(std::mem::replace(own, root))
    }
}
