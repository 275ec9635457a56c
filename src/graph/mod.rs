//! `graph`: a picture of the objects and the references between them.
//!
//! A graph is collected from the objects of a compilation, equal nodes are folded into one with a
//! count, and a writer for each format prints it. Missing and faulty objects are taken from the
//! findings; this module checks nothing itself.

mod collect;
mod dot;
mod fold;
mod mermaid;
#[cfg(feature = "svg")]
mod svg;

use lean_string::LeanStr;

use crate::compile::Compilation;
use crate::diag::{Message, too_much_work};
#[cfg(feature = "svg")]
use crate::limits;
use crate::limits::Fuel;
use crate::sorted::SortedMap;

/// The state of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum State {
    /// The object is in the input and has no errors.
    Sound,
    /// The object is not in the input, but it is declared, built in, or not required to be in the
    /// input.
    Elsewhere,
    /// The object, or the definition that it is compiled from, has an error.
    Faulty,
    /// The object is referenced, but missing.
    Missing,
}

impl State {
    /// The text shown after the kind, or an empty string for an object without faults.
    const fn word(self) -> &'static str {
        match self {
            Self::Sound => "",
            Self::Elsewhere => "not in the input",
            Self::Faulty => "has errors",
            Self::Missing => "missing",
        }
    }
}

/// A node: an object, or several objects that have the same neighbors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    /// `SandboxTemplate`.
    pub(crate) kind: LeanStr,
    /// The namespace. Empty for cluster-scoped objects, and if the object does not set one.
    pub(crate) namespace: LeanStr,
    /// The name, or the first name if the node represents several objects.
    pub(crate) name: LeanStr,
    /// The last name, if the node represents several objects.
    pub(crate) last: Option<LeanStr>,
    /// The number of objects that the node represents.
    pub(crate) count: usize,
    /// The state of the object.
    pub(crate) state: State,
}

impl Item {
    /// The name, or the first and the last name of several objects.
    fn title(&self) -> String {
        match &self.last {
            Some(last) => format!("{} … {last}", self.name),
            None => self.name.to_string(),
        }
    }

    /// The kind, preceded by the number of objects if there are several.
    fn heading(&self) -> String {
        if self.count == 1 {
            self.kind.to_string()
        } else {
            format!("{} × {}", self.count, self.kind)
        }
    }
}

/// A reference from one node to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Link {
    /// The position of the referring node.
    pub(crate) from: usize,
    /// The position of the node that is referred to.
    pub(crate) to: usize,
    /// The kind of reference, such as `template`, `selects` or `env`.
    pub(crate) label: &'static str,
}

/// The label of a link to what a selector selects.
const SELECTS: &str = "selects";

/// Nodes each of which selects all of the others: a namespace can have millions of such pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Hub {
    /// The positions of the nodes that select, sorted.
    from: Vec<usize>,
    /// The positions of the nodes that are selected, sorted.
    to: Vec<usize>,
}

/// Nodes and what connects them.
#[derive(Debug)]
struct Parts {
    items: Vec<Item>,
    links: Vec<Link>,
    hubs: Vec<Hub>,
}

/// Objects and the references between them.
#[derive(Clone, Debug)]
pub struct Graph {
    items: Vec<Item>,
    links: Vec<Link>,
}

impl Graph {
    /// Returns the graph of a compilation, with or without errors. If more than a few objects of a
    /// kind have the same neighbors, they are one node with a count.
    ///
    /// # Errors
    /// If the input has too many selectors and Pods in one namespace, with the message.
    pub fn of(compilation: &Compilation) -> Result<Self, Message> {
        Self::within(compilation, &Fuel::of_run(0))
    }

    fn within(compilation: &Compilation, fuel: &Fuel<'_>) -> Result<Self, Message> {
        let collected = collect::collect(compilation, fuel);
        let parts = collected.ok_or_else(|| too_much_work(fuel, "draw the graph"))?;
        let (items, links) = fold::fold(parts);
        Ok(Self { items, links })
    }

    /// Writes the graph as a [Mermaid](https://mermaid.js.org) flowchart, which GitHub and GitLab
    /// render in Markdown.
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        mermaid::write(self)
    }

    /// Writes the graph in the DOT language of [Graphviz](https://graphviz.org).
    #[must_use]
    pub fn to_dot(&self) -> String {
        dot::write(self)
    }

    /// Draws the graph as a self-contained SVG for light and dark backgrounds.
    ///
    /// # Errors
    /// If the graph has too many parts for a layout, with the message.
    #[cfg(feature = "svg")]
    pub fn to_svg(&self) -> Result<String, String> {
        let parts = self.items.len() + self.links.len() + self.by_namespace().len();
        if parts > limits::GRAPH_PARTS.count() {
            let most = limits::thousands(limits::GRAPH_PARTS.count());
            return Err(format!(
                "the picture is too large: more than {most} nodes, references and namespaces"
            ));
        }
        Ok(svg::write(self))
    }

    /// The positions of the nodes of each namespace, sorted by namespace.
    fn by_namespace(&self) -> SortedMap<&str, Vec<usize>> {
        let mut namespaces = SortedMap::<_, Vec<_>>::new();
        for (position, item) in self.items.iter().enumerate() {
            namespaces.entry(item.namespace.as_str()).or_default().push(position);
        }
        namespaces
    }

    /// Whether a link refers to a missing object.
    fn is_broken(&self, link: &Link) -> bool {
        self.items.get(link.to).is_some_and(|item| item.state == State::Missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Options, compile};
    use crate::source::Workspace;

    #[cfg(feature = "svg")]
    #[test]
    fn a_picture_has_as_many_parts_as_its_limit() {
        let item = |number: usize| Item {
            kind: "Pod".into(),
            namespace: format!("n{}", number / 2).into(),
            name: format!("p{number}").into(),
            last: None,
            count: 1,
            state: State::Sound,
        };
        // Each two nodes have a namespace and a reference.
        let pairs = limits::GRAPH_PARTS.count() / 4;
        let items = (0..2 * pairs).map(item).collect();
        let links = (0..pairs).map(|pair| Link { from: 2 * pair, to: 2 * pair + 1, label: "uses" });
        let mut graph = Graph { items, links: links.collect() };
        assert!(graph.to_svg().is_ok());
        graph.items.push(item(0));
        let error = graph.to_svg().unwrap_err();
        assert_eq!(
            error,
            "the picture is too large: more than 1,000 nodes, references and namespaces"
        );
    }

    #[test]
    fn selectors_are_compared_with_the_pods_of_their_namespace() {
        let pod = |name: &str, namespace: &str| {
            format!(
                "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: {namespace}, labels: {{a: b}}}}\n\
                spec: {{containers: [{{name: a, image: a:1}}]}}\n---\n"
            )
        };
        let service = "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: n}\n\
            spec: {selector: {a: b}, ports: [{port: 1}]}\n";
        let mut workspace = Workspace::new();
        let pods = [("p", "n"), ("q", "n"), ("p", "other")].map(|(name, space)| pod(name, space));
        workspace.add("a.yaml", format!("{}{service}", pods.concat()));
        let compilation = compile(&workspace, &Options::default());
        let graph = Graph::within(&compilation, &Fuel::of(100)).unwrap();
        assert_eq!(graph.links.len(), 2);
        let error = Graph::within(&compilation, &Fuel::of(20)).unwrap_err();
        assert_eq!(error, "this run takes more than 20 steps to draw the graph");
    }

    #[test]
    fn pods_are_classed_by_the_labels_that_selectors_depend_on() {
        const COUNT: usize = 300;
        let pair = |number: usize| {
            let labels = format!("{{a: b, x: c, own: p{number}}}");
            format!(
                "apiVersion: v1\nkind: Pod\nmetadata: {{name: p{number}, namespace: n, labels: {labels}}}\n\
                spec: {{containers: [{{name: a, image: a:1}}]}}\n---\n\
                apiVersion: v1\nkind: Service\nmetadata: {{name: s{number}, namespace: n}}\n\
                spec: {{selector: {{a: b}}, ports: [{{port: 1}}]}}\n---\n"
            )
        };
        let mut text = (0..COUNT).map(pair).collect::<String>();
        text += "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: d, namespace: n}\n\
            spec: {selector: {matchExpressions: [{key: own, operator: In, values: [p1, p2]}]}}\n";
        let mut workspace = Workspace::new();
        let id = workspace.add("a.yaml", text.as_str());
        let compilation = compile(&workspace, &Options::default());
        // The budget distinguishes the Pods by their own labels: as many classes as Pods.
        let error = Graph::within(&compilation, &Fuel::of(100_000)).unwrap_err();
        assert_eq!(error, "this run takes more than 100,000 steps to draw the graph");
        let (text, _) = text.split_once("apiVersion: policy").unwrap();
        let mut workspace = Workspace::new();
        assert_eq!(workspace.add("a.yaml", text), id);
        let compilation = compile(&workspace, &Options::default());
        let graph = Graph::within(&compilation, &Fuel::of(100_000)).unwrap();
        // All Services are one node, and so are all Pods.
        assert_eq!(graph.links.len(), 1);
    }
}
