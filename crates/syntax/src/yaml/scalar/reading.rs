//! `Reading`: one reader's interpretation of a plain scalar, and `Readings`: those of all readers.

use super::{core_schema, kubernetes, pyyaml, shared};
use crate::diag::{Message, Words, message};
use crate::tree::{Number, Value};

/// A reader's interpretation of a plain scalar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reading {
    /// `null`.
    Null,
    /// A boolean.
    Boolean(bool),
    /// A number that JSON can represent.
    Number(Number),
    /// An integer that does not fit 64 bits.
    LongInteger,
    /// A number in base 60: `1:30` is 90.
    BaseSixty,
    /// Infinity or NaN.
    NotFinite,
    /// A date, or a date with a time of day.
    Date,
    /// A string.
    Text,
    /// The reader rejects it.
    Refused,
}

impl From<Number> for Reading {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl Reading {
    /// The value for the tree, if there is one; `text` is the scalar as written.
    pub fn into_value(self, text: &str) -> Option<Value> {
        match self {
            Self::Null => Some(Value::Null),
            Self::Boolean(value) => Some(Value::Bool(value)),
            Self::Number(value) => Some(value.into()),
            Self::Text => Some(Value::String(shared(text))),
            Self::LongInteger | Self::BaseSixty | Self::NotFinite | Self::Date | Self::Refused => {
                None
            }
        }
    }

    /// A description for messages: the boolean true, the number 10.
    fn describe(self, text: &str) -> Message {
        match self {
            Self::Null => "null".into(),
            Self::Boolean(value) => message!("the boolean {value}"),
            Self::Number(number) => message!("the number {}", written(number)),
            Self::LongInteger => "an integer of more than 64 bits".into(),
            Self::BaseSixty => "a base 60 number".into(),
            Self::NotFinite => "a number that JSON cannot represent".into(),
            Self::Date => "a date".into(),
            Self::Text => message!("the string `{text}`"),
            Self::Refused => "an error".into(),
        }
    }
}

/// The interpretations of one plain scalar.
#[derive(Clone, PartialEq, Debug)]
pub struct Readings {
    text: String,
    /// Kubernetes: go-yaml v2.
    pub kubernetes: Reading,
    /// The YAML 1.2 core schema: many readers written since 2009.
    pub core_schema: Reading,
    /// PyYAML: YAML 1.1.
    pub pyyaml: Reading,
}

/// Reads a plain scalar like each reader.
pub fn readings(text: &str) -> Readings {
    Readings {
        text: text.to_owned(),
        kubernetes: kubernetes::read(text),
        core_schema: core_schema::read(text),
        pyyaml: pyyaml::read(text),
    }
}

impl Readings {
    /// Whether a reader reads another value than Kubernetes.
    pub fn differ(&self) -> bool {
        self.kubernetes != self.core_schema || self.kubernetes != self.pyyaml
    }
}

impl Readings {
    /// "Kubernetes and PyYAML read the boolean true, YAML 1.2 parsers the string `yes`".
    pub fn message(&self) -> Message {
        let mut groups: Vec<(Message, Reading)> = Vec::new();
        for (reader, reading) in [
            ("Kubernetes", self.kubernetes),
            ("YAML 1.2 parsers", self.core_schema),
            ("PyYAML", self.pyyaml),
        ] {
            match groups.iter_mut().find(|(_, known)| *known == reading) {
                Some((readers, _)) => *readers = message!("{} and {}", &*readers, Words(reader)),
                None => groups.push((reader.into(), reading)),
            }
        }
        let groups = groups.iter().enumerate().map(|(position, (readers, reading))| {
            let verb = match position {
                0 if readers == "Kubernetes" => " reads",
                0 => " read",
                _ => "",
            };
            message!("{readers}{} {}", Words(verb), reading.describe(&self.text))
        });
        Message::joined(groups, ", ")
    }
}

/// Formats a number so that every reader reads the same number.
pub fn written(number: Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::UInt(value) => value.to_string(),
        Number::Float(value) => {
            // PyYAML requires a point and a sign in a number with an exponent.
            let shortest = format!("{value:?}");
            let Some((mantissa, exponent)) = shortest.split_once('e') else { return shortest };
            let point = if mantissa.contains('.') { "" } else { ".0" };
            let sign = if exponent.starts_with('-') { "" } else { "+" };
            format!("{mantissa}{point}e{sign}{exponent}")
        }
    }
}
