//! Anchors and aliases, with the limit that keeps small files from growing into huge trees.

use super::{MAX_DEPTH, MAX_NODES};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::limits;
use crate::source::FileSpan;
use crate::tree::Node;

declare_rules! {
    UNKNOWN_ALIAS = "unknown-alias", Error;
    ALIAS_CYCLE = "alias-cycle", Error;
    TOO_MANY_NODES = "too-many-nodes", Error;
    NESTING_TOO_DEEP = "nesting-too-deep", Error;
}

/// The node of an anchor.
#[derive(Debug)]
struct Anchored {
    node: Node,
    /// The number of nodes, including those below.
    nodes: usize,
    /// The nodes, and one for each 64 bytes of text.
    weight: usize,
    /// Levels below and including the node; 1 for a scalar.
    height: usize,
}

/// The anchors of a document, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// Number, name, span, and the value once it is complete.
    known: Vec<(usize, String, FileSpan, Option<Anchored>)>,
}

/// A copy of the node of an alias.
pub(super) struct Resolved {
    pub(super) node: Node,
    pub(super) nodes: usize,
    pub(super) weight: usize,
    pub(super) height: usize,
}

impl Anchors {
    /// Defines an anchor.
    pub(super) fn define(&mut self, id: usize, name: String, span: FileSpan) {
        self.known.push((id, name, span, None));
    }

    /// Completes the node of an anchor.
    pub(super) fn complete(&mut self, id: usize, node: &Node, nodes: usize, height: usize) {
        if let Ok(at) = self.known.binary_search_by_key(&id, |(id, ..)| *id)
            && let Some((.., anchored)) = self.known.get_mut(at)
        {
            let weight = nodes + (node.weight() - node.count());
            *anchored = Some(Anchored { node: node.clone(), nodes, weight, height });
        }
    }

    /// Resolves the alias `id` at `span`, in a document that has `nodes` nodes and is `depth`
    /// levels deep at this position, in a run whose aliases can represent a `left` weight; limits are checked before anything is copied.
    pub(super) fn resolve(
        &self,
        id: usize,
        span: FileSpan,
        nodes: usize,
        left: usize,
        depth: usize,
    ) -> Result<Resolved, Box<Diagnostic>> {
        let at = self.known.binary_search_by_key(&id, |(id, ..)| *id).ok();
        let Some((_, name, defined, anchored)) = at.and_then(|at| self.known.get(at)) else {
            return Err(Box::new(unknown_alias("", span, None)));
        };
        let Some(anchored) = anchored else {
            let finding = Diagnostic::new(
                &ALIAS_CYCLE,
                span,
                message!("alias `*{name}` is inside the value that it refers to"),
            );
            return Err(Box::new(finding.label(*defined, "value starts here").help(
                "write the inner value instead of the \
                    alias",
            )));
        };
        if nodes.saturating_add(anchored.nodes) > MAX_NODES {
            let remark = message!("expands to {} values", anchored.nodes);
            return Err(Box::new(too_many_nodes(span).at(remark).label(*defined, "defined here")));
        }
        if anchored.weight > left {
            return Err(Box::new(
                too_many_in_aliases(anchored, span).label(*defined, "defined here"),
            ));
        }
        if depth.saturating_add(anchored.height) > MAX_DEPTH {
            return Err(Box::new(too_deep(span).label(*defined, "value of the alias")));
        }
        let Anchored { node, nodes, weight, height } = anchored;
        Ok(Resolved { node: node.clone(), nodes: *nodes, weight: *weight, height: *height })
    }
}

/// The finding for a document that exceeds the size limit at `span`.
pub(super) fn too_many_nodes(span: FileSpan) -> Diagnostic {
    Diagnostic::new(&TOO_MANY_NODES, span, message!("document has more than {MAX_NODES} values"))
        .help("split the document, or use fewer aliases to large values")
}

fn too_many_in_aliases(anchored: &Anchored, span: FileSpan) -> Diagnostic {
    let most = limits::thousands(limits::ALIAS_VALUES.count());
    let message = message!("aliases of this run expand to more than {most} values");
    let finding = Diagnostic::new(&TOO_MANY_NODES, span, message)
        .at(message!("counts as {} values", limits::thousands(anchored.weight)))
        .help("write fewer aliases to large values, or compile fewer files at a time");
    if anchored.weight == anchored.nodes {
        return finding;
    }
    finding.note("64 bytes of text count as a value")
}

/// The documents of the run up to this one are larger than allowed.
pub(in crate::yaml) fn too_many_in_run(document: FileSpan) -> Diagnostic {
    let most = limits::thousands(limits::RUN_TREE_VALUES.count());
    let place = FileSpan { end: document.start, ..document };
    let message = message!("the documents of this run have more than {most} values");
    Diagnostic::new(&TOO_MANY_NODES, place, message)
        .at("first document that is not read")
        .help("compile fewer files at a time")
}

/// The finding for a document that exceeds the depth limit at `span`.
pub(in crate::yaml) fn too_deep(span: FileSpan) -> Diagnostic {
    Diagnostic::new(
        &NESTING_TOO_DEEP,
        span,
        message!("maps and lists are nested more than {MAX_DEPTH} levels deep"),
    )
    .help("reduce the nesting, or quote the value if it is a string")
}

/// The place where `text` defines an anchor after an alias of this name that ends at `end`.
pub(super) fn later_anchor(text: &str, name: &str, end: FileSpan) -> Option<FileSpan> {
    let from = end.end as usize;
    let anchor = format!("&{name}");
    let rest = text.get(from..)?;
    let ends_name = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}');
    let is_anchor = |at: &usize| {
        let before = rest.get(..*at).and_then(|text| text.chars().next_back());
        let after = rest.get(at + anchor.len()..).and_then(|text| text.chars().next());
        before.is_none_or(|c| c.is_whitespace() || matches!(c, '[' | '{' | ','))
            && after.is_none_or(ends_name)
    };
    let at = rest.match_indices(&anchor).map(|(at, _)| at).find(is_anchor)?;
    let start = u32::try_from(from + at).ok()?;
    let length = u32::try_from(anchor.len()).ok()?;
    Some(FileSpan { start, end: start + length, ..end })
}

/// The finding for an unknown anchor; `later` is its definition after the alias.
pub(super) fn unknown_alias(name: &str, span: FileSpan, later: Option<FileSpan>) -> Diagnostic {
    if let Some(later) = later {
        let message = message!("anchor `&{name}` is defined after this alias");
        return Diagnostic::new(&UNKNOWN_ALIAS, span, message)
            .at("not defined yet")
            .label(later, "defined here")
            .note("an anchor applies from its definition to the end of its document")
            .help("move the value with the anchor above the alias, or swap the two");
    }
    let finding =
        Diagnostic::new(&UNKNOWN_ALIAS, span, message!("no anchor `&{name}` before this alias"))
            .note("an anchor applies from its definition to the end of its document");
    if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')) {
        return finding.help(message!("define `&{name}` before the alias, or write the value"));
    }
    finding.suggest(span, format!("\"*{name}\""), "quote the string")
}
