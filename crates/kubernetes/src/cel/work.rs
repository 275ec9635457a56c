//! What calls spend that read or make whole values, in addition to their cost.
//!
//! A value can contain another one many times: `[x, x]`, repeated forty times, makes 2^40
//! items. The API server charges a comparison of such values by their first level, and a call that
//! makes text by the text that it reads, so that a short expression takes any time and memory.

use super::Stop;
use super::function::Function;
use super::functions::Call;
use super::value::{Bytes, List, Map, Value};
use crate::limits::Fuel;
use crate::tree::{self, Node};

/// The number of bytes of text that take as long as a value.
pub(super) const TEXT: usize = 32;
/// The number of bytes whose characters are counted in a step.
const COUNTED: usize = 256;
/// The number of bytes that are decoded in a step.
const DECODED: usize = 2;
/// How many times longer it takes to copy a value than to read it.
const COPIED: usize = 10;
/// The steps of an entry that is inserted into a map.
const INSERTED: usize = 16;

/// Spends a number of steps; stops the evaluation if there is no fuel for them.
pub(super) fn spend(fuel: &Fuel<'_>, steps: usize) -> Result<(), Stop> {
    fuel.spend(steps).then_some(()).ok_or(Stop::Exhausted)
}

/// Spends the steps of values that are made.
fn spend_values(fuel: &Fuel<'_>, values: usize) -> Result<(), Stop> {
    fuel.make(values).then_some(()).ok_or(Stop::Exhausted)
}

/// Spends the steps of a call.
pub(super) fn call(fuel: &Fuel<'_>, call: &Call<'_, '_>) -> Result<(), Stop> {
    let values = &*call.values;
    for value in values {
        if let Value::Bytes(Bytes::Read(text)) = value {
            spend(fuel, text.len() / DECODED)?;
        }
    }
    match (call.function, values) {
        // The order of a set does not count, so each item can be compared with all others.
        (Function::Equal | Function::NotEqual, [left @ Value::List(list), right])
            if list.is_unordered() =>
        {
            spend_pairs(fuel, left, right)
        }
        (Function::Plus, [Value::List(left), Value::List(right)]) => spend_join(fuel, left, right),
        (Function::In, [_, Value::Map(_)]) => Ok(()),
        (
            Function::Equal
            | Function::NotEqual
            | Function::In
            | Function::IndexOf
            | Function::LastIndexOf,
            _,
        ) => read_all(fuel, values),
        (Function::Format | Function::Flatten, _) => spend_copies(fuel, values),
        (Function::Size, [Value::String(text)]) => spend(fuel, text.len() / COUNTED),
        (Function::Distinct, [list]) => spend_pairs(fuel, list, list),
        (
            Function::SetsContains | Function::SetsEquivalent | Function::SetsIntersects,
            [left, right],
        ) => spend_pairs(fuel, left, right),
        (Function::Join, [Value::List(list), ..]) => {
            let separator = values.get(1).map_or(0, text_length);
            spend_values(fuel, list.len().saturating_mul(separator) / TEXT)?;
            spend_copies(fuel, values)
        }
        (Function::Replace, [Value::String(text), Value::String(old), Value::String(new), ..]) => {
            let count = 1 + text.len() / old.len().max(1);
            spend_values(fuel, count.saturating_mul(new.len()) / TEXT)
        }
        (Function::Split, [Value::String(text), Value::String(separator), ..]) => {
            spend_values(fuel, text.len() / separator.len().max(1))
        }
        (Function::MapInsert, [_, Value::Map(more)]) => {
            spend(fuel, more.len().saturating_mul(INSERTED))
        }
        (Function::ListsRange, [Value::Int(count)]) => {
            spend_values(fuel, usize::try_from(*count).unwrap_or(0))
        }
        _ => Ok(()),
    }
}

/// Spends a step for each part of a value.
pub(super) fn read(fuel: &Fuel<'_>, value: &Value<'_>) -> Result<(), Stop> {
    match value {
        Value::String(text) => spend(fuel, 1 + text.len() / TEXT),
        Value::Bytes(bytes) => spend(fuel, 1 + bytes.stored() / TEXT),
        Value::List(List::Made(items)) => spend(fuel, 1).and_then(|()| read_all(fuel, items)),
        Value::List(List::Read(list, _)) => {
            spend(fuel, 1)?;
            list.items().iter().try_for_each(|node| read_node(fuel, node))
        }
        Value::Map(Map::Made(entries)) => entries.values().try_for_each(|value| read(fuel, value)),
        Value::Map(Map::Read(map, _)) => read_map(fuel, map),
        Value::Optional(Some(it)) => read(fuel, it),
        Value::Patch(patch) => patch.fields.values().try_for_each(|value| read(fuel, value)),
        _ => spend(fuel, 1),
    }
}

fn read_all(fuel: &Fuel<'_>, values: &[Value<'_>]) -> Result<(), Stop> {
    values.iter().try_for_each(|value| read(fuel, value))
}

fn read_node(fuel: &Fuel<'_>, node: &Node) -> Result<(), Stop> {
    match &node.value {
        tree::Value::String(text) => spend(fuel, 1 + text.len() / TEXT),
        tree::Value::List(nodes) => nodes.iter().try_for_each(|node| read_node(fuel, node)),
        tree::Value::Map(map) => read_map(fuel, map),
        _ => spend(fuel, 1),
    }
}

/// Each key is searched in another map.
fn read_map(fuel: &Fuel<'_>, map: &tree::Map) -> Result<(), Stop> {
    spend(fuel, map.entries().len().saturating_mul(INSERTED))?;
    map.entries().iter().try_for_each(|entry| read_node(fuel, &entry.value))
}

/// Spends the copies of values with everything in them.
fn spend_copies(fuel: &Fuel<'_>, values: &[Value<'_>]) -> Result<(), Stop> {
    spend_repeated(fuel, COPIED, || read_all(fuel, values))
}

/// Spends as much as something spends, a number of times.
fn spend_repeated(
    fuel: &Fuel<'_>,
    times: usize,
    once: impl FnOnce() -> Result<(), Stop>,
) -> Result<(), Stop> {
    let before = fuel.spent();
    once()?;
    let steps = usize::try_from(fuel.spent() - before).unwrap_or(usize::MAX);
    spend(fuel, steps.saturating_mul(times - 1))
}

/// Spends the comparison of each item with each one of another list.
fn spend_pairs(fuel: &Fuel<'_>, left: &Value<'_>, right: &Value<'_>) -> Result<(), Stop> {
    let length = |value: &Value<'_>| if let Value::List(list) = value { list.len() } else { 0 };
    let times = length(left).min(length(right)).max(1);
    spend_repeated(fuel, times, || read(fuel, left).and_then(|()| read(fuel, right)))
}

/// Spends the items of a concatenation. A list that nothing else uses is extended in place.
fn spend_join(fuel: &Fuel<'_>, left: &List<'_>, right: &List<'_>) -> Result<(), Stop> {
    let copied = if left.is_only() { 0 } else { left.len() };
    let compared = if left.is_unordered() { left.len() } else { 1 };
    spend(fuel, copied.saturating_add(right.len().saturating_mul(compared)))
}

fn text_length(value: &Value<'_>) -> usize {
    if let Value::String(text) = value { text.len() } else { 0 }
}
