//! Kubernetes quantities.
#![allow(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "the approximate float of a quantity"
)]

use std::sync::Arc;

use super::Call;
use crate::cel::Stop;
use crate::cel::function::Function;
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
            Function::IsQuantity => Some(Ok(Value::Bool(Quantity::parse(text).is_ok()))),
            Function::Quantity => Some(match Quantity::parse(text) {
                Ok(quantity) => Ok(Value::Quantity(Arc::new(quantity))),
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
        (Function::IsInteger, []) => Value::Bool(whole().is_some()),
        (Function::AsInteger, []) => match whole() {
            Some(number) => Value::Int(number),
            None => return Some(Err(Stop::error("cannot convert value to integer"))),
        },
        (Function::AsApproximateFloat, []) => Value::Double(amount as f64 / 1e9),
        (Function::Sign, []) => Value::Int(i64::try_from(amount.signum()).unwrap_or(0)),
        (Function::IsGreaterThan, [Value::Quantity(other)]) => Value::Bool(quantity > other),
        (Function::IsLessThan, [Value::Quantity(other)]) => Value::Bool(quantity < other),
        (Function::CompareTo, [Value::Quantity(other)]) => Value::Int(quantity.cmp(other) as i64),
        (Function::Add, [Value::Quantity(other)]) => quantity_plus(**quantity, other.billionths()),
        (Function::Add, [Value::Int(other)]) => {
            quantity_plus(**quantity, i128::from(*other) * BILLION)
        }
        (Function::Sub, [Value::Quantity(other)]) => {
            quantity_plus(**quantity, other.billionths().saturating_neg())
        }
        (Function::Sub, [Value::Int(other)]) => {
            quantity_plus(**quantity, -i128::from(*other) * BILLION)
        }
        _ => return None,
    }))
}

fn quantity_plus<'v>(quantity: Quantity, by: i128) -> Value<'v> {
    Value::Quantity(Arc::new(quantity.plus(by)))
}
