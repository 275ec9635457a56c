//! Functions of lists and sets.
#![allow(clippy::float_arithmetic, reason = "sums of doubles, as in Go")]

use std::cmp::Ordering;

use super::Call;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::time::Duration;
use crate::cel::value::{List, Value, all, contains};

/// The longest list that `lists.range` makes.
const LONGEST_RANGE: i64 = 1_000_000;

/// The value of a call on a list; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    if let (Function::ListsRange, [Value::Int(count)]) = (call.function, &*call.values) {
        return Some(if *count > LONGEST_RANGE {
            Err(Stop::Exhausted)
        } else {
            Ok(Value::list((0..*count).map(Value::Int).collect()))
        });
    }
    let (Value::List(list), rest) = call.values.split_first()? else { return None };
    let items = match list.items() {
        Ok(items) => items,
        Err(stop) => return Some(Err(stop)),
    };
    Some(match (call.function, rest) {
        (Function::IsSorted, []) => is_sorted(&items),
        (Function::Sum, []) => sum_of_items(&items),
        (Function::Min, []) => extreme_item("min", items, Ordering::Less),
        (Function::Max, []) => extreme_item("max", items, Ordering::Greater),
        (Function::IndexOf, [value]) => find_index(items.iter().enumerate(), value),
        (Function::LastIndexOf, [value]) => find_index(items.iter().enumerate().rev(), value),
        (Function::Sort, []) => sort_by_keys(items.clone(), items),
        (Function::SortByAssociatedKeys, [Value::List(keys)]) => {
            keys.items().and_then(|keys| sort_by_keys(keys, items))
        }
        (Function::Distinct, []) => distinct_items(items),
        (Function::Reverse, []) => Ok(Value::list(items.into_iter().rev().collect())),
        (Function::Slice, [Value::Int(start), Value::Int(end)]) => {
            slice_of_items(&items, *start, *end)
        }
        (Function::Flatten, []) => flatten_list(items, 1),
        (Function::Flatten, [Value::Int(depth)]) => match u32::try_from(*depth) {
            Ok(depth) => flatten_list(items, depth),
            Err(_) => Err(Stop::error("level must be non-negative")),
        },
        (Function::SetsContains, [Value::List(other)]) => includes_all(&items, other),
        (Function::SetsEquivalent, [Value::List(other)]) => are_equivalent(&items, other),
        (Function::SetsIntersects, [Value::List(other)]) => other.items().and_then(|other| {
            let none = all(&other, |item| Ok(!contains(&items, item)?))?;
            Ok(Value::Bool(!none))
        }),
        _ => return None,
    })
}

fn compare_values(left: &Value<'_>, right: &Value<'_>) -> Result<Ordering, Stop> {
    left.compare(right).ok_or_else(Stop::no_overload)
}

fn is_sorted<'v>(items: &[Value<'v>]) -> Result<Value<'v>, Stop> {
    for (left, right) in items.iter().zip(items.iter().skip(1)) {
        if compare_values(left, right)?.is_gt() {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn sum_of_items<'v>(items: &[Value<'v>]) -> Result<Value<'v>, Stop> {
    let overflow = || Stop::error("integer overflow");
    let mut items = items.iter();
    let Some(first) = items.next() else { return Ok(Value::Int(0)) };
    items.try_fold(first.clone(), |sum, item| {
        Ok(match (&sum, item) {
            (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_add(*b).ok_or_else(overflow)?),
            (Value::Uint(a), Value::Uint(b)) => {
                Value::Uint(a.checked_add(*b).ok_or_else(overflow)?)
            }
            (Value::Double(a), Value::Double(b)) => Value::Double(a + b),
            (Value::Duration(a), Value::Duration(b)) => {
                let sum = a.nanos().checked_add(b.nanos()).ok_or_else(overflow)?;
                Value::Duration(Duration(sum))
            }
            _ => return Err(Stop::no_overload()),
        })
    })
}

fn extreme_item<'v>(
    function: &str,
    items: Vec<Value<'v>>,
    wanted: Ordering,
) -> Result<Value<'v>, Stop> {
    let mut items = items.into_iter();
    let mut best =
        items.next().ok_or_else(|| Stop::error(format!("{function} called on empty list")))?;
    for item in items {
        if compare_values(&item, &best)? == wanted {
            best = item;
        }
    }
    Ok(best)
}

fn find_index<'i, 'v: 'i>(
    items: impl Iterator<Item = (usize, &'i Value<'v>)>,
    value: &Value<'v>,
) -> Result<Value<'v>, Stop> {
    for (at, item) in items {
        if item.equals(value)? {
            return Ok(Value::Int(i64::try_from(at).unwrap_or(i64::MAX)));
        }
    }
    Ok(Value::Int(-1))
}

fn sort_by_keys<'v>(keys: Vec<Value<'v>>, items: Vec<Value<'v>>) -> Result<Value<'v>, Stop> {
    if let Some(first) = keys.first() {
        for key in &keys {
            compare_values(first, key)?;
        }
    }
    let mut pairs: Vec<_> = keys.into_iter().zip(items).collect();
    pairs.sort_by(|(left, _), (right, _)| left.compare(right).unwrap_or(Ordering::Equal));
    Ok(Value::list(pairs.into_iter().map(|(_, item)| item).collect()))
}

fn distinct_items(items: Vec<Value<'_>>) -> Result<Value<'_>, Stop> {
    let mut seen: Vec<Value<'_>> = Vec::new();
    for item in items {
        if !contains(&seen, &item)? {
            seen.push(item);
        }
    }
    Ok(Value::list(seen))
}

fn slice_of_items<'v>(items: &[Value<'v>], start: i64, end: i64) -> Result<Value<'v>, Stop> {
    let part = match (usize::try_from(start), usize::try_from(end)) {
        (Ok(from), Ok(to)) => items.get(from..to),
        _ => None,
    };
    let outside =
        || Stop::error(format!("cannot slice({start}, {end}), list is length {}", items.len()));
    part.map(|part| Value::list(part.to_vec())).ok_or_else(outside)
}

fn flatten_list(items: Vec<Value<'_>>, depth: u32) -> Result<Value<'_>, Stop> {
    let mut flat = Vec::new();
    flatten_into(items, depth, &mut flat)?;
    Ok(Value::list(flat))
}

fn flatten_into<'v>(
    items: Vec<Value<'v>>,
    depth: u32,
    flat: &mut Vec<Value<'v>>,
) -> Result<(), Stop> {
    for item in items {
        match item {
            Value::List(inner) if depth > 0 => flatten_into(inner.items()?, depth - 1, flat)?,
            other => flat.push(other),
        }
    }
    Ok(())
}

fn includes_all<'v>(items: &[Value<'v>], other: &List<'v>) -> Result<Value<'v>, Stop> {
    Ok(Value::Bool(all(&other.items()?, |item| contains(items, item))?))
}

fn are_equivalent<'v>(items: &[Value<'v>], other: &List<'v>) -> Result<Value<'v>, Stop> {
    let other = other.items()?;
    let are_same =
        all(items, |item| contains(&other, item))? && all(&other, |item| contains(items, item))?;
    Ok(Value::Bool(are_same))
}
