//! The limit on the values that definitions copy from others or repeat, checked before anything is
//! copied.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::budget::DEFINITIONS_TOO_LARGE;
use super::instances::kind_name;
use super::stage::Cx;
use super::{DataKind, Instance, Instances, Setup};
use crate::decode::Record;
use crate::diag::{Diagnostic, Sink};
use crate::limits;
use crate::source::Span;

/// The values of the definitions of a run, with the values that they copy. 64 bytes of text count as
/// a value.
#[derive(Debug)]
pub(crate) struct Weights<'w> {
    cx: Cx<'w>,
    instances: &'w Instances<'w>,
    /// By the index of a definition.
    known: RefCell<BTreeMap<usize, usize>>,
}

impl<'w> Weights<'w> {
    fn new(cx: Cx<'w>, instances: &'w Instances<'w>) -> Self {
        Self { cx, instances, known: RefCell::default() }
    }

    /// Those of the definition with this name whose spec is `S`; 0 if it does not exist. Such a
    /// definition must not refer to others of its kind.
    pub(crate) fn of<S: Record>(&self, namespace: &str, name: &str) -> usize {
        let found = self.instances.position(kind_name::<S>(), namespace, name).ok().flatten();
        let Some((at, instance)) = found.and_then(|at| Some((at, self.instances.all().get(at)?)))
        else {
            return 0;
        };
        let known = self.known.borrow().get(&at).copied();
        known.unwrap_or_else(|| {
            let weight = instance.root.weight().saturating_add(self.copied_by(instance));
            self.known.borrow_mut().insert(at, weight);
            weight
        })
    }

    /// Those of the data of a Secret or ConfigMap whose keys are known.
    pub(crate) fn of_data(&self, kind: DataKind, namespace: &str, name: &str) -> usize {
        self.instances.data(kind, namespace, name).map_or(0, |it| it.keys().len())
    }

    /// The values that a definition copies.
    fn copied_by(&self, instance: &Instance) -> usize {
        let setup = self.cx.setup_of(instance.kind);
        setup.map_or(0, |it: &Setup| (it.dialect.copied)(instance, it, self))
    }
}

/// Whether the definitions copy as many values as the limit allows; reports the first one above it.
pub(super) fn are_small<'i>(
    cx: Cx<'_>,
    instances: &'i Instances<'_>,
    others: impl Iterator<Item = &'i Instance>,
    sink: &mut Sink,
) -> bool {
    let weights = Weights::new(cx, instances);
    let mut total = 0_usize;
    for instance in instances.all().iter().chain(others) {
        total = total.saturating_add(weights.copied_by(instance));
        if total > limits::COPIED_VALUES.count() {
            sink.report(too_large(instance.document));
            return false;
        }
    }
    true
}

fn too_large(document: Span) -> Diagnostic {
    let most = limits::thousands(limits::COPIED_VALUES.count());
    let message = format!("definitions copy more than {most} values from others in this run");
    Diagnostic::new(&DEFINITIONS_TOO_LARGE, document.start_point(), message)
        .at("first definition above the limit")
        .note("64 bytes of text count as a value; the definitions are not compiled")
        .help("refer to smaller definitions, or compile fewer definitions at a time")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::dialect::{DIALECTS, setups, shared_kinds};
    use crate::schema::Versions;
    use crate::source::Workspace;
    use crate::tree::{Node, Origin};

    /// Whether these definitions, each with its kind and spec, are within the limit.
    fn fit(definitions: &[(&str, Value)]) -> bool {
        let workspace = Workspace::new();
        let origin = Origin::source(workspace.start());
        let kinds = DIALECTS.iter().flat_map(|it| it.kinds);
        let instance = |(kind, spec): &(&str, Value)| Instance {
            kind: kinds.clone().find(|it| it.name == *kind).unwrap(),
            root: Node::from_json(json!({"metadata": {"name": "a"}, "spec": spec}), origin),
            document: origin.span(),
        };
        let instances = Instances::new(definitions.iter().map(instance).collect());
        let (setups, shared) = (setups(&Node::map(origin), &[], origin), shared_kinds());
        let cx = Cx {
            dialects: DIALECTS,
            setups: &setups,
            targets: Versions::default(),
            texts: &workspace,
            shared: &shared,
            namespace: None,
            external: &[],
            is_summarized: false,
        };
        let mut sink = Sink::new();
        let are_small = are_small(cx, &instances, std::iter::empty(), &mut sink);
        let rules: Vec<_> = sink.iter().map(|it| it.rule.name).collect();
        assert_eq!(rules, if are_small { vec![] } else { vec!["definitions-too-large"] });
        are_small
    }

    #[test]
    fn the_limit_of_copied_values_is_exact() {
        let each = limits::COPIED_VALUES.count() / 1000;
        // The definition, `metadata`, its name, `spec` and the text.
        let text = "x".repeat((each - 5) * 64);
        let task = |count: usize| ("Task", json!({"agentConfigs": vec!["a"; count]}));
        for (count, expected) in [(999, true), (1000, true), (1001, false)] {
            let config = ("AgentConfig", json!({"agentsMD": text}));
            assert_eq!(fit(&[config, task(count)]), expected, "{count}");
        }
        let pool = |count: usize| {
            let label = json!({"name": "l", "type": "pod"});
            json!({"name": "p", "nodeAttributes": {"a": text}, "labels": vec![label; count]})
        };
        for (count, expected) in [(1000, true), (1002, false)] {
            assert_eq!(fit(&[("NodePool", json!({"pools": [pool(count)]}))]), expected, "{count}");
        }
        let nodes = |count: usize| {
            let nodes = vec![json!({"label": "l"}); count];
            ("NodePool", json!({"pools": [pool(1)], "nodes": nodes}))
        };
        assert!(fit(&[nodes(500)]) && !fit(&[nodes(1000)]));
    }
}
