//! Operators.
#![allow(
    clippy::float_arithmetic,
    reason = "doubles are a type of the language; their arithmetic is IEEE 754's, as in Go"
)]

use std::cmp::Ordering;
use std::sync::Arc;

use super::Call;
use crate::cel::Stop;
use crate::cel::evaluate::{index, insert, no_such_key, select};
use crate::cel::time::{Duration, Time};
use crate::cel::value::{Map, Value, contains};

/// The value of a call of an operator, or the call.
pub(super) fn call<'a, 'v>(call: Call<'a, 'v>) -> Result<Result<Value<'v>, Stop>, Call<'a, 'v>> {
    let function = call.function;
    let is_operator = function.starts_with(['_', '@']) || matches!(function, "!_" | "-_");
    if function == "cel.@mapInsert" {
        return Ok(map_insert(call.values));
    }
    if !is_operator || function == "@sortByAssociatedKeys" {
        return Err(call);
    }
    let mut values = call.values.into_iter();
    Ok(match (values.next(), values.next()) {
        (Some(left), Some(right)) => binary(function, left, &right),
        (Some(operand), None) => unary(function, &operand),
        _ => Err(Stop::no_overload()),
    })
}

fn unary<'v>(function: &str, operand: &Value<'v>) -> Result<Value<'v>, Stop> {
    match (function, operand) {
        ("!_", Value::Bool(it)) => Ok(Value::Bool(!it)),
        ("-_", Value::Int(it)) => it.checked_neg().map(Value::Int).ok_or_else(overflow),
        ("-_", Value::Double(it)) => Ok(Value::Double(-it)),
        _ => Err(Stop::no_overload()),
    }
}

fn binary<'v>(function: &str, left: Value<'v>, right: &Value<'v>) -> Result<Value<'v>, Stop> {
    let compared = |holds: fn(Ordering) -> bool| match left.compare(right) {
        Some(ordering) => Ok(Value::Bool(holds(ordering))),
        None => Err(Stop::no_overload()),
    };
    match function {
        "_==_" => left.equals(right).map(Value::Bool),
        "_!=_" => left.equals(right).map(|it| Value::Bool(!it)),
        "_<_" => compared(Ordering::is_lt),
        "_<=_" => compared(Ordering::is_le),
        "_>_" => compared(Ordering::is_gt),
        "_>=_" => compared(Ordering::is_ge),
        "@in" => member_of(&left, right),
        "_[_]" => {
            let found = index(&left, right)?;
            match (&left, found) {
                (Value::Optional(_), found) => Ok(found.map_or(Value::Optional(None), Value::some)),
                (_, Some(found)) => Ok(found),
                (Value::List(_), None) => {
                    Err(Stop::error(format!("index out of bounds: {}", shown(right))))
                }
                (_, None) => Err(no_such_key(&shown(right))),
            }
        }
        "_[?_]" => Ok(index(&left, right)?.map_or(Value::Optional(None), Value::some)),
        "_?._" => match right {
            Value::String(field) => {
                Ok(select(&left, field)?.map_or(Value::Optional(None), Value::some))
            }
            _ => Err(Stop::no_overload()),
        },
        "_+_" => add(left, right),
        _ => arithmetic(function, &left, right),
    }
}

/// A key or an index, for a message.
fn shown(value: &Value<'_>) -> String {
    match value {
        Value::String(it) => it.to_string(),
        Value::Int(it) => it.to_string(),
        Value::Uint(it) => it.to_string(),
        Value::Bool(it) => it.to_string(),
        other => other.type_name().to_owned(),
    }
}

fn member_of<'v>(value: &Value<'v>, container: &Value<'v>) -> Result<Value<'v>, Stop> {
    match container {
        Value::List(list) => Ok(Value::Bool(contains(&list.items()?, value)?)),
        Value::Map(map) => match value.key() {
            Some(key) => Ok(Value::Bool(map.get(&key)?.is_some())),
            None => Err(Stop::no_overload()),
        },
        _ => Err(Stop::no_overload()),
    }
}

fn add<'v>(left: Value<'v>, right: &Value<'v>) -> Result<Value<'v>, Stop> {
    Ok(match (left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_add(*b).ok_or_else(overflow)?),
        (Value::Uint(a), Value::Uint(b)) => {
            Value::Uint(a.checked_add(*b).ok_or_else(unsigned_overflow)?)
        }
        (Value::Double(a), Value::Double(b)) => Value::Double(a + b),
        (Value::String(a), Value::String(b)) => Value::text(format!("{a}{b}")),
        (Value::Bytes(a), Value::Bytes(b)) => Value::bytes([a.decoded(), b.decoded()].concat()),
        (Value::List(a), Value::List(b)) => Value::List(a.join(b)?),
        (Value::Time(time), Value::Duration(span)) => later(time, *span)?,
        (Value::Duration(span), Value::Time(time)) => later(*time, span)?,
        (Value::Duration(a), Value::Duration(b)) => {
            let sum = a.nanos().checked_add(b.nanos());
            Value::Duration(Duration(sum.ok_or_else(overflow)?))
        }
        _ => return Err(Stop::no_overload()),
    })
}

fn later<'v>(time: Time, span: Duration) -> Result<Value<'v>, Stop> {
    time.plus(span).map(Value::Time).ok_or_else(|| Stop::error("timestamp overflow"))
}

/// The result of an operator on two integers of one type; `None` on overflow.
macro_rules! integers {
    ($function:expr, $left:expr, $right:expr) => {
        match $function {
            "_-_" => $left.checked_sub($right),
            "_*_" => $left.checked_mul($right),
            "_/_" if $right == 0 => return Err(Stop::error("division by zero")),
            "_%_" if $right == 0 => return Err(Stop::error("modulus by zero")),
            "_/_" => $left.checked_div($right),
            "_%_" => $left.checked_rem($right),
            _ => return Err(Stop::no_overload()),
        }
    };
}

fn arithmetic<'v>(function: &str, left: &Value<'v>, right: &Value<'v>) -> Result<Value<'v>, Stop> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => {
            integers!(function, *a, *b).map(Value::Int).ok_or_else(overflow)
        }
        (Value::Uint(a), Value::Uint(b)) => {
            integers!(function, *a, *b).map(Value::Uint).ok_or_else(unsigned_overflow)
        }
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(match function {
            "_-_" => a - b,
            "_*_" => a * b,
            "_/_" => a / b,
            _ => return Err(Stop::no_overload()),
        })),
        (Value::Time(a), Value::Time(b)) if function == "_-_" => {
            a.minus(*b).map(Value::Duration).ok_or_else(overflow)
        }
        (Value::Time(a), Value::Duration(b)) if function == "_-_" => {
            let span = b.nanos().checked_neg().map(Duration).ok_or_else(overflow)?;
            a.plus(span).map(Value::Time).ok_or_else(|| Stop::error("timestamp overflow"))
        }
        (Value::Duration(a), Value::Duration(b)) if function == "_-_" => {
            let span = a.nanos().checked_sub(b.nanos()).ok_or_else(overflow)?;
            Ok(Value::Duration(Duration(span)))
        }
        _ => Err(Stop::no_overload()),
    }
}

/// Adds one entry, or all entries of a map, to the map that a macro accumulates.
fn map_insert(values: Vec<Value<'_>>) -> Result<Value<'_>, Stop> {
    let mut values = values.into_iter();
    let Some(Value::Map(Map::Made(mut map))) = values.next() else {
        return Err(Stop::no_overload());
    };
    let entries = Arc::make_mut(&mut map);
    match (values.next(), values.next()) {
        (Some(key), Some(value)) => {
            let key = key.key().ok_or_else(Stop::no_overload)?;
            insert(entries, key, value)?;
        }
        (Some(Value::Map(more)), None) => {
            for (key, value) in more.entries() {
                if let Some(value) = value? {
                    insert(entries, key, value)?;
                }
            }
        }
        _ => return Err(Stop::no_overload()),
    }
    Ok(Value::Map(Map::Made(map)))
}

fn overflow() -> Stop {
    Stop::error("integer overflow")
}

fn unsigned_overflow() -> Stop {
    Stop::error("unsigned integer overflow")
}
