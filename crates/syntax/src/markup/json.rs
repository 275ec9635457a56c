//! JSON. Its writer escapes quotes and line feeds; what is left is for a terminal or a log that shows it.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::terminal::{begins_command, is_plain_byte, visible_char};

/// Returns a value as indented JSON with a line feed at its end. Control, bidirectional and invisible
/// characters, and commands of a CI server, are escaped: all are in strings, whose values stay the same.
#[must_use]
pub fn pretty_json(value: &impl Serialize) -> String {
    let mut text = Vec::new();
    // Serialization only fails for a map with keys that are not strings, or a failing `Serialize`.
    let _ = write_pretty_json(value, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Writes the JSON of [`pretty_json`].
///
/// # Errors
/// If the value cannot be serialized, or `out` fails.
pub fn write_pretty_json(value: &impl Serialize, mut out: impl Write) -> io::Result<()> {
    let formatter = Inert(PrettyFormatter::new());
    value.serialize(&mut Serializer::with_formatter(&mut out, formatter))?;
    out.write_all(b"\n")
}

/// A string in JSON, escaped as in [`pretty_json`].
#[must_use]
pub fn json_string(text: &str) -> String {
    let mut json = Vec::new();
    // Writing a string to memory does not fail.
    let _ =
        text.serialize(&mut Serializer::with_formatter(&mut json, Inert(PrettyFormatter::new())));
    String::from_utf8(json).unwrap_or_default()
}

/// A string in double quotes in YAML, escaped as in [`json_string`], but for characters that JSON escapes as two
/// halves: readers of YAML reject those.
#[must_use]
pub fn yaml_string(text: &str) -> String {
    let json = json_string(text);
    let (mut yaml, mut rest) = (String::with_capacity(json.len()), json.as_str());
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        yaml.push_str(before);
        let (written, length) = match char_of_halves(escape) {
            Some(character) => (format!("\\U{:08X}", u32::from(character)), 12),
            None => (escape.get(..2).unwrap_or(escape).to_owned(), 2),
        };
        yaml.push_str(&written);
        rest = escape.get(length..).unwrap_or_default();
    }
    yaml + rest
}

/// The character whose two halves a text begins with: `\ud83d\ude00`.
fn char_of_halves(text: &str) -> Option<char> {
    let half = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    char::decode_utf16([half(0)?, half(6)?])
        .next()?
        .ok()
        .filter(|character| u32::from(*character) > 0xFFFF)
}

/// Indented JSON that a terminal and a log can show.
struct Inert(PrettyFormatter<'static>);

/// Methods that are those of indented JSON.
macro_rules! as_pretty {
    ($($method:ident($($argument:ident: $type:ty)?)),+ $(,)?) => {
        $(fn $method<W: ?Sized + Write>(&mut self, out: &mut W $(, $argument: $type)?) -> io::Result<()> {
            self.0.$method(out $(, $argument)?)
        })+
    };
}

impl Formatter for Inert {
    as_pretty!(
        begin_array(),
        end_array(),
        begin_array_value(is_first: bool),
        end_array_value(),
        begin_object(),
        end_object(),
        begin_object_key(is_first: bool),
        begin_object_value(),
        end_object_value(),
    );

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let is_kept = |byte: u8| is_plain_byte(byte) && byte != b'#';
        let mut rest = fragment;
        loop {
            let plain = rest.bytes().position(|byte| !is_kept(byte)).unwrap_or(rest.len());
            let (before, after) = rest.split_at(plain);
            out.write_all(before.as_bytes())?;
            let mut characters = after.chars();
            let Some(character) = characters.next() else { return Ok(()) };
            if visible_char(character) != character || begins_command(after) {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            } else {
                write!(out, "{character}")?;
            }
            rest = characters.as_str();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_json_has_the_same_value() {
        let text = "a\u{9b}\u{202e}\u{feff}\u{e0001}\n\"\u{1b}\u{7f}bü##[c]# d";
        let json = json_string(text);
        let expected = r#""a\u009b\u202e\ufeff\udb40\udc01\n\"\u001b\u007fbü\u0023#[c]# d""#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn escaped_yaml_has_no_halves_of_characters() {
        assert_eq!(yaml_string("a\u{202e}\u{e0001}\"b\n"), r#""a\u202e\U000E0001\"b\n""#);
    }

    #[test]
    fn the_layout_is_that_of_indented_json() {
        let value = serde_json::json!({"a": [1, {"b": {}}, []], "c##[": "d", "e": null});
        let expected = serde_json::to_string_pretty(&value).unwrap().replace("##[", "\\u0023#[");
        assert_eq!(pretty_json(&value), expected + "\n");
    }
}
