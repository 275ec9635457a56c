//! The values of calls. Argument types are checked before evaluation; a type that is only known at
//! run time can match no overload.

mod conversions;
pub(super) mod format;
mod lists;
pub(super) mod named_format;
mod network;
mod operators;
mod optionals;
mod quantities;
mod regex;
pub(super) mod semver;
mod strings;
mod times;
pub(super) mod url;

use super::evaluate::Machine;
use super::function::Function;
use super::value::Value;
use super::{Stop, work};

/// A call with evaluated arguments; the target is the first.
pub(super) struct Call<'a, 'v> {
    pub(super) function: &'a Function,
    pub(super) is_member: bool,
    pub(super) values: &'a mut [Value<'v>],
}

/// The value of a call.
pub(super) fn call<'v>(
    machine: &mut Machine<'_, 'v>,
    mut call: Call<'_, 'v>,
) -> Result<Value<'v>, Stop> {
    machine.spend(cost_of_call(&call))?;
    work::call(machine.fuel, &call)?;
    if let Some(value) = operators::call(&mut call) {
        return value;
    }
    // Each family handles its own calls.
    let result = optionals::call(&call)
        .or_else(|| conversions::call(&call))
        .or_else(|| strings::call(&call))
        .or_else(|| lists::call(&call))
        .or_else(|| regex::call(machine, &call))
        .or_else(|| times::call(&call))
        .or_else(|| quantities::call(&call))
        .or_else(|| network::call(&call))
        .or_else(|| url::call(&call))
        .or_else(|| semver::call(&call))
        .or_else(|| named_format::call(&call));
    result.unwrap_or_else(|| Err(Stop::no_overload()))
}

/// The cost of a call, close to that of the API server: one, plus a tenth for each character read
/// and one for each item compared.
fn cost_of_call(call: &Call<'_, '_>) -> usize {
    let (first, second) = (call.values.first(), call.values.get(1));
    let first_length = first.map_or(0, stored_length);
    let of_values = match call.function {
        Function::Index
        | Function::OptionalIndex
        | Function::OptionalSelect
        | Function::Size
        | Function::HasValue
        | Function::Value
        | Function::OptionalOf
        | Function::Dyn
        | Function::Type
        | Function::First
        | Function::Last
        | Function::MapInsert => 0,
        // Appending to the accumulator costs the same whatever its length.
        Function::Plus if matches!(first, Some(Value::List(_))) => 0,
        Function::In => match second {
            Some(Value::List(list)) => list.len(),
            _ => 0,
        },
        Function::Distinct | Function::Sort | Function::SortByAssociatedKeys => {
            first_length.saturating_mul(first_length)
        }
        Function::SetsContains | Function::SetsEquivalent | Function::SetsIntersects => {
            first_length.saturating_mul(second.map_or(0, stored_length))
        }
        Function::Matches | Function::Find | Function::FindAll => {
            (1 + first_length / 10).saturating_mul(1 + second.map_or(0, stored_length) / 4)
        }
        _ => call.values.iter().map(stored_length).sum::<usize>() / 10,
    };
    1_usize.saturating_add(of_values)
}

fn stored_length(value: &Value<'_>) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Bytes(bytes) => bytes.stored(),
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        _ => 0,
    }
}
