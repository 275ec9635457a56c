//! Kubernetes quantities.
#![allow(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "the approximate float of a quantity"
)]

use super::Call;
use crate::cel::Stop;
use crate::cel::value::Value;
use crate::scalar::Quantity;

const FORM: &str = "quantities must match the regular expression \
    '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const BILLION: i128 = 1_000_000_000;

/// The value of a call about quantities; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    let (first, rest) = call.values.split_first()?;
    if let Value::String(text) = first {
        return match call.function {
            "isQuantity" => Some(Ok(Value::Bool(Quantity::parse(text).is_ok()))),
            "quantity" => Some(match Quantity::parse(text) {
                Ok(quantity) => Ok(Value::Quantity(quantity)),
                Err(_) => Err(Stop::error(FORM)),
            }),
            _ => None,
        };
    }
    let Value::Quantity(quantity) = first else { return None };
    let amount = quantity.billionths();
    let whole = || {
        let is_whole = amount % BILLION == 0;
        is_whole.then(|| i64::try_from(amount / BILLION).ok()).flatten()
    };
    Some(Ok(match (call.function, rest) {
        ("isInteger", []) => Value::Bool(whole().is_some()),
        ("asInteger", []) => match whole() {
            Some(number) => Value::Int(number),
            None => return Some(Err(Stop::error("cannot convert value to integer"))),
        },
        ("asApproximateFloat", []) => Value::Double(amount as f64 / 1e9),
        ("sign", []) => Value::Int(i64::try_from(amount.signum()).unwrap_or(0)),
        ("isGreaterThan", [Value::Quantity(other)]) => Value::Bool(quantity > other),
        ("isLessThan", [Value::Quantity(other)]) => Value::Bool(quantity < other),
        ("compareTo", [Value::Quantity(other)]) => Value::Int(quantity.cmp(other) as i64),
        ("add", [Value::Quantity(other)]) => moved(*quantity, other.billionths()),
        ("add", [Value::Int(other)]) => moved(*quantity, i128::from(*other) * BILLION),
        ("sub", [Value::Quantity(other)]) => moved(*quantity, other.billionths().saturating_neg()),
        ("sub", [Value::Int(other)]) => moved(*quantity, -i128::from(*other) * BILLION),
        _ => return None,
    }))
}

fn moved<'v>(quantity: Quantity, by: i128) -> Value<'v> {
    Value::Quantity(quantity.plus(by))
}
