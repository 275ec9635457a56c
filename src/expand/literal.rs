//! Strings of other systems that would be expressions in a definition.

use super::parts::is_expression;
use super::tokens::tag_name;
use crate::source::Slice as _;
use crate::tree::{Node, Value};

/// Writes each string of a definition so that it is not evaluated.
pub(crate) fn quote_expressions(node: &mut Node) {
    match &mut node.value {
        Value::String(text) if is_expression(text) => *text = quoted(text).into(),
        Value::List(items) => items.iter_mut().for_each(quote_expressions),
        Value::Map(map) => map.fields_mut().for_each(|it| quote_expressions(it.value)),
        _ => {}
    }
}

/// The text in a raw part, or in several: a text that contains the end of one is divided there.
fn quoted(text: &str) -> String {
    const END: &str = "{% endraw %}";
    let mut quoted = String::from("{% raw %}");
    let mut copied = 0;
    for (start, _) in text.match_indices("{%") {
        let tag = start + "{%".len();
        if tag_name(text, tag).0 == "endraw" {
            quoted.push_str(text.slice(copied..tag));
            quoted.push_str(END);
            quoted.push_str("{% raw %}");
            copied = tag;
        }
    }
    quoted.push_str(text.slice(copied..));
    quoted.push_str(END);
    quoted
}
