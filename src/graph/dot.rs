//! Output in the DOT language of Graphviz.

use std::fmt::Write as _;

use super::{Graph, State, is_hidden};

/// Writes a directed graph with a cluster for each namespace.
pub(super) fn write(graph: &Graph) -> String {
    let mut text = String::from(
        "digraph sandboxc {\n  rankdir=LR\n  bgcolor=transparent\n  node [shape=box, style=rounded, \
         fontname=\"Helvetica\"]\n  edge [fontname=\"Helvetica\", fontsize=10, color=\"#6e7781\"]\n",
    );
    for (number, (namespace, members)) in (0..).zip(graph.by_namespace()) {
        let indent = if namespace.is_empty() { "  " } else { "    " };
        if !namespace.is_empty() {
            let _ = writeln!(text, "  subgraph cluster_{number} {{");
            let _ = writeln!(text, "    label={}\n    style=\"rounded,dashed\"", quoted(namespace));
        }
        for position in members {
            let Some(item) = graph.items.get(position) else { continue };
            let word = item.state.word();
            let mut label = format!("{}\n{}", item.heading(), item.title());
            if !word.is_empty() {
                label = format!("{label}\n({word})");
            }
            let look = match item.state {
                State::Sound => "",
                State::Elsewhere => ", style=\"rounded,dashed\"",
                State::Faulty => ", color=\"#d1242f\", fontcolor=\"#d1242f\"",
                State::Missing => {
                    ", color=\"#d1242f\", fontcolor=\"#d1242f\", style=\"rounded,dashed\""
                }
            };
            let _ = writeln!(text, "{indent}n{position} [label={}{look}]", quoted(&label));
        }
        if !namespace.is_empty() {
            text.push_str("  }\n");
        }
    }
    for link in &graph.links {
        let look = if graph.is_broken(link) { ", color=\"#d1242f\", style=dashed" } else { "" };
        let label = quoted(link.label);
        let _ = writeln!(text, "  n{} -> n{} [label={label}{look}]", link.from, link.to);
    }
    text.push_str("}\n");
    text
}

/// A quoted string, with backslashes and quotes escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            '\n' => quoted.push_str("\\n"),
            hidden if is_hidden(hidden) => {}
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_hide_or_end_a_string() {
        assert_eq!(quoted("a\"\\\u{1b}[31m\u{9b}\u{202e}\u{200b}b\n"), r#""a\"\\[31mb\n""#);
    }
}
