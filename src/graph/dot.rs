//! Output in the DOT language of Graphviz.

use super::{Graph, State};
use crate::markup;
use crate::markup::{Dot, Markup};

/// Writes a directed graph with a cluster for each namespace.
pub(super) fn write(graph: &Graph) -> String {
    let mut text: Markup<Dot> = Markup::new();
    text.literal(
        "digraph sandboxc {\n  rankdir=LR\n  bgcolor=transparent\n  node [shape=box, style=rounded, \
         fontname=\"Helvetica\"]\n  edge [fontname=\"Helvetica\", fontsize=10, color=\"#6e7781\"]\n",
    );
    for (number, (namespace, members)) in (0_usize..).zip(graph.by_namespace()) {
        let indent = if namespace.is_empty() { "  " } else { "    " };
        if !namespace.is_empty() {
            markup!(text, "  subgraph cluster_{} {{\n    label=\"{}\"\n", number, namespace);
            text.literal("    style=\"rounded,dashed\"\n");
        }
        for position in members {
            let Some(item) = graph.items.get(position) else { continue };
            let (heading, title) = (item.heading(), item.title());
            markup!(text, "{}n{} [label=\"{}\\n{}", indent, position, heading, title);
            let word = item.state.word();
            if !word.is_empty() {
                markup!(text, "\\n({})", word);
            }
            text.literal(match item.state {
                State::Sound => "\"]\n",
                State::Elsewhere => "\", style=\"rounded,dashed\"]\n",
                State::Faulty => "\", color=\"#d1242f\", fontcolor=\"#d1242f\"]\n",
                State::Missing => {
                    "\", color=\"#d1242f\", fontcolor=\"#d1242f\", style=\"rounded,dashed\"]\n"
                }
            });
        }
        if !namespace.is_empty() {
            text.literal("  }\n");
        }
    }
    for link in &graph.links {
        markup!(text, "  n{} -> n{} [label=\"{}\"", link.from, link.to, link.label);
        text.literal(if graph.is_broken(link) {
            ", color=\"#d1242f\", style=dashed]\n"
        } else {
            "]\n"
        });
    }
    text.literal("}\n");
    text.into_string()
}
