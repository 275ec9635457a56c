//! What expressions spend: the size of the values that they read and create.

use std::cell::Cell;
use std::error::Error as StdError;
use std::fmt;

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};

use crate::limits::Fuel;

/// The bytes that are read or created in a step.
const BYTES: usize = 4;
/// The steps of a value without its contents.
pub(super) const ITEM: usize = 4;
/// The maximum nesting depth of lists and maps.
const DEEPEST: usize = 64;

thread_local! {
    /// The steps that are left for the current expression. minijinja's filters have no other context.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Marks an error.
#[derive(Debug)]
struct OutOfFuel;

impl fmt::Display for OutOfFuel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("out of fuel")
    }
}

impl StdError for OutOfFuel {}

pub(super) fn out_of_fuel() -> Error {
    Error::new(ErrorKind::InvalidOperation, "expression takes too many steps")
        .with_source(OutOfFuel)
}

pub(super) fn is_out_of_fuel(error: &Error) -> bool {
    StdError::source(error).is_some_and(<dyn StdError>::is::<OutOfFuel>)
}

/// Evaluates an expression, which spends fuel for each value once for each operator.
pub(super) fn with_fuel<T>(fuel: &Fuel<'_>, operators: usize, run: impl FnOnce() -> T) -> T {
    let times = u64::try_from(operators).map_or(u64::MAX, |count| count.max(1));
    let before = fuel.left() / times;
    LEFT.set(before);
    let result = run();
    let spent = (before - LEFT.replace(u64::MAX)).saturating_mul(times);
    fuel.spend(usize::try_from(spent).unwrap_or(usize::MAX));
    result
}

/// Spends a number of steps of the current expression.
pub(super) fn spend(steps: usize) -> Result<(), Error> {
    let Some(left) = LEFT.get().checked_sub(u64::try_from(steps).unwrap_or(u64::MAX)) else {
        LEFT.set(0);
        return Err(out_of_fuel());
    };
    LEFT.set(left);
    Ok(())
}

/// Spends the steps of a text of this length.
pub(super) fn spend_text(length: usize) -> Result<(), Error> {
    spend(length / BYTES)
}

/// Reads a whole value, which must be finite, and returns the steps that this takes.
pub(super) fn measure(value: &Value) -> Result<usize, Error> {
    let before = LEFT.get();
    read(value, 0)?;
    Ok(usize::try_from(before - LEFT.get()).unwrap_or(usize::MAX))
}

fn read(value: &Value, depth: usize) -> Result<(), Error> {
    spend(ITEM)?;
    match value.kind() {
        ValueKind::String => spend_text(value.as_str().map_or(0, str::len)),
        ValueKind::Bytes => spend_text(value.as_bytes().map_or(0, <[u8]>::len)),
        ValueKind::Number => finite(value),
        // A failed item of a filter's result. minijinja panics if two of them are compared.
        ValueKind::Invalid => Err(Error::new(ErrorKind::InvalidOperation, value.to_string())),
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => {
            if depth == DEEPEST {
                let message = format!("value is nested deeper than {DEEPEST} levels");
                return Err(Error::new(ErrorKind::InvalidOperation, message));
            }
            for item in value.try_iter()? {
                if value.kind() == ValueKind::Map {
                    read(&value.get_item(&item)?, depth + 1)?;
                }
                read(&item, depth + 1)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Rejects infinities and NaN, which do not exist in the JSON and YAML of Kubernetes.
fn finite(value: &Value) -> Result<(), Error> {
    let is_finite = value.is_integer() || f64::try_from(value.clone()).is_ok_and(f64::is_finite);
    if is_finite {
        return Ok(());
    }
    Err(Error::new(ErrorKind::InvalidOperation, format!("result `{value}` is not a finite number")))
}
