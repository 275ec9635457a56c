//! Merging an applied form into an object, removing fields from it, and comparing two forms: the walkers of the Go
//! package `typed`.

use super::Failure;
use super::fields::{FieldSet, Step};
use super::typed::{Shape, Typed};
use crate::schema::ListType;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Entry, Map, Node, Value};

/// Both forms of a value; at least one exists.
type Forms<'n> = [Option<&'n Node>; 2];

fn is_empty(node: Option<&Node>) -> bool {
    node.is_none_or(|node| node.entries().is_empty() && node.items().is_empty())
}

/// Both forms of a field. One that is null is not absent.
fn fields_of<'n>(forms: Forms<'n>, name: &str) -> Forms<'n> {
    forms.map(|form| form.and_then(Node::as_map).and_then(|map| map.get(name)))
}

/// An object with an applied form over it: nothing is removed (`Merge`). `None` if nothing results.
pub(super) fn merge(ty: Typed<'_>, [live, new]: Forms<'_>) -> Result<Option<Node>, Failure> {
    let Some(known) = new.or(live) else { return Ok(None) };
    let origin = known.origin();
    let result = match ty.shape(known) {
        Shape::Map if !(is_empty(live) && is_empty(new)) => {
            let names = live.into_iter().chain(new).flat_map(Node::entries);
            let mut seen = SortedSet::new();
            let mut map = Map::default();
            for entry in names.filter(|entry| seen.insert(entry.key())) {
                let name = entry.key();
                let forms = fields_of([live, new], name);
                if let Some(value) = merge(ty.field(name).0, forms)? {
                    map.insert(name, value.origin(), value);
                }
            }
            (!map.is_empty()).then(|| Node::new(Value::Map(map), origin))
        }
        Shape::List(identity) if !(is_empty(live) && is_empty(new)) => {
            let items = merge_items(ty, identity, [live, new])?;
            (!items.is_empty()).then(|| Node::list(items, origin))
        }
        _ => Some(known.clone()),
    };
    Ok(result)
}

/// The items of a list by their steps. Of two with one step, none is merged.
struct Index<'n> {
    steps: Vec<Step>,
    items: Vec<&'n Node>,
    by_step: SortedMap<Step, Option<&'n Node>>,
}

impl<'n> Index<'n> {
    fn new(ty: Typed<'_>, identity: ListType<'_>, list: Option<&'n Node>) -> Result<Self, Failure> {
        let items: Vec<_> = list.map_or(&[][..], Node::items).iter().collect();
        let (mut steps, mut by_step) = (Vec::new(), SortedMap::<_, Option<&Node>>::new());
        for (item, index) in items.iter().zip(0..) {
            let step = ty.step(identity, item);
            let step = step.ok_or_else(|| Failure::NoKey { path: String::new(), index })?;
            let is_known = by_step.contains_key(&step);
            by_step.insert(step.clone(), (!is_known).then_some(*item));
            steps.push(step);
        }
        Ok(Self { steps, items, by_step })
    }

    fn has(&self, step: &Step) -> bool {
        self.by_step.contains_key(step)
    }

    fn get(&self, index: usize) -> Option<(&Step, &'n Node)> {
        self.steps.get(index).zip(self.items.get(index).copied())
    }

    /// An item over the one with its step. One that is repeated counts as null.
    fn merge_with(&self, ty: Typed<'_>, step: &Step, item: &Node) -> Result<Option<Node>, Failure> {
        let null = Node::new(Value::Null, item.origin());
        let known = self.by_step.get(step).map(|known| known.unwrap_or(&null));
        merge(ty, [known, Some(item)])
    }
}

/// Merges the items of a list; the order is that of the applied form where it has the items (`visitListItems`).
fn merge_items(
    ty: Typed<'_>,
    identity: ListType<'_>,
    [live, new]: Forms<'_>,
) -> Result<Vec<Node>, Failure> {
    let (live, new) = (Index::new(ty, identity, live)?, Index::new(ty, identity, new)?);
    let item_type = ty.items();
    let mut shared = new.steps.iter().filter(|step| live.has(step));
    let mut next_shared = shared.next();
    let (mut merged, mut out) = (SortedSet::new(), Vec::new());
    let (mut left, mut right) = (0, 0);
    loop {
        let (old, applied) = (live.get(left), new.get(right));
        if let (Some((step, _)), Some((other, item))) = (old, applied) {
            if step == other {
                merged.insert(step);
                out.extend(live.merge_with(item_type, step, item)?);
                (left, right, next_shared) = (left + 1, right + 1, shared.next());
                continue;
            }
            if new.has(step) && next_shared.is_some_and(|next| next != step) {
                left += 1;
                continue;
            }
        }
        if let Some((step, item)) = old {
            if !new.has(step) {
                out.extend(merge(item_type, [Some(item), None])?);
                left += 1;
                continue;
            }
            if merged.contains(&step) {
                left += 1;
            }
        }
        match applied {
            Some((step, item)) => {
                merged.insert(step);
                out.extend(live.merge_with(item_type, step, item)?);
                right += 1;
                if next_shared == Some(step) {
                    next_shared = shared.next();
                }
            }
            None if old.is_none() => return Ok(out),
            None => {}
        }
    }
}

/// A value without the items and fields of a set (`RemoveItems`). What is empty then is null.
pub(super) fn remove(ty: Typed<'_>, node: &Node, set: &FieldSet) -> Node {
    let removed = |step: &Step, ty: Typed<'_>, node: &Node| match set.below(step) {
        _ if set.has(step) => None,
        Some(below) => Some(remove(ty, node, below)),
        None => Some(node.clone()),
    };
    let value = match (ty.shape(node), &node.value) {
        (Shape::Map, Value::Map(map)) => {
            let kept: Map = map
                .entries()
                .iter()
                .filter_map(|entry| {
                    let step = Step::Field(entry.key().to_owned());
                    let value = removed(&step, ty.field(entry.key()).0, entry.value())?;
                    Some(Entry { key: entry.key.clone(), value })
                })
                .collect();
            if kept.is_empty() { Value::Null } else { Value::Map(kept) }
        }
        (Shape::List(identity), Value::List(items)) => {
            let kept = items.iter().filter_map(|item| match ty.step(identity, item) {
                Some(step) => removed(&step, ty.items(), item),
                None => Some(item.clone()),
            });
            let kept: Vec<_> = kept.collect();
            if kept.is_empty() { Value::Null } else { Node::list(kept, node.origin()).value }
        }
        (_, Value::Map(_) | Value::List(_)) => Value::Null,
        (_, value) => value.clone(),
    };
    Node::new(value, node.origin())
}

/// The fields that differ between two forms: `Comparison` in Go.
#[derive(Default)]
pub(super) struct Comparison {
    pub(super) removed: FieldSet,
    pub(super) modified: FieldSet,
    pub(super) added: FieldSet,
}

impl Comparison {
    pub(super) fn of(ty: Typed<'_>, old: &Node, new: &Node) -> Self {
        let mut comparison = Self::default();
        comparison.compare(ty, [Some(old), Some(new)], &mut Vec::new());
        comparison
    }

    fn compare(&mut self, ty: Typed<'_>, forms: Forms<'_>, path: &mut Vec<Step>) {
        let [old, new] = forms.map(|form| form.map(|node| ty.shape(node)));
        // A value without a schema can change its form.
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            self.compare_as(ty, old, forms, path);
        }
        let Some(shape) = new.or(old) else { return };
        if !self.compare_as(ty, shape, forms, path) {
            match forms {
                [None, _] => self.added.insert(path),
                [_, None] => self.removed.insert(path),
                _ => {}
            }
        }
    }

    /// Compares two values in a form. Returns whether they are compared as one.
    fn compare_as(
        &mut self,
        ty: Typed<'_>,
        shape: Shape<'_>,
        forms: Forms<'_>,
        path: &mut Vec<Step>,
    ) -> bool {
        let [old, new] = forms;
        if shape == Shape::Leaf || is_empty(old) && is_empty(new) {
            match forms {
                [None, _] => self.added.insert(path),
                [_, None] => self.removed.insert(path),
                [Some(old), Some(new)] if !old.same_value(new) => self.modified.insert(path),
                _ => {}
            }
            return true;
        }
        if let Shape::List(identity) = shape {
            self.compare_items(ty, identity, forms, path);
            return false;
        }
        let mut known = SortedSet::new();
        for entry in old.into_iter().chain(new).flat_map(Node::entries) {
            let name = entry.key();
            if known.insert(name) {
                let forms = fields_of(forms, name);
                path.push(Step::Field(name.to_owned()));
                self.compare(ty.field(name).0, forms, path);
                path.pop();
            }
        }
        false
    }

    fn compare_items(
        &mut self,
        ty: Typed<'_>,
        identity: ListType<'_>,
        forms: Forms<'_>,
        path: &mut Vec<Step>,
    ) {
        let mut by_step = SortedMap::<Step, [Vec<&Node>; 2]>::new();
        let [old, new] = forms.map(|form| form.map_or(&[][..], Node::items));
        for item in old {
            if let Some(step) = ty.step(identity, item) {
                let [old, _] = by_step.entry(step).or_default();
                old.push(item);
            }
        }
        for item in new {
            if let Some(step) = ty.step(identity, item) {
                let [_, new] = by_step.entry(step).or_default();
                new.push(item);
            }
        }
        for (step, [old, new]) in by_step {
            path.push(step);
            match (&old[..], &new[..]) {
                ([] | [_], [] | [_]) => {
                    let forms = [&old, &new].map(|items| items.first().copied());
                    self.compare(ty.items(), forms, path);
                }
                ([_, _, ..], [_, _, ..]) => {
                    let mut pairs = old.iter().zip(&new);
                    if old.len() != new.len() || !pairs.all(|(old, new)| old.same_value(new)) {
                        self.modified.insert(path);
                    }
                }
                ([_, _, ..], _) => {
                    if let Some(item) = new.first() {
                        self.compare(ty.items(), [None, Some(item)], path);
                    }
                    self.removed.insert(path);
                }
                _ => {
                    if let Some(item) = old.first() {
                        self.compare(ty.items(), [Some(item), None], path);
                    }
                    self.added.insert(path);
                }
            }
            path.pop();
        }
    }
}
