//! Conversions between types.
#![allow(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "conversions between numbers, within the bounds that cel-go checks"
)]

use super::Call;
use super::strings::double_text;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::time::{Duration, Time};
use crate::cel::value::Value;

/// The value of a conversion; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    let [value] = &*call.values else { return None };
    if call.is_member {
        return None;
    }
    Some(match call.function {
        Function::Dyn => Ok(value.clone()),
        Function::Type => Ok(Value::Type(value.type_name().into())),
        Function::Int => to_int(value),
        Function::Uint => to_uint(value),
        Function::Double => to_double(value),
        Function::String => to_text(value),
        Function::Bytes => match value {
            Value::Bytes(_) => Ok(value.clone()),
            Value::String(it) => Ok(Value::bytes(it.as_bytes())),
            _ => Err(Stop::no_overload()),
        },
        Function::Bool => match value {
            Value::Bool(_) => Ok(value.clone()),
            // The strings that Go's `strconv.ParseBool` accepts.
            Value::String(it) => match it.as_str() {
                "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Value::Bool(true)),
                "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Value::Bool(false)),
                _ => Err(unreadable("bool")),
            },
            _ => Err(Stop::no_overload()),
        },
        Function::Timestamp => match value {
            Value::Time(_) => Ok(value.clone()),
            Value::String(it) => Time::parse(it)
                .map(Value::Time)
                .ok_or_else(|| unreadable("google.protobuf.Timestamp")),
            Value::Int(it) => {
                Time::new(*it, 0).map(Value::Time).ok_or_else(|| Stop::error("timestamp overflow"))
            }
            _ => Err(Stop::no_overload()),
        },
        Function::Duration => match value {
            Value::Duration(_) => Ok(value.clone()),
            Value::String(it) => Duration::parse(it)
                .map(Value::Duration)
                .ok_or_else(|| unreadable("google.protobuf.Duration")),
            Value::Int(it) => Ok(Value::Duration(Duration(*it))),
            _ => Err(Stop::no_overload()),
        },
        _ => return None,
    })
}

fn unreadable(to: &str) -> Stop {
    Stop::error(format!("type conversion error from 'string' to '{to}'"))
}

fn to_int<'v>(value: &Value<'v>) -> Result<Value<'v>, Stop> {
    let number = match value {
        Value::Int(it) => Some(*it),
        Value::Uint(it) => i64::try_from(*it).ok(),
        Value::Double(it) if it.abs() < 9_223_372_036_854_775_807.0 => Some(*it as i64),
        Value::Double(_) => None,
        Value::String(it) => return it.parse().map(Value::Int).map_err(|_| unreadable("int")),
        Value::Time(it) => Some(it.seconds()),
        Value::Duration(it) => Some(it.nanos()),
        _ => return Err(Stop::no_overload()),
    };
    number.map(Value::Int).ok_or_else(|| Stop::error("integer overflow"))
}

fn to_uint<'v>(value: &Value<'v>) -> Result<Value<'v>, Stop> {
    let number = match value {
        Value::Int(it) => u64::try_from(*it).ok(),
        Value::Uint(it) => Some(*it),
        Value::Double(it) if *it >= 0.0 && *it < 18_446_744_073_709_551_615.0 => Some(*it as u64),
        Value::Double(_) => None,
        Value::String(it) => return it.parse().map(Value::Uint).map_err(|_| unreadable("uint")),
        _ => return Err(Stop::no_overload()),
    };
    number.map(Value::Uint).ok_or_else(|| Stop::error("unsigned integer overflow"))
}

fn to_double<'v>(value: &Value<'v>) -> Result<Value<'v>, Stop> {
    Ok(Value::Double(match value {
        Value::Int(it) => *it as f64,
        Value::Uint(it) => *it as f64,
        Value::Double(it) => *it,
        Value::String(it) => it.parse().map_err(|_| unreadable("double"))?,
        _ => return Err(Stop::no_overload()),
    }))
}

fn to_text<'v>(value: &Value<'v>) -> Result<Value<'v>, Stop> {
    Ok(match value {
        Value::String(_) => value.clone(),
        Value::Int(it) => Value::text(it.to_string()),
        Value::Uint(it) => Value::text(it.to_string()),
        Value::Double(it) => Value::text(double_text(*it)),
        Value::Bool(it) => Value::text(it.to_string()),
        Value::Time(it) => Value::text(it.print()),
        Value::Duration(it) => Value::text(it.print()),
        Value::Bytes(it) => match std::str::from_utf8(&it.decoded()) {
            Ok(text) => Value::text(text),
            Err(_) => {
                return Err(Stop::error("invalid UTF-8 in bytes, cannot convert to string"));
            }
        },
        Value::Address(it) => Value::text(it.to_string()),
        Value::Block(it) => Value::text(format!("{}/{}", it.0, it.1)),
        _ => return Err(Stop::no_overload()),
    })
}
