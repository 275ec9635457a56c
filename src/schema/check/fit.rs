//! Values of the wrong type: what is there, what is expected, and how to write it.

use super::rules::WRONG_TYPE;
use super::{Place, Walk, text};
use crate::diag::Diagnostic;
use crate::schema::{List, ListType, Object, Type};
use crate::tree::{Node, Number, Value};

impl Walk<'_> {
    pub(super) fn wrong_type(&mut self, node: &Node, expected: Type<'_>, place: &Place<'_>) {
        let key = if place.key.is_empty() { self.cx.what } else { place.key };
        let subject = if place.is_item { "an item of " } else { "" };
        let message = format!(
            "{subject}`{key}` must be {}, not {}",
            text::kind_of(expected),
            node.describe()
        );
        let is_container = matches!(node.value, Value::List(_) | Value::Map(_));
        // A whole block is too much to underline: its key stands for it.
        let at = if is_container { place.at } else { node.span() };
        let finding =
            Diagnostic::new(&WRONG_TYPE, at, message).at(format!("is {}", node.describe()));
        let finding = match expected.resolve() {
            _ if self.is_result(node) => for_expression(finding, expected.resolve()),
            Type::String(_) | Type::Enum(_) => self.for_text(finding, node),
            Type::Int32 | Type::Int64 | Type::Number => for_number(finding, node, key),
            Type::Bool => for_boolean(finding, node, key),
            Type::List(list) => self.for_list(finding, node, list, place),
            Type::Map(_) => for_map(finding, node, key),
            Type::Object(object) => for_object(finding, node, object, key),
            Type::Quantity => finding.help("write a number and a unit: `500m`, `2`, `1Gi`"),
            _ => finding,
        };
        self.report(node.origin, place, finding);
    }

    /// Whether the value is what an expression gave: the text says something else.
    fn is_result(&self, node: &Node) -> bool {
        let is_expression = self.written(node).is_some_and(|written| written.contains("{{"));
        is_expression
            && !node.as_str().is_some_and(|text| text.contains("{{"))
            && !matches!(node.value, Value::Map(_))
    }

    fn for_text(&self, finding: Diagnostic, node: &Node) -> Diagnostic {
        let written = self.written(node).map(str::to_owned);
        match &node.value {
            Value::Number(_) | Value::Bool(_) => {
                let plain = written.unwrap_or_else(|| node.to_json().to_string());
                let quoted = format!("\"{plain}\"");
                finding.suggest(node.span(), quoted, "quote it")
            }
            Value::Map(_) if written.is_some_and(|it| it.trim_start().starts_with("{{")) => {
                finding.help("quote the expression: YAML reads `{{` as a map within a map")
            }
            Value::Map(_) => {
                finding.help("write the text on the line of the key, without `:` in it")
            }
            Value::List(items) => match items.as_slice() {
                [one] if one.as_str().is_some() => finding
                    .help(format!("write `{}` without the list", one.as_str().unwrap_or_default())),
                _ => finding.help("write one text instead of the list"),
            },
            Value::Null | Value::String(_) => finding,
        }
    }

    fn for_list(
        &self,
        finding: Diagnostic,
        node: &Node,
        list: &List<'_>,
        place: &Place<'_>,
    ) -> Diagnostic {
        match &node.value {
            Value::Map(map) => {
                let is_name_to_value = match (list.identity, list.items.resolve()) {
                    (ListType::Map(["name"]), Type::Object(object)) => {
                        object.property("value").is_some()
                            && map.entries.iter().all(|it| object.property(&it.key).is_none())
                    }
                    _ => false,
                };
                match map.entries.first() {
                    Some(first) if is_name_to_value => finding.help(format!(
                        "write each as an item with `name` and `value`: `- name: {}`",
                        first.key
                    )),
                    _ => {
                        finding.help("put `- ` before the first key, and indent the others by two")
                    }
                }
            }
            Value::String(value) => {
                let is_command = matches!(place.key, "command" | "args");
                if is_command && value.contains(' ') {
                    return finding.help(
                        "write a list, one item for each word, or run a shell: `[sh, -c, \"...\"]`",
                    );
                }
                match self
                    .written(node)
                    .filter(|_| matches!(list.items, Type::String(_) | Type::Enum(_)))
                {
                    Some(written) if !written.contains(['\n', ',', '[', '{']) => {
                        finding.suggest(node.span(), format!("[{written}]"), "make it a list")
                    }
                    _ => finding.help("write a list: put `- ` before each item"),
                }
            }
            _ => finding.help("write a list: put `- ` before each item"),
        }
    }
}

/// What an expression gives keeps its type; the quotes around it belong to YAML.
fn for_expression(finding: Diagnostic, expected: Type<'_>) -> Diagnostic {
    match expected {
        Type::String(_) | Type::Enum(_) => {
            finding.help("turn what the expression gives into text: `\"{{ (...) | string }}\"`")
        }
        Type::Int32 | Type::Int64 => {
            finding.help("turn what the expression gives into an integer: `\"{{ (...) | int }}\"`")
        }
        Type::Bool => finding.help(
            "write an expression that gives true or false: `\"{{ values.size == 'large' }}\"`",
        ),
        _ => finding.note("the value is what the expression gives"),
    }
}

fn for_number(finding: Diagnostic, node: &Node, key: &str) -> Diagnostic {
    match &node.value {
        Value::String(value) if value.parse::<i64>().is_ok() => {
            finding.suggest(node.span(), value.as_str(), "remove the quotes")
        }
        Value::Number(Number::Float(_)) => finding.help("write a whole number"),
        _ => finding.help(format!("write a number: `{key}: 1`")),
    }
}

fn for_boolean(finding: Diagnostic, node: &Node, key: &str) -> Diagnostic {
    let meant = match &node.value {
        Value::String(value) => match value.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "y" => Some("true"),
            "false" | "no" | "off" | "n" => Some("false"),
            _ => None,
        },
        Value::Number(Number::Int(1)) => Some("true"),
        Value::Number(Number::Int(0)) => Some("false"),
        _ => None,
    };
    match meant {
        Some(meant) => finding.suggest(node.span(), meant, format!("write `{meant}`")),
        None => finding.help(format!("write `{key}: true` or `{key}: false`")),
    }
}

fn for_map(finding: Diagnostic, node: &Node, key: &str) -> Diagnostic {
    match &node.value {
        Value::List(_) => finding.help(format!("write `key: value` below `{key}`, without `- `")),
        Value::String(value) => match value.split_once(':') {
            Some((name, rest)) if !name.contains(' ') && !rest.is_empty() => finding
                .help(format!("put a space behind the colon: `{name}: {}`", rest.trim_start())),
            _ => finding.help(format!("write `key: value` below `{key}`")),
        },
        _ => finding.help(format!("write `key: value` below `{key}`")),
    }
}

fn for_object(finding: Diagnostic, node: &Node, object: &Object<'_>, key: &str) -> Diagnostic {
    match &node.value {
        Value::List(items) if items.len() == 1 => finding.help("remove the `- `"),
        Value::List(_) => finding.help(format!("`{key}` is one map: remove the `- ` of the items")),
        Value::String(value) => {
            // A forgotten colon, or one without a space behind it, makes text of a map.
            let line = value.lines().next().unwrap_or_default();
            let name = line.split([' ', ':', '=']).next().unwrap_or_default();
            let rest = line.get(name.len()..).unwrap_or_default();
            let rest = rest.trim_start_matches([' ', ':', '=']);
            if object.property(name).is_some() {
                let rest: String = rest.chars().take(60).collect();
                finding.help(format!("write `{name}: {rest}`, with a colon and a space"))
            } else {
                with_example(finding, object)
            }
        }
        _ => with_example(finding, object),
    }
}

fn with_example(finding: Diagnostic, object: &Object<'_>) -> Diagnostic {
    let required = object.properties.iter().find(|it| it.is_required);
    match required.or(object.properties.first()) {
        Some(property) => finding.help(format!("write a map: `{}: ...`", property.name)),
        None => finding,
    }
}
