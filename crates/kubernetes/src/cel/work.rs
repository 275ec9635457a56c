//! The work of calls that read or make whole values, apart from their cost.
//!
//! A value can contain another one many times: `[x, x]`, repeated forty times, makes 2^40
//! items. The API server charges a comparison of such values by their first level, and a call that
//! makes text by the text that it reads, so that a short expression takes any time and memory.

use super::Stop;
use super::function::Function;
use super::functions::Call;
use super::value::{Bytes, List, Map, Value};
use crate::limits::CEL_WORK;
use crate::tree::{self, Node};

/// The number of bytes of text that count as one item.
pub(super) const TEXT: usize = 32;

/// The work that remains for an expression, in items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work(usize);

/// The number of bytes of text whose characters are counted in the time of one item.
const COUNTED: usize = 1024;
/// The work of a regular expression that is compiled during the evaluation.
const PATTERN: usize = 4_000;
/// The work of one that can be large when it is compiled: with repetitions, classes of Unicode, or
/// letters of any case.
const LARGE_PATTERN: usize = 40_000;

/// The number of entries above which a map is large.
const LARGE: usize = 64;
/// The number of bytes that are decoded in the time of one item.
const DECODED: usize = 2;
/// The number of items that take as long as an entry of a large map that is sorted.
const SORTED: usize = 16;

/// The number of items that take as long as a unit of cost.
pub(super) const OF_UNIT: usize = 8;

impl Work {
    pub(super) const fn new() -> Self {
        Self(CEL_WORK.count())
    }

    /// The work for one of many expressions, which share a larger limit.
    pub(super) fn within(limit: usize) -> Self {
        Self(CEL_WORK.count().min(limit))
    }

    /// The remaining work, in items.
    pub(super) const fn left(self) -> usize {
        self.0
    }

    /// The work of one expression so far, in units of cost.
    pub(super) fn cost(self) -> u64 {
        let used = CEL_WORK.count().saturating_sub(self.0);
        u64::try_from(used / OF_UNIT).unwrap_or(u64::MAX)
    }

    /// Deducts the compilation of a regular expression.
    pub(super) fn compile(&mut self, pattern: &str) -> Result<(), Stop> {
        let is_large = ["{", "\\p", "\\P", "(?"].iter().any(|it| pattern.contains(it));
        let amount = if is_large { LARGE_PATTERN } else { PATTERN };
        self.0 = self.0.checked_sub(amount).ok_or_else(|| Stop::unsupported(TOO_MANY_PATTERNS))?;
        Ok(())
    }

    /// Deducts the search in a text, in items.
    pub(super) fn search_text(&mut self, items: usize) -> Result<(), Stop> {
        self.take(items)
    }

    /// Deducts the work of a call.
    pub(super) fn of_call(&mut self, call: &Call<'_, '_>) -> Result<(), Stop> {
        let values = &*call.values;
        for value in values {
            if let Value::Bytes(Bytes::Read(text)) = value {
                self.take(text.len() / DECODED)?;
            }
        }
        match (call.function, values) {
            (Function::Equal | Function::NotEqual, [left, right]) => self.compare(left, right),
            (Function::Size, [Value::String(text)]) => self.take(text.len() / COUNTED),
            (Function::Plus, [Value::List(left), Value::List(right)]) => self.join(left, right),
            (Function::In, [_, Value::Map(_)]) => Ok(()),
            (
                Function::In
                | Function::IndexOf
                | Function::LastIndexOf
                | Function::Format
                | Function::Flatten,
                _,
            ) => self.read_all(values),
            (Function::Distinct, [list]) => self.pairs(list, list),
            (
                Function::SetsContains | Function::SetsEquivalent | Function::SetsIntersects,
                [left, right],
            ) => self.pairs(left, right),
            (Function::Join, [Value::List(list), ..]) => {
                let separator = values.get(1).map_or(0, text_length);
                self.take(list.len().saturating_mul(separator) / TEXT)?;
                self.read_all(values)
            }
            (
                Function::Replace,
                [Value::String(text), Value::String(old), Value::String(new), ..],
            ) => {
                let count = 1 + text.len() / old.len().max(1);
                self.take(count.saturating_mul(new.len()) / TEXT)
            }
            (Function::Split, [Value::String(text), Value::String(separator), ..]) => {
                self.take(text.len() / separator.len().max(1))
            }
            (Function::MapInsert, [_, Value::Map(more)]) => {
                self.take(more.len().saturating_mul(SORTED))
            }
            (Function::ListsRange, [Value::Int(count)]) => {
                self.take(usize::try_from(*count).unwrap_or(0))
            }
            _ => Ok(()),
        }
    }

    /// Deducts everything that a value contains.
    pub(super) fn read(&mut self, value: &Value<'_>) -> Result<(), Stop> {
        self.take(1)?;
        match value {
            Value::String(text) => self.take(text.len() / TEXT),
            Value::Bytes(bytes) => self.take(bytes.stored() / TEXT),
            Value::List(List::Made(items)) => self.read_all(items),
            Value::List(List::Read(list, _)) => self.read_nodes(list.items()),
            Value::Map(Map::Made(entries)) => entries.values().try_for_each(|it| self.read(it)),
            Value::Map(Map::Read(map, _)) => self.read_map(map),
            Value::Optional(Some(it)) => self.read(it),
            Value::Patch(patch) => patch.fields.values().try_for_each(|it| self.read(it)),
            _ => Ok(()),
        }
    }

    fn read_all(&mut self, values: &[Value<'_>]) -> Result<(), Stop> {
        values.iter().try_for_each(|it| self.read(it))
    }

    fn read_nodes(&mut self, nodes: &[Node]) -> Result<(), Stop> {
        nodes.iter().try_for_each(|it| self.read_node(it))
    }

    fn read_map(&mut self, map: &tree::Map) -> Result<(), Stop> {
        let count = map.entries().len();
        // Another map is searched for each key.
        self.take(if count > LARGE { count.saturating_mul(SORTED) } else { 0 })?;
        map.entries().iter().try_for_each(|it| self.read_node(&it.value))
    }

    fn read_node(&mut self, node: &Node) -> Result<(), Stop> {
        self.take(1)?;
        match &node.value {
            tree::Value::String(text) => self.take(text.len() / TEXT),
            tree::Value::List(nodes) => self.read_nodes(nodes),
            tree::Value::Map(map) => self.read_map(map),
            _ => Ok(()),
        }
    }

    fn compare(&mut self, left: &Value<'_>, right: &Value<'_>) -> Result<(), Stop> {
        match (left, right) {
            // The order of a set does not count, so each item can be compared with all others.
            (Value::List(list), _) if list.is_unordered() => self.pairs(left, right),
            _ => self.read(left).and_then(|()| self.read(right)),
        }
    }

    /// Deducts the comparison of each item with each one of another list.
    fn pairs(&mut self, left: &Value<'_>, right: &Value<'_>) -> Result<(), Stop> {
        let before = self.0;
        self.read(left)?;
        self.read(right)?;
        let once = before - self.0;
        let length = |it: &Value<'_>| if let Value::List(list) = it { list.len() } else { 0 };
        self.take(once.saturating_mul(length(left).min(length(right)).saturating_sub(1)))
    }

    /// Deducts the items of a concatenation. A list that nothing else uses is extended in place.
    fn join(&mut self, left: &List<'_>, right: &List<'_>) -> Result<(), Stop> {
        let copied = if left.is_only() { 0 } else { left.len() };
        let compared = if left.is_unordered() { left.len() } else { 1 };
        self.take(copied)?;
        self.take(right.len().saturating_mul(compared))
    }

    fn take(&mut self, amount: usize) -> Result<(), Stop> {
        self.0 = self.0.checked_sub(amount).ok_or_else(|| Stop::unsupported(TOO_LARGE))?;
        Ok(())
    }
}

const TOO_LARGE: &str = "values that are this large";
const TOO_MANY_PATTERNS: &str = "this many different regular expressions";

fn text_length(value: &Value<'_>) -> usize {
    if let Value::String(text) = value { text.len() } else { 0 }
}
