//! `graph`: which objects refer to which, as a picture.
//!
//! A graph is collected from the objects of a compilation, equal nodes are folded into one with a
//! count, and a writer for each format prints it. Nothing is decided here: what is missing or wrong
//! was reported by the rules.

mod collect;
mod dot;
mod fold;
mod mermaid;
#[cfg(feature = "svg")]
mod svg;

use std::collections::BTreeMap;

use lean_string::LeanStr;

use crate::compile::Compilation;

/// What is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum State {
    /// The input has the object, and no error.
    Sound,
    /// It is referred to and not in the input, but declared or built in.
    Elsewhere,
    /// It, or the definition that it is compiled from, has an error.
    Faulty,
    /// It is referred to, and missing.
    Missing,
}

impl State {
    /// A word for it; empty for what is as it should be.
    const fn word(self) -> &'static str {
        match self {
            Self::Sound => "",
            Self::Elsewhere => "not in the input",
            Self::Faulty => "has errors",
            Self::Missing => "missing",
        }
    }
}

/// An object, or several that have the same neighbors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    /// `SandboxTemplate`.
    pub(crate) kind: LeanStr,
    /// Empty for cluster-scoped objects, and where none is given.
    pub(crate) namespace: LeanStr,
    /// The name; of several the first.
    pub(crate) name: LeanStr,
    /// The name of the last of several.
    pub(crate) last: Option<LeanStr>,
    /// How many objects it represents.
    pub(crate) count: usize,
    /// What is known of it.
    pub(crate) state: State,
}

impl Item {
    /// The name, of several the first and the last.
    fn title(&self) -> String {
        match &self.last {
            Some(last) => format!("{} … {last}", self.name),
            None => self.name.to_string(),
        }
    }

    /// The kind, of several with their number.
    fn heading(&self) -> String {
        if self.count == 1 {
            self.kind.to_string()
        } else {
            format!("{} × {}", self.count, self.kind)
        }
    }
}

/// One node refers to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Link {
    /// The position of the node that refers.
    pub(crate) from: usize,
    /// The position of the other.
    pub(crate) to: usize,
    /// How: `template`, `selects`, `env`.
    pub(crate) label: &'static str,
}

/// Objects, and which of them refer to which.
#[derive(Clone, Debug)]
pub struct Graph {
    items: Vec<Item>,
    links: Vec<Link>,
}

impl Graph {
    /// The graph of a compilation, with or without errors. Where more than a few objects of a kind
    /// have the same neighbors they are one node with a count.
    #[must_use]
    pub fn of(compilation: &Compilation) -> Self {
        let (items, links) = collect::collect(compilation);
        let (items, links) = fold::fold(items, links);
        Self { items, links }
    }

    /// As a flowchart of [Mermaid](https://mermaid.js.org), which GitHub and GitLab show in Markdown.
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        mermaid::write(self)
    }

    /// In the language of [Graphviz](https://graphviz.org).
    #[must_use]
    pub fn to_dot(&self) -> String {
        dot::write(self)
    }

    /// As a self-contained SVG for light and dark backgrounds.
    #[cfg(feature = "svg")]
    #[must_use]
    pub fn to_svg(&self) -> String {
        svg::write(self)
    }

    /// The positions of the nodes of each namespace, sorted by namespace.
    fn by_namespace(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut namespaces = BTreeMap::<_, Vec<_>>::new();
        for (position, item) in self.items.iter().enumerate() {
            namespaces.entry(item.namespace.as_str()).or_default().push(position);
        }
        namespaces
    }

    /// Whether a link leads to an object that is missing.
    fn is_broken(&self, link: &Link) -> bool {
        self.items.get(link.to).is_some_and(|it| it.state == State::Missing)
    }
}
