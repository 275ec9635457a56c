//! Operators.
#![allow(
    clippy::float_arithmetic,
    reason = "doubles are a type of the language; their arithmetic is IEEE 754's, as in Go"
)]

use std::cmp::Ordering;
use std::sync::Arc;

use super::Call;
use crate::cel::Stop;
use crate::cel::evaluate::{field_value, insert_new, item_at, no_such_key};
use crate::cel::function::Function;
use crate::cel::time::{Duration, Time};
use crate::cel::value::{Map, Value, contains};

/// The value of a call of an operator; `None` for other calls. The operands can be moved.
pub(super) fn call<'v>(call: &mut Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    match (call.function, &mut *call.values) {
        (Function::MapInsert, [map, more @ ..]) => Some(map_insert(take_value(map), more)),
        (function, [left, right]) => binary_operator(function, left, right),
        (function, [operand]) => unary_operator(function, operand),
        _ => None,
    }
}

/// Moves a container, which is extended in place if nothing else uses it.
const fn take_value<'v>(value: &mut Value<'v>) -> Value<'v> {
    std::mem::replace(value, Value::Null)
}

fn unary_operator<'v>(function: &Function, operand: &Value<'v>) -> Option<Result<Value<'v>, Stop>> {
    Some(match (function, operand) {
        (Function::Not, Value::Bool(it)) => Ok(Value::Bool(!it)),
        (Function::Negate, Value::Int(it)) => it.checked_neg().map(Value::Int).ok_or_else(overflow),
        (Function::Negate, Value::Double(it)) => Ok(Value::Double(-it)),
        (Function::Not | Function::Negate, _) => Err(Stop::no_overload()),
        _ => return None,
    })
}

fn binary_operator<'v>(
    function: &Function,
    left: &mut Value<'v>,
    right: &Value<'v>,
) -> Option<Result<Value<'v>, Stop>> {
    let compared = |holds: fn(Ordering) -> bool| match left.compare(right) {
        Some(ordering) => Ok(Value::Bool(holds(ordering))),
        None => Err(Stop::no_overload()),
    };
    Some(match function {
        Function::Equal => left.equals(right).map(Value::Bool),
        Function::NotEqual => left.equals(right).map(|is_equal| Value::Bool(!is_equal)),
        Function::Less => compared(Ordering::is_lt),
        Function::LessEqual => compared(Ordering::is_le),
        Function::Greater => compared(Ordering::is_gt),
        Function::GreaterEqual => compared(Ordering::is_ge),
        Function::In => member_of(left, right),
        Function::Index => required_item(left, right),
        Function::OptionalIndex => item_at(left, right).map(as_optional),
        Function::OptionalSelect => match right {
            Value::String(field) => field_value(left, field).map(as_optional),
            _ => Err(Stop::no_overload()),
        },
        Function::Plus => add_values(take_value(left), right),
        Function::Minus | Function::Times | Function::Divide | Function::Remainder => {
            arithmetic(function, left, right)
        }
        _ => return None,
    })
}

fn as_optional(found: Option<Value<'_>>) -> Value<'_> {
    found.map_or(Value::Optional(None), Value::some)
}

/// The item at an index or key that must be present.
fn required_item<'v>(container: &Value<'v>, at: &Value<'v>) -> Result<Value<'v>, Stop> {
    match (container, item_at(container, at)?) {
        (Value::Optional(_), found) => Ok(as_optional(found)),
        (_, Some(found)) => Ok(found),
        (Value::List(_), None) => {
            Err(Stop::error(format!("index out of bounds: {}", describe_key(at))))
        }
        (_, None) => Err(no_such_key(&describe_key(at))),
    }
}

/// A key or an index, for a message.
fn describe_key(value: &Value<'_>) -> String {
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

fn add_values<'v>(left: Value<'v>, right: &Value<'v>) -> Result<Value<'v>, Stop> {
    Ok(match (left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_add(*b).ok_or_else(overflow)?),
        (Value::Uint(a), Value::Uint(b)) => {
            Value::Uint(a.checked_add(*b).ok_or_else(unsigned_overflow)?)
        }
        (Value::Double(a), Value::Double(b)) => Value::Double(a + b),
        (Value::String(a), Value::String(b)) => Value::text(format!("{a}{b}")),
        (Value::Bytes(a), Value::Bytes(b)) => Value::bytes([a.decoded(), b.decoded()].concat()),
        (Value::List(a), Value::List(b)) => Value::List(a.join(b)?),
        (Value::Time(time), Value::Duration(span)) => add_to_time(time, *span)?,
        (Value::Duration(span), Value::Time(time)) => add_to_time(*time, span)?,
        (Value::Duration(a), Value::Duration(b)) => {
            let sum = a.nanos().checked_add(b.nanos());
            Value::Duration(Duration(sum.ok_or_else(overflow)?))
        }
        _ => return Err(Stop::no_overload()),
    })
}

fn add_to_time<'v>(time: Time, span: Duration) -> Result<Value<'v>, Stop> {
    time.plus(span).map(Value::Time).ok_or_else(|| Stop::error("timestamp overflow"))
}

/// The result of an operator on two integers of one type; `None` on overflow.
macro_rules! integers {
    ($function:expr, $left:expr, $right:expr) => {
        match $function {
            Function::Minus => $left.checked_sub($right),
            Function::Times => $left.checked_mul($right),
            Function::Divide if $right == 0 => return Err(Stop::error("division by zero")),
            Function::Remainder if $right == 0 => return Err(Stop::error("modulus by zero")),
            Function::Divide => $left.checked_div($right),
            Function::Remainder => $left.checked_rem($right),
            _ => return Err(Stop::no_overload()),
        }
    };
}

fn arithmetic<'v>(
    function: &Function,
    left: &Value<'v>,
    right: &Value<'v>,
) -> Result<Value<'v>, Stop> {
    let is_difference = matches!(function, Function::Minus);
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => {
            integers!(function, *a, *b).map(Value::Int).ok_or_else(overflow)
        }
        (Value::Uint(a), Value::Uint(b)) => {
            integers!(function, *a, *b).map(Value::Uint).ok_or_else(unsigned_overflow)
        }
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(match function {
            Function::Minus => a - b,
            Function::Times => a * b,
            Function::Divide => a / b,
            _ => return Err(Stop::no_overload()),
        })),
        (Value::Time(a), Value::Time(b)) if is_difference => {
            a.minus(*b).map(Value::Duration).ok_or_else(overflow)
        }
        (Value::Time(a), Value::Duration(b)) if is_difference => {
            let span = b.nanos().checked_neg().map(Duration).ok_or_else(overflow)?;
            a.plus(span).map(Value::Time).ok_or_else(|| Stop::error("timestamp overflow"))
        }
        (Value::Duration(a), Value::Duration(b)) if is_difference => {
            let span = a.nanos().checked_sub(b.nanos()).ok_or_else(overflow)?;
            Ok(Value::Duration(Duration(span)))
        }
        _ => Err(Stop::no_overload()),
    }
}

/// Adds one entry, or all entries of a map, to the map that a macro accumulates.
fn map_insert<'v>(map: Value<'v>, more: &mut [Value<'v>]) -> Result<Value<'v>, Stop> {
    let Value::Map(Map::Made(mut map)) = map else { return Err(Stop::no_overload()) };
    let entries = Arc::make_mut(&mut map);
    match more {
        [key, value] => {
            let key = key.key().ok_or_else(Stop::no_overload)?;
            insert_new(entries, key, take_value(value))?;
        }
        [Value::Map(more)] => {
            for (key, value) in more.entries() {
                if let Some(value) = value? {
                    insert_new(entries, key, value)?;
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
