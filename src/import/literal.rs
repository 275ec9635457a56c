//! Strings of other systems that would be expressions in a definition.

use crate::tree::{Node, Value};

/// Writes each string of an imported definition so that it is not evaluated.
pub(super) fn quote_expressions(node: &mut Node) {
    match &mut node.value {
        Value::String(text) if ["{{", "{%", "{#"].iter().any(|it| text.contains(it)) => {
            *text = quoted(text).into();
        }
        Value::List(items) => items.iter_mut().for_each(quote_expressions),
        Value::Map(map) => map.entries.iter_mut().for_each(|it| quote_expressions(&mut it.value)),
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
        let rest = text.get(tag..).unwrap_or_default();
        let name = rest.strip_prefix(['-', '+']).unwrap_or(rest).trim_start();
        if name.starts_with("endraw") {
            quoted.push_str(text.get(copied..tag).unwrap_or_default());
            quoted.push_str(END);
            quoted.push_str("{% raw %}");
            copied = tag;
        }
    }
    quoted.push_str(text.get(copied..).unwrap_or_default());
    quoted.push_str(END);
    quoted
}
