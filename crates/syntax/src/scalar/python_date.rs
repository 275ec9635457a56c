//! Dates in YAML 1.1, as PyYAML reads them from plain scalars.

use super::calendar::is_date;

/// A plain scalar that PyYAML reads as a date.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PythonDate {
    /// A date, or a date with a time of day, as `isoformat()` prints it.
    Iso(String),
    /// A date that does not exist, such as `2026-13-31`: the loader raises an exception.
    Impossible,
}

/// The time of day.
struct Time<'t> {
    clock: [u32; 3],
    fraction: &'t str,
    zone: Zone,
}

/// The zone of a time.
#[derive(Clone, Copy)]
enum Zone {
    Unknown,
    /// Minutes east of UTC.
    East(i64),
}

impl PythonDate {
    /// Reads `YYYY-MM-DD`, or a more lenient date with a time of day and optionally a zone
    /// (`resolver.py` and `constructor.py` of PyYAML 6); `None` for a string that is not a date.
    pub fn read(text: &str) -> Option<Self> {
        let mut scan = Scan(text);
        if let Some(date) = scan.date(2)
            && scan.0.is_empty()
        {
            return Some(Self::of(date, None));
        }
        let mut scan = Scan(text);
        let date = scan.date(1)?;
        if !scan.one(&['T', 't']) && !scan.spaces() {
            return None;
        }
        let clock = [scan.number(1, 2)?, scan.after(':')?, scan.after(':')?];
        let fraction = if scan.one(&['.']) { scan.digits(0, usize::MAX)? } else { "" };
        let zone = scan.zone()?;
        Some(Self::of(date, Some(&Time { clock, fraction, zone })))
    }

    fn of([year, month, day]: [u32; 3], time: Option<&Time<'_>>) -> Self {
        const DAY: i64 = 24 * 60;
        let is_day = year > 0 && is_date(year, month, day);
        let Some(Time { clock: [hour, minute, second], fraction, zone }) = time else {
            let date = format!("{year:04}-{month:02}-{day:02}");
            return if is_day { Self::Iso(date) } else { Self::Impossible };
        };
        let is_zone = !matches!(zone, Zone::East(minutes) if minutes.abs() >= DAY);
        if !is_day || *hour > 23 || *minute > 59 || *second > 59 || !is_zone {
            return Self::Impossible;
        }
        let mut text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        let micros: String = fraction.chars().chain("000000".chars()).take(6).collect();
        if micros != "000000" {
            text = format!("{text}.{micros}");
        }
        if let Zone::East(east) = zone {
            let sign = if *east < 0 { '-' } else { '+' };
            text = format!("{text}{sign}{:02}:{:02}", east.abs() / 60, east.abs() % 60);
        }
        Self::Iso(text)
    }
}

/// The unmatched rest of a string.
struct Scan<'t>(&'t str);

impl<'t> Scan<'t> {
    /// A year, and a month and a day of at least this many digits.
    fn date(&mut self, least: usize) -> Option<[u32; 3]> {
        let year = self.number(4, 4)?;
        let mut part = || if self.one(&['-']) { self.number(least, 2) } else { None };
        Some([year, part()?, part()?])
    }

    /// Consumes up to `most` digits, if there are at least `least`.
    fn digits(&mut self, least: usize, most: usize) -> Option<&'t str> {
        let count = self.0.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        (count >= least).then_some(digits)
    }

    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        self.digits(least, most)?.parse().ok()
    }

    /// Two digits after a separator.
    fn after(&mut self, separator: char) -> Option<u32> {
        if self.one(&[separator]) { self.number(2, 2) } else { None }
    }

    fn one(&mut self, set: &[char]) -> bool {
        let rest = self.0.strip_prefix(set);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn spaces(&mut self) -> bool {
        let rest = self.0.trim_start_matches([' ', '\t']);
        let is_some = rest.len() < self.0.len();
        self.0 = rest;
        is_some
    }

    /// The zone at the end of the string.
    fn zone(&mut self) -> Option<Zone> {
        if self.0.is_empty() {
            return Some(Zone::Unknown);
        }
        self.spaces();
        if self.0 == "Z" {
            return Some(Zone::East(0));
        }
        let sign = if self.0.starts_with('-') { -1 } else { 1 };
        if !self.one(&['+', '-']) {
            return None;
        }
        let hours = self.number(1, 2)?;
        let minutes = if self.0.is_empty() { 0 } else { self.after(':')? };
        self.0.is_empty().then_some(Zone::East(sign * i64::from(hours * 60 + minutes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from `yaml.safe_load` and `isoformat()`, as the launcher of Nodepool uses them.
    #[test]
    fn dates_are_printed_as_python_prints_them() {
        for (text, expected) in [
            ("2026-01-31", "2026-01-31"),
            ("2026-01-31 10:00:00", "2026-01-31T10:00:00"),
            ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00+00:00"),
            ("2026-01-31T10:00:00 Z", "2026-01-31T10:00:00+00:00"),
            ("2026-1-3 1:02:03", "2026-01-03T01:02:03"),
            ("2026-01-31 10:00:00.5", "2026-01-31T10:00:00.500000"),
            ("2026-01-31 10:00:00.", "2026-01-31T10:00:00"),
            ("2026-01-31 10:00:00.000", "2026-01-31T10:00:00"),
            ("2026-01-31t10:00:00.1234567", "2026-01-31T10:00:00.123456"),
            ("2026-01-31 10:00:00 +2", "2026-01-31T10:00:00+02:00"),
            ("2026-01-31 10:00:00 -05:30", "2026-01-31T10:00:00-05:30"),
            ("2026-01-31 10:00:00 -0:30", "2026-01-31T10:00:00-00:30"),
            ("2026-01-31 10:00:00 -00:00", "2026-01-31T10:00:00+00:00"),
            ("2026-01-31 10:00:00 +23:59", "2026-01-31T10:00:00+23:59"),
            ("0001-01-01 00:00:00", "0001-01-01T00:00:00"),
        ] {
            let iso = PythonDate::Iso(expected.to_owned());
            assert_eq!(PythonDate::read(text), Some(iso.clone()), "{text}");
            assert_eq!(PythonDate::read(expected), Some(iso), "{expected} is read as itself");
        }
    }

    #[test]
    fn dates_that_do_not_exist_cannot_be_loaded() {
        for text in [
            "2026-13-31",
            "2026-02-30 10:00:00",
            "2026-01-31 10:00:60",
            "2026-01-31 24:00:00",
            "2026-01-31 10:00:00 +25",
            "0000-01-01",
        ] {
            assert_eq!(PythonDate::read(text), Some(PythonDate::Impossible), "{text}");
        }
    }

    #[test]
    fn other_strings_are_not_dates() {
        for text in [
            "",
            "2026",
            "2026-1-3",
            "2026-01-31 10:00",
            "2026-01-31 10:00:00 ",
            "2026-01-31x",
            "26-01-31",
            "2026-01-31 10:00:00 UTC",
        ] {
            assert_eq!(PythonDate::read(text), None, "{text}");
        }
    }
}
