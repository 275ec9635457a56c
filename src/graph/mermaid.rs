//! Output as a Mermaid flowchart.

use std::fmt::Write as _;

use super::{Graph, Item, State};

/// Writes the flowchart, without the Markdown code fence around it.
pub(super) fn write(graph: &Graph) -> String {
    let mut text = String::from("flowchart LR\n");
    for (number, (namespace, members)) in (0..).zip(graph.by_namespace()) {
        let indent = if namespace.is_empty() { "  " } else { "    " };
        if !namespace.is_empty() {
            let _ = writeln!(text, "  subgraph s{number}[\"{}\"]", escaped(namespace));
        }
        for position in members {
            let Some(item) = graph.items.get(position) else { continue };
            let label =
                format!("{}<br/><b>{}</b>", escaped(&item.heading()), escaped(&item.title()));
            let _ =
                writeln!(text, "{indent}n{position}[\"{label}{}\"]{}", state(item), class(item));
        }
        if !namespace.is_empty() {
            text.push_str("  end\n");
        }
    }
    for link in &graph.links {
        let arrow = if graph.is_broken(link) { "-.->" } else { "-->" };
        let _ = writeln!(text, "  n{} {arrow}|{}| n{}", link.from, link.label, link.to);
    }
    text.push_str("  classDef bad stroke:#d1242f,stroke-width:2px,color:#d1242f\n");
    text.push_str("  classDef elsewhere stroke-dasharray:4 3\n");
    text
}

fn state(item: &Item) -> String {
    match item.state.word() {
        "" => String::new(),
        word => format!("<br/><i>{word}</i>"),
    }
}

const fn class(item: &Item) -> &'static str {
    match item.state {
        State::Sound => "",
        State::Elsewhere => ":::elsewhere",
        State::Faulty | State::Missing => ":::bad",
    }
}

/// Escapes a label: Mermaid interprets `#name;` as a character reference, and HTML as markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '-' | '.' | '_' | '/' | ':' | '×' | '…' => {
                safe.push(character);
            }
            other => {
                let _ = write!(safe, "#{};", u32::from(other));
            }
        }
    }
    safe
}
