//! The format specification of a field, after its `:`.

use super::TemplateFault;
use super::parse::is_of_label;
use crate::diag::message;

/// `[[fill]align][0][width][.precision][type]`, as in Python, without signs, `#` and group
/// separators, whose characters cannot occur in a label value.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct FormatSpec {
    fill: Option<char>,
    align: Option<char>,
    is_zero_padded: bool,
    width: usize,
    precision: Option<usize>,
    kind: Option<char>,
}

const KINDS_OF_INTEGER: [char; 6] = ['b', 'd', 'o', 'x', 'X', 'f'];
/// The maximum length of a label value, and of a number of digits.
const LARGEST: usize = 63;
/// The maximum length in bytes of a text that is formatted: thousands of nodes can have megabytes.
const LONGEST_TEXT: usize = 1_000;
const HELP: &str = "use a precision such as `:.8`, or a width with a fill character such as `:0>8`";

impl FormatSpec {
    pub(super) fn parse(text: &str) -> Result<Self, TemplateFault> {
        let unknown = || TemplateFault::new(message!("has the format `:{text}`"), HELP);
        let mut spec = Self::default();
        let is_align = |character: char| matches!(character, '<' | '>' | '=' | '^');
        let mut rest = text;
        let mut start = text.chars();
        match (start.next(), start.next()) {
            (Some(fill), Some(align)) if is_align(align) => {
                (spec.fill, spec.align) = (Some(fill), Some(align));
                rest = start.as_str();
            }
            (Some(align), _) if is_align(align) => {
                spec.align = Some(align);
                rest = text.trim_start_matches(align);
            }
            _ => {}
        }
        if let Some(after) = rest.strip_prefix('0') {
            spec.is_zero_padded = true;
            rest = after;
        }
        (spec.width, rest) = split_number(rest).ok_or_else(unknown)?;
        if let Some(after) = rest.strip_prefix('.') {
            if !after.starts_with(|it: char| it.is_ascii_digit()) {
                return Err(unknown());
            }
            let (precision, after) = split_number(after).ok_or_else(unknown)?;
            spec.precision = Some(precision);
            rest = after;
        }
        let mut kind = rest.chars();
        spec.kind = kind.next();
        if kind.next().is_some() || spec.kind.is_some_and(|it| !it.is_ascii_alphabetic()) {
            return Err(unknown());
        }
        let fill = spec.fill.unwrap_or(if spec.is_zero_padded { '0' } else { ' ' });
        if spec.width > 0 && !is_of_label(fill) {
            return Err(TemplateFault::new(
                message!("is padded with `{fill}` to {} characters", spec.width),
                "remove the width: a label value consists of letters, digits, `-`, `_` and `.`",
            ));
        }
        Ok(spec)
    }

    pub(super) fn check_text(&self) -> Result<(), TemplateFault> {
        require(matches!(self.kind, None | Some('s')) && self.align != Some('='), "a string")
    }

    pub(super) fn check_integer(&self) -> Result<(), TemplateFault> {
        let is_known = self.kind.is_none_or(|kind| KINDS_OF_INTEGER.contains(&kind));
        require(is_known && (self.precision.is_none() || self.kind == Some('f')), "an integer")
    }

    pub(super) fn check_float(&self) -> Result<(), TemplateFault> {
        let is_known = match self.kind {
            None => self.precision.is_none(),
            Some(kind) => kind == 'f',
        };
        require(is_known, "a number with a fraction")
    }

    pub(super) fn text(&self, text: &str) -> Result<String, TemplateFault> {
        self.check_text()?;
        let Some(precision) = self.precision else {
            check_length(text)?;
            return Ok(self.padded(text.to_owned(), '<'));
        };
        Ok(self.padded(text.chars().take(precision).collect(), '<'))
    }

    pub(super) fn integer(&self, value: i64) -> Result<String, TemplateFault> {
        self.check_integer()?;
        let (sign, size) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
        let digits = match self.kind {
            Some('b') => format!("{size:b}"),
            Some('o') => format!("{size:o}"),
            Some('x') => format!("{size:x}"),
            Some('X') => format!("{size:X}"),
            Some('f') => format!("{size}.{}", "0".repeat(self.precision.unwrap_or(6)))
                .trim_end_matches('.')
                .to_owned(),
            _ => size.to_string(),
        };
        Ok(self.padded_number(sign, digits))
    }

    pub(super) fn float(&self, value: f64) -> Result<String, TemplateFault> {
        self.check_float()?;
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let size = value.abs();
        let digits = match self.kind {
            // Python's `repr` uses an exponent from here.
            None if size >= 1e16 || (size != 0.0 && size < 1e-4) => format!("{size:e}"),
            None => format!("{size:?}"),
            Some(_) => format!("{size:.*}", self.precision.unwrap_or(6)),
        };
        Ok(self.padded_number(sign, digits))
    }

    /// Inserts zeros between the sign and the digits.
    fn padded_number(&self, sign: &str, digits: String) -> String {
        let is_inside = self.align == Some('=') || (self.is_zero_padded && self.align.is_none());
        if !is_inside {
            return self.padded(format!("{sign}{digits}"), '>');
        }
        let inside =
            Self { align: None, ..Self { width: self.width.saturating_sub(sign.len()), ..*self } };
        format!("{sign}{}", inside.padded(digits, '>'))
    }

    fn padded(&self, text: String, default: char) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        let fill = self.fill.unwrap_or(if self.is_zero_padded { '0' } else { ' ' });
        let pad = |count: usize| fill.to_string().repeat(count);
        match self.align.unwrap_or(default) {
            '<' => text + &pad(missing),
            '^' => format!("{}{text}{}", pad(missing / 2), pad(missing - missing / 2)),
            _ => pad(missing) + &text,
        }
    }
}

/// Checks that a text, which is too long for a label value, can be part of a message.
pub(super) fn check_length(text: &str) -> Result<(), TemplateFault> {
    if text.len() <= LONGEST_TEXT {
        return Ok(());
    }
    Err(TemplateFault::new(message!("has a value of more than {LONGEST_TEXT} bytes"), HELP))
}

fn require(is_allowed: bool, what: &str) -> Result<(), TemplateFault> {
    let fault = || TemplateFault::new(message!("has a format that {what} cannot have"), HELP);
    if is_allowed { Ok(()) } else { Err(fault()) }
}

/// Splits off leading digits as a number; `None` if it is too large.
fn split_number(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = text.strip_suffix(rest)?;
    let value = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    (value <= LARGEST).then_some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> FormatSpec {
        FormatSpec::parse(text).expect(text)
    }

    /// The expected strings are those that Python 3.11 prints.
    #[test]
    fn formats_values_as_python_does() {
        assert_eq!(spec(".3").text("abcdef").as_deref(), Ok("abc"));
        assert_eq!(spec("x<6").text("abc").as_deref(), Ok("abcxxx"));
        assert_eq!(spec("x>6").text("abc").as_deref(), Ok("xxxabc"));
        assert_eq!(spec("x^6").text("abc").as_deref(), Ok("xabcxx"));
        assert_eq!(spec("06").text("abc").as_deref(), Ok("abc000"));
        assert_eq!(spec("05").integer(42).as_deref(), Ok("00042"));
        assert_eq!(spec("05").integer(-42).as_deref(), Ok("-0042"));
        assert_eq!(spec("x").integer(255).as_deref(), Ok("ff"));
        assert_eq!(spec(".1f").integer(7).as_deref(), Ok("7.0"));
        assert_eq!(spec("").float(1_700_000_000.25).as_deref(), Ok("1700000000.25"));
        assert_eq!(spec("").float(1_700_000_000.0).as_deref(), Ok("1700000000.0"));
        assert_eq!(spec(".0f").float(1_700_000_000.25).as_deref(), Ok("1700000000"));
        assert_eq!(spec(".0f").float(0.5).as_deref(), Ok("0"));
        assert_eq!(spec(".0f").float(1.5).as_deref(), Ok("2"));
        assert_eq!(spec(".1f").float(0.25).as_deref(), Ok("0.2"));
    }

    #[test]
    fn a_long_text_is_only_formatted_with_a_precision() {
        let text = "x".repeat(1_001);
        assert!(spec("").text(&text).is_err());
        assert_eq!(spec(".3").text(&text).as_deref(), Ok("xxx"));
        assert_eq!(spec("").text(&text[1..]).map(|it| it.len()), Ok(1_000));
    }

    #[test]
    fn invalid_label_values_are_rejected() {
        for text in [">20", "<20", "20", "*>20", "+d", ",", ".", "99999999999", ".99", "dd"] {
            assert!(FormatSpec::parse(text).is_err(), "{text}");
        }
        assert!(spec("d").check_text().is_err());
        assert!(spec("0=9").check_text().is_err());
        assert!(spec(".2").check_integer().is_err());
        assert!(spec("e").check_float().is_err());
        assert!(spec(".3").check_float().is_err());
        assert!(spec("d").check_float().is_err());
    }
}
