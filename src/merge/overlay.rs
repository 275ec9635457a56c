//! The merge of two trees of one type.
//!
//! Existing entries keep their order; new ones follow in the layer's own order. Each node keeps the
//! origin of the layer that set it; a map made by two layers belongs to the first one that an
//! author wrote.

use lean_string::LeanStr;

use super::key::are_equal;
use super::strategy::{self, Row, Strategy};
use super::{Trace, findings, union};
use crate::diag::{Diagnostic, Sink};
use crate::schema::{Object, Type};
use crate::sorted::SortedSet;
use crate::tree::{Entry, Map, Node, Origin, Path, Value};

/// Data that all merges of a run share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeContext<'c> {
    /// The dialect's own rows, which take precedence over the general ones.
    pub(crate) rows: &'c [Row<'c>],
    /// The path of the trees in the object, for messages: `spec.template.spec`.
    pub(crate) path: Path<'c>,
}

/// Merges `over` onto `base`.
///
/// A `null` or an empty list in `over` removes nothing. Values that cannot be merged (a map with a
/// list, an item without its key) are reported with both spans, and the value below is kept.
/// Unknown keys are copied with their origin: the schema check reports them.
pub(crate) fn overlay(
    cx: &MergeContext<'_>,
    base: Node,
    over: &Node,
    ty: Type<'_>,
    trace: Option<&mut Trace>,
    sink: &mut Sink,
) -> Node {
    let mut run = Run { rows: cx.rows, wins: Wins::Over, findings: Vec::new(), trace };
    let at = Place { path: &cx.path, depth: 0 };
    let merged = run.merge(base, over, ty, strategy::of_type(ty), at);
    for finding in run.findings {
        sink.report(finding);
    }
    merged
}

/// Sets the values of `layer` that `base` does not set, without reports.
///
/// Uses the same table as [`overlay`], but `base` takes precedence: items of keyed lists are
/// matched by key, an appended list gains missing items, and a union keeps its member.
pub(crate) fn underlay(cx: &MergeContext<'_>, base: Node, layer: &Node, ty: Type<'_>) -> Node {
    let mut run = Run { rows: cx.rows, wins: Wins::Base, findings: Vec::new(), trace: None };
    let at = Place { path: &cx.path, depth: 0 };
    run.merge(base, layer, ty, strategy::of_type(ty), at)
}

pub(super) const POD_SPEC: &str = "io.k8s.api.core.v1.PodSpec";
pub(super) const SERVICE_ACCOUNT_NAME: &str = "serviceAccountName";
pub(super) const SERVICE_ACCOUNT_ALIAS: &str = "serviceAccount";

/// The side that takes precedence if both have a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wins {
    /// The upper layer, which an author wrote, so that conflicts are reported.
    Over,
    /// The tree below; the layer is built in, and conflicts are not reported.
    Base,
}

/// The current position of the merge.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    pub(super) path: &'p Path<'p>,
    /// Maps and lists between the root and here.
    pub(super) depth: usize,
}

pub(super) struct Run<'r> {
    pub(super) rows: &'r [Row<'r>],
    pub(super) wins: Wins,
    findings: Vec<Diagnostic>,
    trace: Option<&'r mut Trace>,
}

impl Run<'_> {
    pub(super) fn merge(
        &mut self,
        base: Node,
        over: &Node,
        ty: Type<'_>,
        strategy: Strategy<'_>,
        at: Place<'_>,
    ) -> Node {
        let ty = strategy::structural_type(ty);
        let origin = base.origin();
        match (&base.value, &over.value) {
            (Value::Null, _) => adopt_value(over),
            (Value::Map(_), Value::Map(_))
                if matches!(strategy, Strategy::Replace | Strategy::ReplaceKeeping(_)) =>
            {
                self.replace_map(base, over, strategy, at)
            }
            (Value::Map(_), Value::Map(above)) => {
                let below = Map::from(base.into_entries());
                self.report_empty(below.entries(), above.entries(), origin, over, at);
                let origin = joint_origin(origin, over.origin());
                Node::new(Value::Map(self.merge_maps(below, above, ty, at)), origin)
            }
            (Value::List(_), Value::List(above)) => {
                self.merge_lists(base, over, above, ty, strategy, at)
            }
            (Value::Map(_) | Value::List(_), _) | (_, Value::Map(_) | Value::List(_)) => {
                self.mismatch(base, over, at)
            }
            _ => self.replace(base, over, at),
        }
    }

    /// Chooses one of two values.
    pub(super) fn replace(&mut self, base: Node, over: &Node, at: Place<'_>) -> Node {
        match self.wins {
            Wins::Base => base,
            Wins::Over => {
                if self.trace.is_some() && !are_equal(&base, over) {
                    self.record(at.path, base.origin(), over.origin());
                }
                adopt_value(over)
            }
        }
    }

    fn replace_map(
        &mut self,
        base: Node,
        over: &Node,
        strategy: Strategy<'_>,
        at: Place<'_>,
    ) -> Node {
        let kept: Vec<Entry> = match strategy {
            Strategy::ReplaceKeeping(keys) if self.wins == Wins::Over => base
                .entries()
                .iter()
                .filter(|entry| keys.contains(&entry.key.as_str()))
                .filter(|entry| over.get(&entry.key).is_none())
                .cloned()
                .collect(),
            _ => Vec::new(),
        };
        let mut node = self.replace(base, over, at);
        if let Some(map) = node.as_map_mut() {
            for entry in kept {
                map.push(entry);
            }
        }
        node
    }

    fn mismatch(&mut self, base: Node, over: &Node, at: Place<'_>) -> Node {
        self.report(|| findings::type_mismatch(&base, over, at.path));
        base
    }

    fn merge_maps(&mut self, mut below: Map, above: &Map, ty: Type<'_>, at: Place<'_>) -> Map {
        let object = match ty {
            Type::Object(object) => Some(object),
            _ => None,
        };
        let skipped = object.and_then(|object| self.settle_union(object, &mut below, above, at));
        for entry in above.entries() {
            if skipped.as_ref().is_some_and(|skipped| skipped.keys.contains(entry.key.as_str())) {
                continue;
            }
            let Some(key) = self.unalias(entry, above, object) else { continue };
            let path = match ty {
                Type::Map(_) => at.path.key(&key),
                _ => at.path.field(&key),
            };
            let inner = Place { path: &path, depth: at.depth + 1 };
            match below.entry_mut(&key) {
                found if entry.value.is_null() => self.report_null(entry, found.as_deref(), inner),
                Some(found) => self.merge_entry(found, entry, ty, inner),
                None => {
                    let value = adopt_value(&entry.value);
                    below.push(Entry::new(key.clone(), entry.key_origin(), value));
                }
            }
        }
        below
    }

    fn merge_entry(&mut self, found: &mut Entry, entry: &Entry, ty: Type<'_>, at: Place<'_>) {
        let (value_type, strategy) = match ty {
            Type::Object(object) => match object.property(&found.key) {
                Some(property) => {
                    let rows = self.rows;
                    let strategy = strategy::of_field(rows, object, &found.key, property.value);
                    (property.value, strategy)
                }
                None => (Type::Any, Strategy::Merge),
            },
            Type::Map(value) => (*value, strategy::of_type(*value)),
            _ => (Type::Any, Strategy::Merge),
        };
        let below = std::mem::replace(&mut found.value, Node::new(Value::Null, entry.key_origin()));
        let was_null = below.is_null();
        found.value = self.merge(below, &entry.value, value_type, strategy, at);
        found.set_key_origin(if was_null || found.value.origin() == entry.value.origin() {
            entry.key_origin()
        } else {
            joint_origin(found.key_origin(), entry.key_origin())
        });
    }

    /// Removes the members of a union in `below` that the winner excludes; returns the keys of
    /// `above` that must not be added.
    fn settle_union<'n>(
        &mut self,
        object: &Object<'_>,
        below: &mut Map,
        above: &'n Map,
        at: Place<'_>,
    ) -> Option<union::Excluded<'n>> {
        if self.wins == Wins::Base {
            return union::excluded_keys(object, below, above);
        }
        let before = std::mem::take(below);
        let Some(excluded) = union::excluded_keys(object, above, &before) else {
            *below = before;
            return None;
        };
        let by = excluded.by;
        let gone: SortedSet<LeanStr> = excluded.keys.into_iter().map(LeanStr::from).collect();
        for entry in before.into_entries() {
            if gone.contains(entry.key.as_str()) {
                self.record(&at.path.field(&entry.key), entry.value.origin(), by);
            } else {
                below.push(entry);
            }
        }
        None
    }

    /// The name under which an entry is merged: `serviceAccount` is the API's deprecated name of
    /// `serviceAccountName`. `None` if the new name is set too.
    fn unalias(
        &mut self,
        entry: &Entry,
        above: &Map,
        object: Option<&Object<'_>>,
    ) -> Option<LeanStr> {
        let is_alias = object.is_some_and(|object| object.name == POD_SPEC)
            && entry.key == SERVICE_ACCOUNT_ALIAS
            && !entry.value.is_null();
        if !is_alias {
            return Some(entry.key.text().clone());
        }
        let named = above.entry(SERVICE_ACCOUNT_NAME).filter(|named| !named.value.is_null());
        self.report(|| findings::service_account_alias(entry, named));
        named.is_none().then(|| SERVICE_ACCOUNT_NAME.into())
    }

    /// Reports a null, which removes nothing: at the top it is ignored; deeper, it is a mistake if
    /// there is a value below, and means absent otherwise, as for the API server.
    fn report_null(&mut self, entry: &Entry, found: Option<&Entry>, at: Place<'_>) {
        let found = found.filter(|found| !found.value.is_null());
        match found {
            Some(found) if at.depth > 1 => {
                self.report(|| findings::null_over_value(entry, &found.value, at.path));
            }
            _ if at.depth == 1 => {
                self.report(|| findings::null_without_effect(entry, found, at.path));
            }
            _ => {}
        }
    }

    pub(super) fn report_empty<T>(
        &mut self,
        below: &[T],
        above: &[T],
        base: Origin,
        over: &Node,
        at: Place<'_>,
    ) {
        if above.is_empty() && !below.is_empty() && at.depth > 0 {
            self.report(|| findings::empty_without_effect(base, over, at.path));
        }
    }

    pub(super) fn report(&mut self, finding: impl FnOnce() -> Diagnostic) {
        if self.wins == Wins::Over {
            self.findings.push(finding());
        }
    }

    /// The number of findings.
    pub(super) fn reported(&self) -> usize {
        self.findings.len()
    }

    /// Removes the findings after the first `count`.
    pub(super) fn forget_since(&mut self, count: usize) {
        self.findings.truncate(count);
    }

    pub(super) fn record(&mut self, path: &Path<'_>, old: Origin, new: Origin) {
        if let Some(trace) = self.trace.as_deref_mut() {
            trace.record(path, old, new);
        }
    }
}

/// The origin of a map or list that both layers set: the first one that an author wrote.
pub(super) fn joint_origin(base: Origin, over: Origin) -> Origin {
    if base.layer().is_some() && over.layer().is_none() { over } else { base }
}

/// Copies a value of a layer without a value below. Nulls in its maps are absent values.
pub(super) fn adopt_value(over: &Node) -> Node {
    let value = match &over.value {
        Value::Map(map) => {
            let present = map.entries().iter().filter(|entry| !entry.value.is_null());
            let adopt =
                |entry: &Entry| Entry { key: entry.key.clone(), value: adopt_value(&entry.value) };
            Value::Map(present.map(adopt).collect())
        }
        Value::List(items) => Value::List(items.iter().map(adopt_value).collect()),
        scalar => scalar.clone(),
    };
    over.with_value(value)
}
