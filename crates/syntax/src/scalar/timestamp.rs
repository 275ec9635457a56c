//! Timestamps as Kubernetes writes them.

use super::calendar::{digit_groups, is_clock, is_digits, parse_date};

/// A date and time with a zone, RFC 3339 as Go parses it: `2026-09-01T08:00:00Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Timestamp {
    /// The year as written, whatever the zone.
    pub year: u32,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
}

impl Timestamp {
    /// Parses a timestamp; `None` for one that a controller cannot parse.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('T')?;
        let [year, month, day] = parse_date(date)?;
        if time.strip_suffix('Z').is_some_and(is_clock) {
            return Some(Self { year, month, day });
        }
        let zone_at = time.find(['Z', '+', '-'])?;
        let (clock, zone) = time.split_at_checked(zone_at)?;
        check_clock(clock)?;
        check_zone(zone)?;
        Some(Self { year, month, day })
    }
}

fn check_clock(text: &str) -> Option<()> {
    let (clock, fraction) = match text.split_once(['.', ',']) {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    (is_clock(clock) && fraction.is_none_or(is_digits)).then_some(())
}

fn check_zone(text: &str) -> Option<()> {
    if text == "Z" {
        return Some(());
    }
    let [hours, minutes] = digit_groups(text.strip_prefix(['+', '-'])?, b':', [2, 2])?;
    // Go accepts offsets of 24 hours and of 60 minutes (`time/format.go`).
    (hours <= 24 && minutes <= 60).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // The expected results are those of Go's `time.Parse(time.RFC3339, text)`.
    #[test]
    fn parses_as_go_does() {
        for text in [
            "2026-09-01T08:00:00Z",
            "2026-09-01T08:00:00.123456Z",
            "2026-09-01T08:00:00,5-08:00",
            "2026-09-01T08:00:00+02:00",
            "2026-09-01T08:00:00+24:60",
            "2024-02-29T23:59:59-11:30",
            "0001-01-01T00:00:00Z",
        ] {
            assert!(Timestamp::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "2026-09-01",
            "2026-09-01T08:00:00",
            "2026-09-01 08:00:00Z",
            "2026-09-01t08:00:00z",
            "2026-09-01T08:00Z",
            "2026-9-1T08:00:00Z",
            "2026-02-29T08:00:00Z",
            "2026-13-01T08:00:00Z",
            "2026-09-01T24:00:00Z",
            "2026-09-01T08:00:60Z",
            "2026-09-01T08:00:00+0200",
            "2026-09-01T08:00:00.Z",
            "2026-09-01T08:00:00Z ",
            "1769860800",
            "tomorrow",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }
}
