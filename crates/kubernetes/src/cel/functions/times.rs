//! Getters of timestamps and durations.

use super::Call;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::time::{Time, parse_offset};
use crate::cel::value::Value;

/// The value of a getter of a timestamp or duration; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    let (first, rest) = call.values.split_first()?;
    match (first, rest) {
        (Value::Duration(span), []) => {
            let unit = match call.function {
                Function::GetHours => 3_600_000_000_000,
                Function::GetMinutes => 60_000_000_000,
                Function::GetSeconds => 1_000_000_000,
                Function::GetMilliseconds => 1_000_000,
                _ => return None,
            };
            Some(Ok(Value::Int(span.nanos() / unit)))
        }
        (Value::Time(time), []) => calendar_field(call.function, *time, 0).map(Ok),
        (Value::Time(time), [Value::String(zone)]) => {
            let offset = match zone.as_str() {
                "UTC" | "" => Some(0),
                zone if zone.starts_with(['+', '-']) => parse_offset(zone),
                zone => parse_offset(&format!("+{zone}")),
            };
            match offset {
                Some(offset) => calendar_field(call.function, *time, offset).map(Ok),
                // Go looks time zones up in a database that changes over time.
                None => Some(Err(Stop::unsupported("a time zone name"))),
            }
        }
        _ => None,
    }
}

fn calendar_field<'v>(function: &Function, time: Time, offset: i64) -> Option<Value<'v>> {
    let calendar = time.calendar(offset);
    Some(Value::Int(match function {
        Function::GetFullYear => calendar.year,
        Function::GetMonth => calendar.month - 1,
        Function::GetDate => calendar.day,
        Function::GetDayOfMonth => calendar.day - 1,
        Function::GetDayOfWeek => calendar.day_of_week,
        Function::GetDayOfYear => calendar.day_of_year,
        Function::GetHours => calendar.hours,
        Function::GetMinutes => calendar.minutes,
        Function::GetSeconds => calendar.seconds,
        Function::GetMilliseconds => calendar.milliseconds,
        _ => return None,
    }))
}
