//! Parses a format string, as strictly as a label requires.

use super::{Attribute, FormatSpec, Part, Replacement, Template, TemplateFault};
use crate::diag::{Message, listed, message};
use crate::source::Slice as _;

const ESCAPE: &str = "write `{{` and `}}` for braces, which a label value cannot contain";
const MAX_LABEL_VALUE: usize = 63;

impl Template {
    /// Parses a format string. It rejects strings that Python's `str.format` rejects, and strings
    /// whose result can never be a label value.
    pub(in crate::dialect::nodepool) fn parse(text: &str) -> Result<Self, TemplateFault> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = (rest.slice(..at), rest.slice(at..));
            literal.push_str(before);
            if let Some(after) = from.strip_prefix("{{").or_else(|| from.strip_prefix("}}")) {
                literal.push_str(from.slice(..1));
                rest = after;
                continue;
            }
            let Some(inner) = from.strip_prefix('{') else {
                return Err(TemplateFault::new("has a `}` without `{`", ESCAPE));
            };
            let Some((field, after)) = inner.split_once('}') else {
                return Err(TemplateFault::new("has a `{` without `}`", "close it with `}`"));
            };
            if !literal.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut literal)));
            }
            parts.push(Part::Field(Replacement::parse(field)?));
            rest = after;
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            parts.push(Part::Text(literal));
        }
        let template = Self { parts };
        template.check_literals()?;
        Ok(template)
    }

    /// Checks that the text between the fields can be part of a label value.
    fn check_literals(&self) -> Result<(), TemplateFault> {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Field(_) => None,
        });
        let mut length = 0;
        for text in texts {
            length += text.len();
            if let Some(character) = text.chars().find(|character| !is_of_label(*character)) {
                return Err(TemplateFault::new(
                    message!("contains `{}`", character.escape_debug()),
                    "a label value consists of letters, digits, `-`, `_` and `.`",
                ));
            }
        }
        if length > MAX_LABEL_VALUE {
            return Err(TemplateFault::new(
                message!("is longer than {MAX_LABEL_VALUE} characters"),
                "shorten it",
            ));
        }
        let is_open = |text: &str, end: Option<char>| {
            !text.is_empty() && end.is_some_and(|it| !it.is_ascii_alphanumeric())
        };
        let first = self.parts.first();
        let last = self.parts.last();
        let starts_wrong =
            matches!(first, Some(Part::Text(text)) if is_open(text, text.chars().next()));
        let ends_wrong =
            matches!(last, Some(Part::Text(text)) if is_open(text, text.chars().next_back()));
        if starts_wrong || ends_wrong {
            let end = if starts_wrong { "starts" } else { "ends" };
            return Err(TemplateFault::new(
                message!("{end} with a character that is neither a letter nor a digit"),
                "a label value starts and ends with a letter or a digit",
            ));
        }
        Ok(())
    }
}

/// Whether a label value can contain the character.
pub(super) const fn is_of_label(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.')
}

impl Replacement {
    /// Parses the text between braces.
    fn parse(field: &str) -> Result<Self, TemplateFault> {
        if field.contains('{') {
            return Err(TemplateFault::new(
                message!("has a field inside the field `{field}`"),
                "write the width and the precision as numbers",
            ));
        }
        let end = field_name_end(field);
        let (name, rest) = (field.slice(..end), field.slice(end..));
        let (is_text, rest) = split_conversion(rest)?;
        let (attribute, keys) = parse_name(name)?;
        let spec = FormatSpec::parse(rest.strip_prefix(':').unwrap_or(""))?;
        let replacement = Self { attribute, keys, is_text, spec };
        replacement.check_keys()?;
        replacement.check_spec()?;
        Ok(replacement)
    }

    fn check_keys(&self) -> Result<(), TemplateFault> {
        let name = self.attribute.name();
        let fault = |message: Message, help: &'static str| Err(TemplateFault::new(message, help));
        match (self.attribute, self.keys.as_slice()) {
            (Attribute::Labels, [index]) if index.bytes().all(|it| it.is_ascii_digit()) => Ok(()),
            (Attribute::Labels, [index]) => fault(
                message!("uses `request.labels[{index}]`, and `labels` is a list"),
                "write an index, such as `{request.labels[0]}`",
            ),
            (Attribute::Labels, _) => fault(
                "uses all of `request.labels`, which is a list".into(),
                "write one of them, such as `{request.labels[0]}`",
            ),
            (Attribute::RequestorData, []) => fault(
                "uses all of `request.requestor_data`, which is a map".into(),
                "write one of its members, such as `{request.requestor_data[project]}`",
            ),
            (Attribute::RequestorData, _) | (_, []) => Ok(()),
            (_, [key, ..]) => fault(
                message!("uses `request.{name}[{key}]`, and `{name}` has no members"),
                "remove the brackets",
            ),
        }
    }

    fn check_spec(&self) -> Result<(), TemplateFault> {
        match self.attribute {
            _ if self.is_text => self.spec.check_text(),
            Attribute::RelativePriority => self.spec.check_integer(),
            Attribute::CreatedTime => self.spec.check_float(),
            // The type of a member depends on the request.
            Attribute::RequestorData => Ok(()),
            _ => self.spec.check_text(),
        }
    }
}

/// Whether the rest of a field starts with the conversion `!s`, and the text after it.
fn split_conversion(rest: &str) -> Result<(bool, &str), TemplateFault> {
    let Some(after) = rest.strip_prefix('!') else { return Ok((false, rest)) };
    match after.strip_prefix('s') {
        Some(spec) if spec.is_empty() || spec.starts_with(':') => Ok((true, spec)),
        _ if after.starts_with(['r', 'a']) => Err(TemplateFault::new(
            message!("uses the conversion `{}`", rest.get(..2).unwrap_or("!")),
            "remove it: a converted value has quotes, which a label value cannot contain",
        )),
        _ => Err(TemplateFault::new(
            message!("uses the unknown conversion `{rest}`"),
            "remove it, or use `!s`",
        )),
    }
}

/// The end of the field name: the first `!` or `:` outside of brackets.
fn field_name_end(field: &str) -> usize {
    let mut is_in_brackets = false;
    for (at, character) in field.char_indices() {
        match character {
            '[' => is_in_brackets = true,
            ']' => is_in_brackets = false,
            '!' | ':' if !is_in_brackets => return at,
            _ => {}
        }
    }
    field.len()
}

/// Parses `request.labels[0]`: the attribute, and the keys in brackets.
fn parse_name(name: &str) -> Result<(Attribute, Vec<String>), TemplateFault> {
    let known = || {
        let names = listed(Attribute::ALL.iter().map(|attribute| attribute.name()));
        message!("the attributes of `request` are {names}")
    };
    let Some(path) = name.strip_prefix("request.") else {
        let message = message!("uses `{{{name}}}`, and only `request` is known");
        return Err(TemplateFault::new(message, "write a field such as `{request.id}`"));
    };
    let mut rest = path.trim_start_matches(|character| !matches!(character, '.' | '['));
    let attribute = path.slice(..path.len() - rest.len());
    let Some(found) = Attribute::ALL.into_iter().find(|known| known.name() == attribute) else {
        let message = message!("uses the unknown attribute `request.{attribute}`");
        let unknown = Some(attribute.to_owned());
        return Err(TemplateFault { unknown, ..TemplateFault::new(message, known()) });
    };
    let mut keys = Vec::new();
    while !rest.is_empty() {
        let Some((key, after)) = rest.strip_prefix('[').and_then(|it| it.split_once(']')) else {
            return Err(TemplateFault::new(
                message!("uses `request.{path}`, and attributes have no attributes of their own"),
                "write a member of `requestor_data` in brackets: `{request.requestor_data[project]}`",
            ));
        };
        if key.is_empty() {
            let message = message!("has empty brackets after `request.{attribute}`");
            return Err(TemplateFault::new(message, "write an index or a key in them"));
        }
        keys.push(key.to_owned());
        rest = after;
    }
    Ok((found, keys))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Template::parse(text).expect_err(text).message.as_prose().to_owned()
    }

    #[test]
    fn the_eight_attributes_are_known() {
        for text in [
            "{request.id}",
            "{request.labels[0]}",
            "{request.requestor}",
            "{request.requestor_data[project]}",
            "{request.relative_priority}",
            "{request.event_id:.8}",
            "{request.created_time:.0f}",
            "{request.tenant_name}",
            "{request.id!s}",
            "{request.relative_priority!s:.3}",
            "change-{request.id}.x",
            "fixed",
            "",
        ] {
            assert!(Template::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn labels_that_the_launcher_drops_or_the_api_server_rejects_are_faults() {
        for (text, message) in [
            ("{request.user}", "uses the unknown attribute `request.user`"),
            ("{request.__class__}", "uses the unknown attribute `request.__class__`"),
            ("{request}", "uses `{request}`, and only `request` is known"),
            ("{id}", "uses `{id}`, and only `request` is known"),
            ("{}", "uses `{}`, and only `request` is known"),
            ("{0}", "uses `{0}`, and only `request` is known"),
            ("{request.labels}", "uses all of `request.labels`, which is a list"),
            ("{request.labels[a]}", "uses `request.labels[a]`, and `labels` is a list"),
            ("{request.labels[-1]}", "uses `request.labels[-1]`, and `labels` is a list"),
            ("{request.requestor_data}", "uses all of `request.requestor_data`, which is a map"),
            ("{request.id[0]}", "uses `request.id[0]`, and `id` has no members"),
            (
                "{request.id.real}",
                "uses `request.id.real`, and attributes have no attributes of their own",
            ),
            ("{request.id!r}", "uses the conversion `!r`"),
            ("{request.id!x}", "uses the unknown conversion `!x`"),
            ("{request.id!sx}", "uses the unknown conversion `!sx`"),
            ("{request.id", "has a `{` without `}`"),
            ("a}b", "has a `}` without `{`"),
            ("a{{b}}c", "contains `{`"),
            ("a b", "contains ` `"),
            ("-{request.id}", "starts with a character that is neither a letter nor a digit"),
            ("{request.id}_", "ends with a character that is neither a letter nor a digit"),
            ("{request.id:{request.id}}", "has a field inside the field `request.id:{request.id`"),
        ] {
            assert_eq!(fault(text), message, "{text}");
        }
        assert_eq!(fault(&"a".repeat(64)), "is longer than 63 characters");
    }
}
