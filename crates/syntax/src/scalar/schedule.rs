//! Schedules of CronJobs, as the API server parses them (`ParseStandard` of
//! `github.com/robfig/cron/v3`).

use super::duration::is_duration;
use super::shown;
use crate::message::{Draft, Message, Part, Words, message};

/// The fault of a schedule. In a message it is the predicate of "the schedule ".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScheduleFault<'s> {
    /// It contains a time zone.
    Zone,
    /// It has this many fields, not five.
    Fields(usize),
    /// An unknown name with `@`.
    Name,
    /// `@every` without a duration after it.
    Interval(&'s str),
    /// An invalid item of a field.
    Item {
        /// The name of the field: "hour".
        field: &'static str,
        /// The item, as written.
        item: &'s str,
        /// The fault of the item.
        fault: ItemFault<'s>,
    },
}

/// The fault of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemFault<'s> {
    /// More than one `-`.
    Hyphens,
    /// More than one `/`.
    Slashes,
    /// Neither a number nor a name of the field.
    Number(&'s str),
    /// A number outside the range of the field.
    Range(u64, u64),
    /// The end is before the start.
    Reverse,
    /// A step of zero.
    Step,
}

impl Part for ScheduleFault<'_> {
    fn add_to(&self, draft: &mut Draft) {
        let predicate = match self {
            Self::Zone => "sets a time zone".into(),
            Self::Fields(1) => "has 1 field, not 5".into(),
            Self::Fields(count) => message!("has {count} fields, not 5"),
            Self::Name => "is not a known schedule".into(),
            Self::Interval(text) => message!("has the invalid duration `{}`", shown(text)),
            Self::Item { field, item, fault } => {
                message!("has `{}` for the {}, {}", shown(item), Words(field), fault.message(item))
            }
        };
        predicate.add_to(draft);
    }
}

impl ItemFault<'_> {
    fn message(self, item: &str) -> Message {
        match self {
            Self::Hyphens => "with more than one `-`".into(),
            Self::Slashes => "with more than one `/`".into(),
            Self::Number(text) if text == item => "which is not a number".into(),
            Self::Number(text) => message!("in which `{}` is not a number", shown(text)),
            Self::Range(low, high) => message!("which is outside {low}-{high}"),
            Self::Reverse => "whose end is less than its start".into(),
            Self::Step => "with a step of 0".into(),
        }
    }
}

/// The range of a field, and the names of its numbers.
struct Field {
    what: &'static str,
    low: u64,
    high: u64,
    names: &'static [&'static str],
}

const MONTHS: &[&str] =
    &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: &[&str] = &["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

static FIELDS: [Field; 5] = [
    Field { what: "minute", low: 0, high: 59, names: &[] },
    Field { what: "hour", low: 0, high: 23, names: &[] },
    Field { what: "day of the month", low: 1, high: 31, names: &[] },
    Field { what: "month", low: 1, high: 12, names: MONTHS },
    Field { what: "day of the week", low: 0, high: 6, names: WEEKDAYS },
];

/// The names for whole schedules.
pub const SCHEDULE_NAMES: &[&str] =
    &["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// Checks the schedule of a new CronJob.
pub fn check_schedule(text: &str) -> Result<(), ScheduleFault<'_>> {
    if text.contains("TZ") {
        return Err(ScheduleFault::Zone);
    }
    if text.starts_with('@') {
        return match text.strip_prefix("@every ") {
            Some(interval) if !is_duration(interval) => Err(ScheduleFault::Interval(interval)),
            None if !SCHEDULE_NAMES.contains(&text) => Err(ScheduleFault::Name),
            _ => Ok(()),
        };
    }
    let count = text.split_whitespace().count();
    if count != FIELDS.len() {
        return Err(ScheduleFault::Fields(count));
    }
    FIELDS.iter().zip(text.split_whitespace()).try_for_each(|(field, text)| {
        text.split(',').filter(|item| !item.is_empty()).try_for_each(|item| {
            check_item(field, item).map_err(|fault| ScheduleFault::Item {
                field: field.what,
                item,
                fault,
            })
        })
    })
}

/// `A`, `A-B`, `*` or `?`, with an optional `/step`.
fn check_item<'s>(field: &Field, item: &'s str) -> Result<(), ItemFault<'s>> {
    let mut parts = item.split('/');
    let range = parts.next().unwrap_or_default();
    let step = parts.next();
    let mut ends = range.split('-');
    let (first, last, excess) = (ends.next().unwrap_or_default(), ends.next(), ends.next());
    let (low, high) = if matches!(first, "*" | "?") {
        (field.low, field.high)
    } else {
        let low = parse_number(first, field.names, field.low)?;
        if excess.is_some() {
            return Err(ItemFault::Hyphens);
        }
        (low, last.map_or(Ok(low), |last| parse_number(last, field.names, field.low))?)
    };
    if parts.next().is_some() {
        return Err(ItemFault::Slashes);
    }
    let step_size = step.map_or(Ok(1), |step| parse_number(step, &[], 0))?;
    // With a step, a single number is the start of a range to the end of the field.
    let high = if step.is_some() && last.is_none() { field.high } else { high };
    if low < field.low || high > field.high {
        return Err(ItemFault::Range(field.low, field.high));
    }
    if low > high {
        return Err(if last.is_none() {
            ItemFault::Range(field.low, field.high)
        } else {
            ItemFault::Reverse
        });
    }
    if step_size == 0 { Err(ItemFault::Step) } else { Ok(()) }
}

/// Parses a number or a name; names are numbered from `from`.
fn parse_number<'s>(text: &'s str, names: &[&str], from: u64) -> Result<u64, ItemFault<'s>> {
    let lower = text.to_lowercase();
    if let Some((number, _)) = (from..).zip(names).find(|(_, name)| **name == lower) {
        return Ok(number);
    }
    let number: Option<i64> = text.parse().ok();
    number.and_then(|number| u64::try_from(number).ok()).ok_or(ItemFault::Number(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_fields_or_a_name() {
        for text in [
            "* * * * *",
            "*/5 0-23/2 1,15,31 jan-DEC sun-6",
            "  0\t4 * * ?  ",
            "5/10 * * * *",
            "+5 * * * *",
            ", * * * *",
            "1,,2 * * * *",
            "*-9 * * * *",
            "*/99 * * * *",
            "@daily",
            "@every 1h30m",
            "@every -1s",
        ] {
            assert_eq!(check_schedule(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn schedules_that_the_parser_rejects() {
        for text in [
            "",
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * 32 * *",
            "* * * 13 *",
            "* * * * 7",
            "5-1 * * * *",
            "*/0 * * * *",
            "*/ * * * *",
            "*/-1 * * * *",
            "1/2/3 * * * *",
            "1-2-3 * * * *",
            "1- * * * *",
            "70/5 * * * *",
            "jan * * * *",
            "* * L * *",
            "* * * * 5#2",
            "* * 15W * *",
            "@reboot",
            "@Daily",
            "@daily ",
            " @daily",
            "@every",
            "@every 1d",
            "TZ=UTC 0 0 * * *",
            "CRON_TZ=Europe/Berlin 0 0 * * *",
        ] {
            assert!(check_schedule(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_fault_names_the_field() {
        let fault = check_schedule("0 25 * * *").unwrap_err();
        assert_eq!(message!("{fault}"), "has `25` for the hour, which is outside 0-23");
        let fault = check_schedule("0 0 * *").unwrap_err();
        assert_eq!(message!("{fault}"), "has 4 fields, not 5");
    }
}
