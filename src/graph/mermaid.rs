//! Output as a Mermaid flowchart.

use super::{Graph, Item, State};
use crate::markup;
use crate::markup::{Literal, Markup, Mermaid};

/// Writes the flowchart, without the Markdown code fence around it.
pub(super) fn write(graph: &Graph) -> String {
    let mut text: Markup<Mermaid> = Markup::new();
    text.literal("flowchart LR\n");
    for (number, (namespace, members)) in (0_usize..).zip(graph.by_namespace()) {
        let indent = if namespace.is_empty() { "  " } else { "    " };
        if !namespace.is_empty() {
            markup!(text, "  subgraph s{}[\"{}\"]\n", number, namespace);
        }
        for position in members {
            let Some(item) = graph.items.get(position) else { continue };
            let Item { kind, name, count, .. } = item;
            markup!(text, "{}n{}[\"", Literal(indent), position);
            if *count > 1 {
                markup!(text, "{} × ", *count);
            }
            markup!(text, "{}<br/><b>{}", kind, name);
            if let Some(last) = &item.last {
                markup!(text, " … {}", last);
            }
            text.literal("</b>");
            let word = item.state.word();
            if !word.is_empty() {
                markup!(text, "<br/><i>{}</i>", word);
            }
            markup!(text, "\"]{}\n", Literal(class_suffix(item)));
        }
        if !namespace.is_empty() {
            text.literal("  end\n");
        }
    }
    for link in &graph.links {
        let arrow = Literal(if graph.is_broken(link) { "-.->" } else { "-->" });
        markup!(text, "  n{} {}|{}| n{}\n", link.from, arrow, link.label, link.to);
    }
    text.literal("  classDef bad stroke:#d1242f,stroke-width:2px,color:#d1242f\n");
    text.literal("  classDef elsewhere stroke-dasharray:4 3\n");
    text.into_string()
}

const fn class_suffix(item: &Item) -> &'static str {
    match item.state {
        State::Sound => "",
        State::Elsewhere => ":::elsewhere",
        State::Faulty | State::Missing => ":::bad",
    }
}
