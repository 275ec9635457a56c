//! The function `format` and its clauses such as `%s`, including the errors that the API server
//! reports before evaluation.
#![allow(clippy::float_arithmetic, reason = "doubles are printed with a precision")]

use std::fmt::Write as _;

use super::strings::double_text;
use crate::cel::Stop;
use crate::cel::types::Type;
use crate::cel::value::Value;
use crate::limits;

/// A part of a format string.
enum Piece<'t> {
    Text(&'t str),
    /// The letter of a clause, and its precision.
    Clause(char, Option<usize>),
}

/// Splits a format string; `Err` describes its fault.
fn split_format(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('%') {
        pieces.push(Piece::Text(before));
        if let Some(behind) = behind.strip_prefix('%') {
            pieces.push(Piece::Text("%"));
            rest = behind;
            continue;
        }
        let (precision, behind) = match behind.strip_prefix('.') {
            Some(behind) => {
                let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
                let (digits, behind) = behind.split_at(end);
                (Some(digits.parse().map_err(|_| "a precision has no digits")?), behind)
            }
            None => (None, behind),
        };
        let letter = behind.chars().next().ok_or("it ends within a clause")?;
        if !"sdfexXob".contains(letter) {
            return Err(format!("unknown clause `%{letter}`"));
        }
        pieces.push(Piece::Clause(letter, precision));
        rest = behind.strip_prefix(letter).unwrap_or(behind);
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

/// Checks a literal format string against the types of its arguments.
pub(crate) fn check(text: &str, arguments: &[&Type]) -> Result<(), String> {
    let mut rest = arguments.iter();
    for piece in split_format(text)? {
        let Piece::Clause(letter, _) = piece else { continue };
        let Some(argument) = rest.next() else {
            let count = arguments.len();
            return Err(format!("it has more clauses than the {count} arguments"));
        };
        if !accepts_type(letter, argument) {
            return Err(format!("`%{letter}` does not print a value of type {argument}"));
        }
    }
    match rest.count() {
        0 => Ok(()),
        more => Err(format!("it has {more} more arguments than clauses")),
    }
}

fn accepts_type(letter: char, argument: &Type) -> bool {
    match (letter, argument) {
        (_, Type::Dyn) => true,
        ('s', Type::List(item)) => accepts_type('s', item),
        ('s', Type::Map(map)) => accepts_type('s', &map.0) && accepts_type('s', &map.1),
        ('s', it) => !matches!(it, Type::Object(_) | Type::Library(_) | Type::Optional(_)),
        ('d' | 'o', it) => matches!(it, Type::Int | Type::Uint),
        ('f' | 'e', it) => matches!(it, Type::Double | Type::String),
        ('b', it) => matches!(it, Type::Int | Type::Uint | Type::Bool),
        (_, it) => matches!(it, Type::Int | Type::Uint | Type::String | Type::Bytes),
    }
}

/// Formats `arguments` with the clauses of `text`.
pub(super) fn print<'v>(text: &str, arguments: &[Value<'v>]) -> Result<Value<'v>, Stop> {
    let mut output = String::new();
    let mut rest = arguments.iter();
    for piece in split_format(text).map_err(Stop::error)? {
        match piece {
            Piece::Text(text) => output.push_str(text),
            Piece::Clause(letter, precision) => {
                let argument = rest.next().ok_or_else(|| Stop::error("index out of range"))?;
                output.push_str(&format_clause(letter, precision, argument)?);
            }
        }
    }
    Ok(Value::text(output))
}

fn format_clause(
    letter: char,
    precision: Option<usize>,
    value: &Value<'_>,
) -> Result<String, Stop> {
    let unfit = || {
        let name = value.type_name();
        Stop::error(format!("error during formatting: `%{letter}` was given {name}"))
    };
    let hexadecimal = |bytes: &[u8]| {
        bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    Ok(match (letter, value) {
        ('s', value) => format_value(value, false)?,
        ('d', Value::Int(it)) => it.to_string(),
        ('d', Value::Uint(it)) => it.to_string(),
        ('f', Value::Double(_))
            if precision.is_some_and(|digits| digits > limits::CEL_PRECISION.count()) =>
        {
            return Err(Stop::unsupported("this number of digits in a format"));
        }
        ('f', Value::Double(it)) if it.is_finite() => {
            format!("{it:.precision$}", precision = precision.unwrap_or(6))
        }
        // The result depends on the locale, so rules cannot compare it usefully.
        ('f' | 'e', Value::Double(_) | Value::String(_)) => {
            return Err(Stop::unsupported("a scientific format"));
        }
        ('b', Value::Bool(it)) => u8::from(*it).to_string(),
        ('b', Value::Int(it)) => format_signed(*it, |number| format!("{number:b}")),
        ('b', Value::Uint(it)) => format!("{it:b}"),
        ('o', Value::Int(it)) => format_signed(*it, |number| format!("{number:o}")),
        ('o', Value::Uint(it)) => format!("{it:o}"),
        ('x', Value::Int(it)) => format_signed(*it, |number| format!("{number:x}")),
        ('x', Value::Uint(it)) => format!("{it:x}"),
        ('x', Value::String(it)) => hexadecimal(it.as_bytes()),
        ('x', Value::Bytes(it)) => hexadecimal(&it.decoded()),
        ('X', value) => format_clause('x', precision, value)?.to_ascii_uppercase(),
        _ => return Err(unfit()),
    })
}

/// Formats the sign and the magnitude as Go does.
fn format_signed(number: i64, print: fn(u64) -> String) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", print(number.unsigned_abs()))
}

/// Formats a value as `%s` does; strings inside lists and maps are quoted.
fn format_value(value: &Value<'_>, is_inner: bool) -> Result<String, Stop> {
    Ok(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(it) => it.to_string(),
        Value::Int(it) => it.to_string(),
        Value::Uint(it) => it.to_string(),
        Value::Double(it) if is_inner => format!("{it:.6}"),
        Value::Double(it) => double_text(*it),
        Value::String(it) if is_inner => format!("{it:?}"),
        Value::String(it) | Value::Type(it) => it.to_string(),
        Value::Bytes(it) => String::from_utf8_lossy(&it.decoded()).into_owned(),
        Value::Time(it) => it.print(),
        Value::Duration(it) => it.print(),
        Value::List(list) => {
            let items = list.items()?;
            let items: Result<Vec<_>, _> =
                items.iter().map(|item| format_value(item, true)).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Map(map) => {
            let mut entries = Vec::new();
            for (key, value) in map.entries() {
                let value = value?.ok_or_else(Stop::no_overload)?;
                entries.push(format!(
                    "{}:{}",
                    format_value(&key.value(), true)?,
                    format_value(&value, true)?
                ));
            }
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
        _ => return Err(Stop::error("error during formatting: no such clause")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rust formats at most 65,535 digits, and panics above.
    #[test]
    fn a_precision_has_a_bound() {
        let print = |text: &str| print(text, &[Value::Double(1.5)]);
        let most = limits::CEL_PRECISION.most;
        let Ok(Value::String(printed)) = print(&format!("%.{most}f")) else { panic!("a string") };
        assert_eq!(printed.len(), limits::CEL_PRECISION.count() + 2);
        for precision in [most + 1, 65_536, 4_000_000_000] {
            let printed = print(&format!("%.{precision}f"));
            assert!(matches!(printed, Err(Stop::Unsupported(_))), "{precision}");
        }
    }
}
