//! The comparison of an object with parts of it, for the expectations of tests.
//!
//! The parts are merged over the object, and the result is compared with the object. A part with the
//! meaning of what it replaces makes no difference.

use super::compare::{Around, BothSides};
use super::items::partners;
use super::masking::Masking;
use super::model::{FieldChange, Side};
use crate::compile::Compilation;
use crate::crd::CustomKinds;
use crate::diag::{FieldPath, PathStep};
use crate::kube::Object;
use crate::limits::Fuel;
use crate::schema::Arena;
use crate::source::Workspace;
use crate::tree::{Node, Value};

/// Compares the objects of a compilation with expectations.
pub(crate) struct Comparer<'c> {
    cx: BothSides<'c>,
}

impl Comparer<'_> {
    /// Passes a comparer for the objects of a compilation to `ask`.
    pub(crate) fn within<R>(
        workspace: &Workspace,
        compilation: &Compilation,
        ask: impl FnOnce(&Comparer<'_>) -> R,
    ) -> R {
        let arenas = [Arena::new(), Arena::new()];
        let [first, second] = &arenas;
        let side = Side::new(workspace, compilation);
        let custom = [custom_kinds(&side, first), custom_kinds(&side, second)];
        let fuel = Fuel::of_run(workspace.bytes());
        ask(&Comparer {
            cx: BothSides { sides: [&side, &side], custom: &custom, classes: &[], fuel: &fuel },
        })
    }

    /// The rules by which the secrets of the objects are hidden.
    pub(crate) const fn masking(&self) -> &Masking<'_> {
        let [side, _] = self.cx.sides;
        &side.masking
    }

    /// The fields of a part of an object that the object does not have: the old values are those of
    /// the object, the new ones those of the part.
    pub(crate) fn unmet(&self, object: &Object, part: &Node) -> Vec<FieldChange> {
        let [_, custom] = self.cx.custom;
        let mut built = object.root.clone();
        if object.gvk.is("", "Secret") {
            drop_strings(&mut built, part);
        }
        let root = merged_over(&built, part, Around::root(object, custom));
        self.cx.fields(object, &Object { root, ..object.clone() })
    }

    /// As [`unmet`](Self::unmet), for one field, which may lead through lists. `steps` are the indexes
    /// and keys up to the last value that the object has, `missing` those that it does not have.
    pub(crate) fn unmet_field(
        &self,
        object: &Object,
        steps: &[PathStep],
        missing: &FieldPath,
        value: &Node,
    ) -> Vec<FieldChange> {
        let mut other = object.clone();
        if let Some(place) = other.root.at_path_mut(steps) {
            let mut value = value.clone();
            if let Some((first, rest)) = missing.steps().split_first()
                && let Some(key) = first.name()
            {
                for step in rest.iter().rev() {
                    let Some(key) = step.name() else { break };
                    let mut map = Node::map(value.origin());
                    map.set(key, value);
                    value = map;
                }
                place.set(key, value);
            } else {
                *place = value;
            }
        }
        self.cx.fields(object, &other)
    }
}

/// The custom resources of a side. Only definitions are read, and a compilation has few of them.
fn custom_kinds<'a>(side: &Side<'a>, arena: &'a Arena<'a>) -> CustomKinds<'a> {
    let is_definition =
        |it: &&Object| it.gvk.is("apiextensions.k8s.io", "CustomResourceDefinition");
    let kinds = &side.compilation.kinds;
    let mut definitions = kinds.definitions.clone();
    definitions.extend(side.objects().iter().filter(is_definition).cloned());
    CustomKinds::new(arena, kinds.systems.iter().copied(), &definitions, side.workspace)
}

/// Removes the `stringData` of a Secret that `data` of the part names: it would take precedence.
fn drop_strings(secret: &mut Node, part: &Node) {
    let Some(data) = part.get("data") else { return };
    let strings = secret.get_mut("stringData").and_then(Node::as_map_mut);
    let Some(strings) = strings else { return };
    strings.retain(|it| data.get(&it.key).is_none());
}

/// An object with a part of another one merged over it: maps are merged, lists by the keys of their
/// items, and `null` removes a field. An empty list is one without items.
fn merged_over(built: &Node, part: &Node, around: Around<'_>) -> Node {
    match (&built.value, &part.value) {
        (Value::Map(_), Value::Map(map)) => {
            let mut whole = built.clone();
            for entry in map.entries() {
                if entry.value.is_null() {
                    whole.as_map_mut().and_then(|it| it.remove(&entry.key));
                    continue;
                }
                let (below, _) = around.below(&entry.key);
                let value = match built.get(&entry.key) {
                    Some(value) => merged_over(value, &entry.value, below),
                    None if is_empty_list(&entry.value) => continue,
                    None => entry.value.clone(),
                };
                whole.set(entry.key.text().clone(), value);
            }
            whole
        }
        (Value::List(items), Value::List(parts)) if !parts.is_empty() => {
            let Some(partners) = partners([items, parts], around) else { return part.clone() };
            let mut whole: Vec<_> = items.iter().cloned().collect();
            for (part, partner) in parts.iter().zip(partners) {
                let item = partner.and_then(|it| whole.get_mut(it));
                match item {
                    Some(item) => *item = merged_over(item, part, around.items()),
                    None => whole.push(part.clone()),
                }
            }
            Node::list(whole, built.origin())
        }
        _ => part.clone(),
    }
}

fn is_empty_list(node: &Node) -> bool {
    matches!(&node.value, Value::List(items) if items.is_empty())
}
