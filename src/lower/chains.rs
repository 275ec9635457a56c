//! Chains of `extends` that are too long, and the fuel for what all of them copy, before anything is
//! merged. Takes linear time for any input.

use super::ancestors::too_deep_finding;
use super::{Instance, Instances};
use crate::diag::{Reported, Sink, out_of_fuel};
use crate::limits::{self, Fuel};
use crate::sorted::SortedSet;
use crate::tree::Node;

/// The chains of a run that are over a limit, which was reported.
#[derive(Debug, Default)]
pub(super) struct Chains {
    /// By the index of a definition: whether no other can inherit from it.
    too_long: Vec<Option<Reported>>,
}

impl Chains {
    /// # Errors
    /// If the chain of this definition is too long.
    pub(super) fn is_short(&self, index: usize) -> Result<(), Reported> {
        self.too_long.get(index).copied().flatten().map_or(Ok(()), Err)
    }
}

/// A value that is merged takes about as long as so many that are made: it is searched in what is below, copied, and
/// its origin is decided.
const OF_MERGED: usize = 2;

/// The size of the fields that a definition passes on to one that extends it.
#[derive(Clone, Copy, Debug, Default)]
struct Inherited {
    /// The definition and its ancestors.
    definitions: usize,
    /// Their values.
    values: usize,
    /// The definition, or one of its ancestors, has too many ancestors.
    fault: Option<Reported>,
}

impl Instances<'_> {
    /// Checks the limits of `extends` for these definitions and for `others`, which nothing extends.
    /// What is over a limit has one finding, whatever extends it.
    pub(super) fn chains_of<'i>(
        &self,
        others: impl Iterator<Item = &'i Instance>,
        fuel: &Fuel<'_>,
        sink: &mut Sink,
    ) -> Chains {
        let bases: Vec<_> = self.all().iter().map(|instance| self.base_of(instance)).collect();
        let inherited = self.inherited(&bases, sink);
        let too_long = inherited.iter().map(|it| it.fault).collect();
        let of_others = others.map(|instance| (instance, self.base_of(instance)));
        for (heir, base) in self.all().iter().zip(bases).chain(of_others) {
            // From a chain that is too long nothing is inherited.
            let passed_on = base.and_then(|base| inherited.get(base));
            let Some(passed_on) = passed_on.filter(|it| it.fault.is_none()) else { continue };
            if !fuel.make(passed_on.values.saturating_mul(OF_MERGED)) {
                let place = heir.extends().map_or(heir.document, Node::span);
                let finding = out_of_fuel(fuel, place, "copy what definitions extend");
                sink.report(finding.help("make the extended definitions smaller"));
                break;
            }
        }
        Chains { too_long }
    }

    /// Computes the size that each definition passes on.
    fn inherited(&self, bases: &[Option<usize>], sink: &mut Sink) -> Vec<Inherited> {
        let mut inherited: Vec<Option<Inherited>> = vec![None; bases.len()];
        for start in 0..bases.len() {
            let mut path = Vec::new();
            let mut on_path = SortedSet::new();
            let mut next = Some(start);
            let mut base = Inherited::default();
            while let Some(index) = next {
                if let Some(known) = inherited.get(index).copied().flatten() {
                    base = known;
                    break;
                }
                if !on_path.insert(index) {
                    base.fault = self.long_cycle(&path, index, sink);
                    break;
                }
                path.push(index);
                next = bases.get(index).copied().flatten();
            }
            for index in path.into_iter().rev() {
                base = self.passed_on(index, base, sink);
                if let Some(slot) = inherited.get_mut(index) {
                    *slot = Some(base);
                }
            }
        }
        // Each has a value now.
        inherited.into_iter().flatten().collect()
    }

    /// The size that a definition passes on if it extends one that passes on `base`.
    fn passed_on(&self, index: usize, base: Inherited, sink: &mut Sink) -> Inherited {
        let Some(instance) = self.all().get(index) else { return base };
        let values = base.values.saturating_add(instance.root.weight());
        let is_long = base.definitions > limits::EXTENDS_LENGTH.count();
        let fault = base.fault.or_else(|| is_long.then(|| report_too_deep(instance, sink)));
        Inherited { definitions: base.definitions.saturating_add(1), values, fault }
    }

    /// A cycle that is longer than a chain can be is reported as such, once: to name all of its members
    /// would be of no use. `path` ends with the cycle, which starts at `first`.
    fn long_cycle(&self, path: &[usize], first: usize, sink: &mut Sink) -> Option<Reported> {
        let start = path.iter().position(|member| *member == first)?;
        let members = path.get(start..)?;
        if members.len() <= limits::EXTENDS_LENGTH.count() {
            return None;
        }
        let earliest = members.iter().filter_map(|member| self.all().get(*member));
        Some(report_too_deep(earliest.min_by_key(|it| it.document)?, sink))
    }
}

fn report_too_deep(heir: &Instance, sink: &mut Sink) -> Reported {
    sink.error(too_deep_finding(heir.extends().map_or(heir.document, Node::span)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::dialect::DIALECTS;
    use crate::source::Workspace;
    use crate::tree::Origin;

    fn template(name: &str, spec: &serde_json::Value) -> Instance {
        let kinds = DIALECTS.iter().flat_map(|it| it.kinds);
        let kind = kinds.into_iter().find(|kind| kind.name == "Template").unwrap();
        let origin = Origin::source(Workspace::new().start());
        let root = Node::from_json(json!({"metadata": {"name": name}, "spec": spec}), origin);
        Instance { kind, root, document: origin.span() }
    }

    /// The rules that these definitions break with what extends what.
    fn faults(instances: Vec<Instance>) -> Vec<&'static str> {
        let (mut sink, fuel) = (Sink::new(), Fuel::for_values(MOST));
        Instances::new(instances).chains_of(std::iter::empty(), &fuel, &mut sink);
        sink.iter().map(|finding| finding.rule.name).collect()
    }

    const TOO_LARGE: &str = "too-much-work";
    const MOST: usize = 10_000_000;

    #[test]
    fn inherited_values_spend_fuel() {
        let heirs = 1000;
        let values = MOST / heirs / OF_MERGED;
        // The document, `metadata`, its name, `spec` and the list.
        let base = template("base", &json!({"args": vec!["x"; values - 5]}));
        assert_eq!(base.root.weight(), values);
        for (more, expected) in [(-1, vec![]), (0, vec![]), (1, vec![TOO_LARGE])] {
            let count = heirs.checked_add_signed(more).unwrap();
            let heir = |number| template(&format!("t{number}"), &json!({"extends": "base"}));
            let all = std::iter::once(base.clone()).chain((0..count).map(heir)).collect();
            assert_eq!(faults(all), expected, "{count} heirs");
        }
        // Text counts as well: the document, `metadata`, its name, `spec` and the image.
        let base = template("base", &json!({"image": "x".repeat((values - 5) * 64)}));
        for (more, expected) in [(0, vec![]), (1, vec![TOO_LARGE])] {
            let heir = |number| template(&format!("t{number}"), &json!({"extends": "base"}));
            let all = std::iter::once(base.clone()).chain((0..heirs + more).map(heir)).collect();
            assert_eq!(faults(all), expected, "{more} more heirs");
        }
    }

    /// Definitions of which each extends the one before it, and the first the one named.
    fn chain(count: usize, first: &str) -> Vec<Instance> {
        let of = |number: usize| match number {
            0 => template("t0", &json!({"extends": first})),
            _ => template(&format!("t{number}"), &json!({"extends": format!("t{}", number - 1)})),
        };
        (0..count).map(of).collect()
    }

    #[test]
    fn a_chain_of_any_length_has_one_finding() {
        let most = limits::EXTENDS_LENGTH.count();
        for (count, expected) in
            [(most, vec![]), (most + 1, vec![]), (most + 2, vec!["extends-too-deep"])]
        {
            assert_eq!(faults(chain(count, "absent")), expected, "{count}");
        }
        assert_eq!(faults(chain(100_000, "absent")), ["extends-too-deep"]);
        // A short cycle is reported with all of its members, elsewhere.
        assert_eq!(faults(chain(most, &format!("t{}", most - 1))), [""; 0]);
        assert_eq!(faults(chain(100_000, "t99999")), ["extends-too-deep"]);
    }
}
