//! Timestamps and durations, parsed and printed as in Go.

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::scalar::{digit_groups, is_digits, parse_date};

const BILLION: i64 = 1_000_000_000;
const DAY: i64 = 86_400;

/// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds since 1970.
const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;

/// A timestamp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// Seconds since 1970.
    seconds: i64,
    nanos: i32,
    /// The UTC offset in its source, in seconds.
    offset: i32,
}

/// A duration, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Duration(pub(super) i64);

/// The fields of a calendar date and time.
pub(super) struct Calendar {
    pub(super) year: i64,
    /// Counted from 1.
    pub(super) month: i64,
    /// Counted from 1.
    pub(super) day: i64,
    /// Counted from 0.
    pub(super) day_of_year: i64,
    /// 0 is Sunday.
    pub(super) day_of_week: i64,
    pub(super) hours: i64,
    pub(super) minutes: i64,
    pub(super) seconds: i64,
    pub(super) milliseconds: i64,
}

impl PartialEq for Time {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.seconds, self.nanos).cmp(&(other.seconds, other.nanos))
    }
}

impl Time {
    /// The timestamp at a number of seconds since 1970; `None` outside the years 1 to 9999.
    pub(super) fn new(seconds: i64, nanos: i32) -> Option<Self> {
        (FIRST..=LAST).contains(&seconds).then_some(Self { seconds, nanos, offset: 0 })
    }

    pub(super) const fn seconds(self) -> i64 {
        self.seconds
    }

    /// Parses a field of the object: RFC 3339 in either case, or a date.
    pub(super) fn read(text: &str) -> Option<Self> {
        let uppercase = text.to_ascii_uppercase();
        if text.len() == 10 {
            Self::parse(&format!("{uppercase}T00:00:00Z"))
        } else {
            Self::parse(&uppercase)
        }
    }

    /// Parses RFC 3339 as Go does.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('T')?;
        let [year, month, day] = parse_date(date)?.map(i64::from);
        let (clock, zone) = time.split_at_checked(time.find(['Z', '+', '-'])?)?;
        let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, "0"));
        let [hours, minutes, seconds] = digit_groups(clock, b':', [2, 2, 2])?.map(i64::from);
        if hours > 23 || minutes > 59 || seconds > 59 {
            return None;
        }
        let offset = if zone == "Z" { 0 } else { parse_offset(zone)? };
        let local = days_before(year, month, day) * DAY + hours * 3600 + minutes * 60 + seconds;
        let utc = Self::new(local - offset, parse_fraction(fraction)?)?;
        Some(Self { offset: i32::try_from(offset).ok()?, ..utc })
    }

    /// The date and time at an offset from UTC, in seconds.
    pub(super) fn calendar(self, offset: i64) -> Calendar {
        let local = self.seconds + offset;
        let (days, second) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let (year, month, day) = date_of(days);
        Calendar {
            year,
            month,
            day,
            day_of_year: days - days_before(year, 1, 1),
            // 1970-01-01 was a Thursday.
            day_of_week: (days + 4).rem_euclid(7),
            hours: second / 3600,
            minutes: second / 60 % 60,
            seconds: second % 60,
            milliseconds: i64::from(self.nanos) / 1_000_000,
        }
    }

    /// Adds a duration; `None` if the result is out of range.
    pub(super) fn plus(self, span: Duration) -> Option<Self> {
        let nanos = i64::from(self.nanos) + span.0.rem_euclid(BILLION);
        let seconds = self.seconds + span.0.div_euclid(BILLION) + nanos / BILLION;
        let moved = Self::new(seconds, i32::try_from(nanos % BILLION).ok()?)?;
        Some(Self { offset: self.offset, ..moved })
    }

    /// The duration between two timestamps.
    pub(super) fn minus(self, other: Self) -> Option<Duration> {
        let seconds = (self.seconds - other.seconds).checked_mul(BILLION)?;
        seconds.checked_add(i64::from(self.nanos - other.nanos)).map(Duration)
    }

    /// Prints RFC 3339 as Go does.
    pub(super) fn print(self) -> String {
        let Calendar { year, month, day, hours, minutes, seconds, .. } =
            self.calendar(self.offset.into());
        let mut text =
            format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}");
        if self.nanos != 0 {
            let digits = format!("{:09}", self.nanos);
            let _ = write!(text, ".{}", digits.trim_end_matches('0'));
        }
        if self.offset == 0 {
            text.push('Z');
        } else {
            let sign = if self.offset < 0 { '-' } else { '+' };
            let minutes = self.offset.abs() / 60;
            let _ = write!(text, "{sign}{:02}:{:02}", minutes / 60, minutes % 60);
        }
        text
    }
}

/// Parses `+02:00` or `-08:30`, in seconds.
pub(super) fn parse_offset(zone: &str) -> Option<i64> {
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let clock = zone.strip_prefix(['+', '-'])?;
    let [hours, minutes] = digit_groups(clock, b':', [2, 2])?.map(i64::from);
    (hours <= 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Parses the fraction of a second as nanoseconds; further digits are dropped.
fn parse_fraction(fraction: &str) -> Option<i32> {
    if !is_digits(fraction) {
        return None;
    }
    format!("{fraction:0<9}").get(..9)?.parse().ok()
}

/// The number of days from 1970-01-01 to a Gregorian date. Years begin in March here, so that the
/// leap day is at their end.
const fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The date at a number of days after 1970-01-01.
const fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// Units of Go's durations, in nanoseconds; longer names first.
const UNITS: &[(&str, i64)] = &[
    ("ns", 1),
    ("us", 1000),
    ("\u{b5}s", 1000),
    ("\u{3bc}s", 1000),
    ("ms", 1_000_000),
    ("s", BILLION),
    ("m", 60 * BILLION),
    ("h", 3600 * BILLION),
];

impl Duration {
    /// Parses a duration as Go's `time.ParseDuration` does: `1h30m`, `-1.5s`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (is_negative, mut rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if rest == "0" {
            return Some(Self(0));
        }
        if rest.is_empty() {
            return None;
        }
        let mut total: i64 = 0;
        while !rest.is_empty() {
            let (whole, behind) = split_digits(rest);
            let (fraction, behind) = behind.strip_prefix('.').map_or(("", behind), split_digits);
            if whole.is_empty() && fraction.is_empty() {
                return None;
            }
            let end = behind.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(behind.len());
            let (name, behind) = behind.split_at_checked(end)?;
            let (_, unit) = UNITS.iter().find(|(symbol, _)| *symbol == name)?;
            let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
            let mut part = i128::from(whole) * i128::from(*unit);
            let mut scale = i128::from(*unit);
            for digit in fraction.bytes().take(18) {
                scale /= 10;
                part += i128::from(digit.saturating_sub(b'0')) * scale;
            }
            total = total.checked_add(i64::try_from(part).ok()?)?;
            rest = behind;
        }
        Some(Self(if is_negative { -total } else { total }))
    }

    pub(super) const fn nanos(self) -> i64 {
        self.0
    }

    /// Prints as cel-go does: seconds and their fraction.
    #[allow(
        clippy::cast_precision_loss,
        clippy::float_arithmetic,
        reason = "cel-go prints the seconds as a float"
    )]
    pub(super) fn print(self) -> String {
        format!("{}s", self.0 as f64 / 1e9)
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}
