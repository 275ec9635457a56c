//! String functions, which count code points, and `format`.

use super::Call;
use super::format::print;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::value::Value;

/// The value of a call on a string; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    let (first, rest) = call.values.split_first()?;
    if let (Function::Size, []) = (call.function, rest) {
        return Some(size_of_value(first));
    }
    if let Function::Join = call.function {
        return Some(join_texts(first, rest));
    }
    let Value::String(text) = first else { return None };
    let text = text.as_str();
    Some(match (call.function, rest) {
        (Function::Contains, [Value::String(part)]) => {
            Ok(Value::Bool(text.contains(part.as_str())))
        }
        (Function::StartsWith, [Value::String(part)]) => {
            Ok(Value::Bool(text.starts_with(part.as_str())))
        }
        (Function::EndsWith, [Value::String(part)]) => {
            Ok(Value::Bool(text.ends_with(part.as_str())))
        }
        (Function::LowerAscii, []) => Ok(Value::text(text.to_ascii_lowercase())),
        (Function::UpperAscii, []) => Ok(Value::text(text.to_ascii_uppercase())),
        (Function::Trim, []) => Ok(Value::text(text.trim())),
        (Function::CharAt, [Value::Int(at)]) => char_at(text, *at),
        (Function::IndexOf, [Value::String(part)]) => index_of(text, part, 0),
        (Function::IndexOf, [Value::String(part), Value::Int(from)]) => index_of(text, part, *from),
        (Function::LastIndexOf, [Value::String(part)]) => last_index_of(text, part, None),
        (Function::LastIndexOf, [Value::String(part), Value::Int(to)]) => {
            last_index_of(text, part, Some(*to))
        }
        (Function::Replace, [Value::String(old), Value::String(new)]) => {
            Ok(Value::text(text.replace(old.as_str(), new)))
        }
        (Function::Replace, [Value::String(old), Value::String(new), Value::Int(count)]) => {
            Ok(match usize::try_from(*count) {
                Ok(count) => Value::text(text.replacen(old.as_str(), new, count)),
                Err(_) => Value::text(text.replace(old.as_str(), new)),
            })
        }
        (Function::Split, [Value::String(separator)]) => Ok(split_text(text, separator, -1)),
        (Function::Split, [Value::String(separator), Value::Int(count)]) => {
            Ok(split_text(text, separator, *count))
        }
        (Function::Substring, [Value::Int(start)]) => substring(text, *start, None),
        (Function::Substring, [Value::Int(start), Value::Int(end)]) => {
            substring(text, *start, Some(*end))
        }
        (Function::JsonpatchEscapeKey, []) => {
            Ok(Value::text(text.replace('~', "~0").replace('/', "~1")))
        }
        (Function::StringsQuote, []) => Ok(Value::text(quote_text(text))),
        (Function::Format, [Value::List(list)]) => {
            list.items().and_then(|items| print(text, &items))
        }
        _ => return None,
    })
}

fn size_of_value<'v>(value: &Value<'v>) -> Result<Value<'v>, Stop> {
    let size = match value {
        Value::String(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.decoded().len(),
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        _ => return Err(Stop::no_overload()),
    };
    Ok(int_value(size))
}

fn int_value<'v>(number: usize) -> Value<'v> {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn out_of_range(at: i64) -> Stop {
    Stop::error(format!("index out of range: {at}"))
}

/// The byte offset of the character at an index; the end of the string is allowed.
fn byte_of(text: &str, at: i64) -> Result<usize, Stop> {
    let number = usize::try_from(at).map_err(|_| out_of_range(at))?;
    let ends = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
    ends.into_iter().nth(number).ok_or_else(|| out_of_range(at))
}

fn characters_before(text: &str, byte: usize) -> usize {
    text.get(..byte).map_or(0, |head| head.chars().count())
}

fn char_at<'v>(text: &str, at: i64) -> Result<Value<'v>, Stop> {
    let (_, rest) = text.split_at(byte_of(text, at)?);
    Ok(Value::text(rest.chars().take(1).collect::<String>()))
}

fn index_of<'v>(text: &str, part: &str, from: i64) -> Result<Value<'v>, Stop> {
    if part.is_empty() && from >= 0 {
        return Ok(Value::Int(from));
    }
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    if from > length {
        return Ok(Value::Int(-1));
    }
    let start = byte_of(text, from)?;
    let found = text.get(start..).and_then(|rest| rest.find(part));
    Ok(found.map_or(Value::Int(-1), |at| int_value(characters_before(text, start + at))))
}

fn last_index_of<'v>(text: &str, part: &str, to: Option<i64>) -> Result<Value<'v>, Stop> {
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let last = to.unwrap_or(length);
    if to.is_some_and(|to| to < 0 || to > length) {
        return Err(out_of_range(last));
    }
    if part.is_empty() {
        return Ok(Value::Int(last));
    }
    // The match can begin at `last` and extend past it.
    let begin = byte_of(text, last)?;
    let end = text.len().min(begin + part.len());
    let found = text.get(..end).map_or_else(|| text.rfind(part), |head| head.rfind(part));
    Ok(found.map_or(Value::Int(-1), |at| int_value(characters_before(text, at))))
}

fn substring<'v>(text: &str, start: i64, end: Option<i64>) -> Result<Value<'v>, Stop> {
    if let Some(end) = end.filter(|end| *end < start) {
        return Err(Stop::error(format!("invalid substring range. start: {start}, end: {end}")));
    }
    let from = byte_of(text, start)?;
    let to = end.map_or(Ok(text.len()), |end| byte_of(text, end))?;
    Ok(Value::text(text.get(from..to).unwrap_or("")))
}

/// Splits like Go's `strings.SplitN`: a negative count means no limit, and an empty separator
/// splits into characters.
fn split_text<'v>(text: &str, separator: &str, count: i64) -> Value<'v> {
    let limit = usize::try_from(count).unwrap_or(usize::MAX);
    if limit == 0 {
        return Value::list(Vec::new());
    }
    if !separator.is_empty() {
        return Value::list(text.splitn(limit, separator).map(Value::text).collect());
    }
    let mut characters = text.chars();
    let singles = characters.by_ref().take(limit - 1);
    let mut parts: Vec<_> = singles.map(|character| Value::text(character.to_string())).collect();
    let rest = characters.as_str();
    if !rest.is_empty() {
        parts.push(Value::text(rest));
    }
    Value::list(parts)
}

fn join_texts<'v>(list: &Value<'v>, rest: &[Value<'v>]) -> Result<Value<'v>, Stop> {
    let separator = match rest {
        [] => "",
        [Value::String(separator)] => separator.as_str(),
        _ => return Err(Stop::no_overload()),
    };
    let Value::List(list) = list else { return Err(Stop::no_overload()) };
    let mut joined = String::new();
    for (at, item) in list.items()?.iter().enumerate() {
        let Value::String(text) = item else { return Err(Stop::no_overload()) };
        if at > 0 {
            joined.push_str(separator);
        }
        joined.push_str(text);
    }
    Ok(Value::text(joined))
}

fn quote_text(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Formats like Go's `strconv.FormatFloat(number, 'g', -1, 64)`.
pub(super) fn double_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // `%g` switches to an exponent below -4 and from 21 upward.
    if (-4..21).contains(&exponent) {
        return format!("{number}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
