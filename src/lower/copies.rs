//! The values that definitions copy from others or repeat, for which fuel is spent before anything is
//! copied.

use std::cell::RefCell;

use super::instances::kind_name;
use super::stage::LoweringContext;
use super::{DataKind, Instance, Instances};
use crate::decode::Record;
use crate::diag::{Sink, out_of_fuel};
use crate::limits::Fuel;
use crate::sorted::SortedMap;

/// The values of the definitions of a run, with the values that they copy. 64 bytes of text count as
/// a value.
pub(crate) struct Weights<'w> {
    instances: &'w Instances<'w>,
    copied_by: &'w CopiedBy<'w>,
    /// By the index of a definition.
    known: RefCell<SortedMap<usize, usize>>,
}

/// The values that a definition copies.
type CopiedBy<'w> = dyn Fn(&Instance, &Weights<'_>) -> usize + 'w;

impl Weights<'_> {
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
            let weight = instance.root.weight().saturating_add((self.copied_by)(instance, self));
            self.known.borrow_mut().insert(at, weight);
            weight
        })
    }

    /// Those of the data of a Secret or ConfigMap whose keys are known.
    pub(crate) fn of_data(&self, kind: DataKind, namespace: &str, name: &str) -> usize {
        self.instances.data(kind, namespace, name).map_or(0, |data| data.keys().len())
    }
}

/// Spends fuel for the values that definitions copy. Returns the first one for which there is not enough.
pub(crate) fn first_too_large<'i>(
    instances: &'i Instances<'_>,
    others: impl Iterator<Item = &'i Instance>,
    copied_by: &CopiedBy<'_>,
    fuel: &Fuel<'_>,
) -> Option<&'i Instance> {
    let weights = Weights { instances, copied_by, known: RefCell::default() };
    instances.all().iter().chain(others).find(|instance| !fuel.make(copied_by(instance, &weights)))
}

/// Spends fuel for the values that definitions copy, and reports the first one for which there is not
/// enough.
pub(super) fn spend<'i>(
    cx: LoweringContext<'_>,
    instances: &'i Instances<'_>,
    others: impl Iterator<Item = &'i Instance>,
    sink: &mut Sink,
) {
    let copied_by = |instance: &Instance, weights: &Weights<'_>| {
        let setup = cx.setup_of(instance.kind);
        setup.map_or(0, |setup| (setup.dialect.copied)(instance, setup, weights))
    };
    if let Some(first) = first_too_large(instances, others, &copied_by, cx.fuel) {
        let place = first.document.start_point();
        let finding = out_of_fuel(cx.fuel, place, "copy what definitions refer to");
        sink.report(finding.help("make the definitions that others refer to smaller"));
    }
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
            kind: kinds.clone().find(|known| known.name == *kind).unwrap(),
            root: Node::from_json(json!({"metadata": {"name": "a"}, "spec": spec}), origin),
            document: origin.span(),
        };
        let instances = Instances::new(definitions.iter().map(instance).collect());
        let (setups, shared) = (setups(&Node::map(origin), &[], origin), shared_kinds());
        let fuel = Fuel::for_values(MOST);
        let cx = LoweringContext {
            dialects: DIALECTS,
            setups: &setups,
            targets: Versions::default(),
            texts: &workspace,
            shared: &shared,
            namespace: None,
            external: &[],
            is_summarized: false,
            fuel: &fuel,
        };
        let mut sink = Sink::new();
        spend(cx, &instances, std::iter::empty(), &mut sink);
        let rules: Vec<_> = sink.iter().map(|finding| finding.rule.name).collect();
        assert_eq!(rules, if fuel.is_out() { vec!["too-much-work"] } else { vec![] });
        !fuel.is_out()
    }

    const MOST: usize = 3_000_000;

    #[test]
    fn copied_values_spend_fuel() {
        let each = MOST / 1000;
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
