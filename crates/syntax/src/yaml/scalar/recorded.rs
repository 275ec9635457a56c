//! Recorded verdicts of other readers, to compare with.
#![allow(clippy::expect_used, reason = "a recording has one form")]

use super::Reading;
use crate::tree::Number;

/// The lines `scalar`, tab, `verdict` of a recording.
pub fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().map(|line| line.split_once('\t').expect("scalar, tab, verdict"))
}

/// The reading as the recordings write it.
pub fn json(reading: Reading, scalar: &str) -> String {
    match reading {
        Reading::Null => "null".to_owned(),
        Reading::Boolean(value) => value.to_string(),
        Reading::Number(Number::Int(value)) => value.to_string(),
        Reading::Number(Number::UInt(value)) => value.to_string(),
        Reading::Number(Number::Float(value)) => format!("float {:x}", value.to_bits()),
        Reading::Text => serde_json::to_string(scalar).expect("text"),
        Reading::LongInteger => "long integer".to_owned(),
        Reading::BaseSixty => "base 60".to_owned(),
        Reading::NotFinite => "not finite".to_owned(),
        Reading::Date => "date".to_owned(),
        Reading::Refused => "error".to_owned(),
    }
}

/// A recorded verdict in the form of [`json`].
pub fn normalized(verdict: &str) -> String {
    if verdict.starts_with('"') {
        let text: String = serde_json::from_str(verdict).expect("JSON");
        return serde_json::to_string(&text).expect("text");
    }
    if verdict.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        if verdict.parse::<i64>().is_ok() || verdict.parse::<u64>().is_ok() {
            return if verdict == "-0" { "0".to_owned() } else { verdict.to_owned() };
        }
        let value: f64 = verdict.parse().expect("a number");
        return format!("float {:x}", value.to_bits());
    }
    verdict.to_owned()
}

/// A verdict of Kubernetes' library in the form of [`json`]. Values that JSON cannot represent are
/// errors in the library.
pub fn of_kubernetes(verdict: &str) -> String {
    if verdict == "error" { "not finite".to_owned() } else { normalized(verdict) }
}
