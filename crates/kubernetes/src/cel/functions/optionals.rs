//! Optional values.

use super::Call;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::value::Value;

/// The value of a call on optional values, or `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    Some(match (call.function, &*call.values) {
        (Function::OptionalNone, []) => Ok(Value::Optional(None)),
        (Function::OptionalOfNonZeroValue, [value]) if is_zero_value(value) => {
            Ok(Value::Optional(None))
        }
        (Function::OptionalOf | Function::OptionalOfNonZeroValue, [value]) => {
            Ok(Value::some(value.clone()))
        }
        (Function::HasValue, [Value::Optional(value)]) => Ok(Value::Bool(value.is_some())),
        (Function::Value, [Value::Optional(value)]) => match value {
            Some(value) => Ok(Value::clone(value)),
            None => Err(Stop::error("optional.none() dereference")),
        },
        (Function::OptionalUnwrap | Function::UnwrapOpt, [Value::List(list)]) => {
            list.items().map(|items| {
                let values = items.into_iter().filter_map(|item| match item {
                    Value::Optional(value) => value.map(|value| Value::clone(&value)),
                    other => Some(other),
                });
                Value::list(values.collect())
            })
        }
        (Function::First, [Value::List(list)]) => optional_item(list.get(0)),
        (Function::Last, [Value::List(list)]) => {
            optional_item(list.len().checked_sub(1).and_then(|at| list.get(at)))
        }
        _ => return None,
    })
}

fn optional_item(item: Option<Result<Value<'_>, Stop>>) -> Result<Value<'_>, Stop> {
    Ok(item.transpose()?.map_or(Value::Optional(None), Value::some))
}

fn is_zero_value(value: &Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(it) => !it,
        Value::Int(it) => *it == 0,
        Value::Uint(it) => *it == 0,
        Value::Double(it) => *it == 0.0,
        Value::String(it) => it.is_empty(),
        Value::Bytes(it) => it.decoded().is_empty(),
        Value::List(it) => it.len() == 0,
        Value::Map(it) => it.len() == 0,
        Value::Duration(it) => it.nanos() == 0,
        Value::Optional(it) => it.is_none(),
        _ => false,
    }
}
