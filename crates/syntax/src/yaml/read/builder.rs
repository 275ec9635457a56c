//! Builds a tree from parser events.

use lean_string::LeanStr;

use super::anchors::{self, Anchors};
use super::checks::{Checks, Written};
use super::event::{Event, Placed, Style, Tag};
use super::keys::{self, Key};
use super::merge_keys::{self, Merge};
use super::{Document, MAX_DEPTH, MAX_NODES, locate, tags};
use crate::diag::{Reported, Sink};
use crate::source::{FileId, FileSpan, Slice as _};
use crate::tree::{Entry, Node, Origin, Value};
use crate::yaml::fault;
use crate::yaml::go::Refusal;

/// The number of findings of a document from which on the anchors of unknown aliases are not searched.
const MOST_SEARCHED: usize = 16;

/// The tree under construction.
pub(super) struct Builder<'t, 's> {
    file: FileId,
    text: &'t str,
    sink: &'s mut Sink,
    checks: Checks<'t>,
    /// Open lists and maps, the outermost first.
    open: Vec<Frame>,
    root: Option<Node>,
    /// Whether the root is two objects in one map, which was reported.
    holds_two: bool,
    anchors: Anchors,
    /// The number of values so far, with aliases expanded.
    nodes: usize,
    /// The weight that aliases of the run can still represent.
    aliases: &'s mut usize,
    /// An anchored scalar whose anchor event follows.
    anchored_scalar: Option<Node>,
    /// The end of the last token.
    cursor: u32,
    /// The end of the lines without text that are part of the last block scalar.
    block_end: u32,
    /// Whether Kubernetes' reader rejects the document.
    is_refused: bool,
}

/// An open list or map.
struct Frame {
    content: Content,
    is_flow: bool,
    anchor: usize,
    start: u32,
    /// The end of the last token in it.
    end: u32,
    /// `Builder::nodes` before this one.
    nodes_before: usize,
    /// Levels below this one.
    height: usize,
    /// Whether it is `{{ x }}` or `{ { x } }`: a map whose key is a map on the line of its bracket.
    is_template: bool,
}

enum Content {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, merges: Vec<Merge>, key: Option<Key> },
}

impl<'t, 's> Builder<'t, 's> {
    /// Creates a builder for the document in the part `slice` of `text`, from the events of
    /// Kubernetes' reader, or from those of YAML 1.2 if that has rejected it.
    pub(super) fn new(
        text: &'t str,
        slice: FileSpan,
        refusal: Option<Refusal>,
        aliases: &'s mut usize,
        sink: &'s mut Sink,
    ) -> Self {
        Self {
            file: slice.file,
            text,
            sink,
            checks: Checks::new(text, slice, refusal),
            is_refused: refusal.is_some(),
            open: Vec::new(),
            root: None,
            holds_two: false,
            anchors: Anchors::default(),
            nodes: 0,
            aliases,
            anchored_scalar: None,
            cursor: slice.start,
            block_end: slice.start,
        }
    }

    /// Whether the root was read to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.root.is_some()
    }

    /// Returns the document after its end.
    pub(super) fn finish(mut self) -> Option<Document> {
        self.checks.finish(self.cursor.max(self.block_end), self.sink);
        let root = self.root.filter(|_| !self.holds_two)?;
        let span = root.span();
        let values = root.count();
        Some(Document { root, span, values })
    }

    /// The opening bracket of the innermost flow collection, and the end of the last token.
    pub(super) fn place(&self) -> (Option<u32>, u32) {
        // A pair in a list (`[a: b]`) is a map without its own brackets.
        let flow =
            self.open.iter().rev().take_while(|frame| frame.is_flow).map(|it| it.start).find(
                |start| matches!(self.text.as_bytes().get(*start as usize), Some(b'[' | b'{')),
            );
        (flow, self.cursor)
    }

    /// Processes the next event; an error ends the document.
    pub(super) fn take(&mut self, placed: Placed<'_>) -> Result<(), Reported> {
        let Placed { event, start, end } = placed;
        let span = FileSpan::new(self.file, start, end);
        match event {
            Event::Scalar { text, style, anchor, tag, not_indented } => {
                self.count(span)?;
                let span = self.scalar_span(span, style, anchor != 0 || tag.is_some());
                let is_key = self.expects_key();
                self.check_scalar(span, style, tag.as_ref(), not_indented);
                self.cursor = span.end;
                if is_key {
                    let key = keys::scalar_key(&text, style, tag.as_ref(), span, self.sink);
                    if anchor != 0 {
                        let value = tags::scalar_value(
                            &text,
                            style,
                            tag.as_ref(),
                            span,
                            &mut Sink::unused(),
                        )
                        .0;
                        self.anchored_scalar = Some(Node::new(value, Origin::source(span)));
                    }
                    self.set_key(key);
                    return Ok(());
                }
                let (value, ambiguous) =
                    tags::scalar_value(&text, style, tag.as_ref(), span, self.sink);
                let node = Node::new(value, Origin::source(span)).with_ambiguity(ambiguous);
                if anchor != 0 {
                    self.anchored_scalar = Some(node.clone());
                }
                self.complete(node, span.end, 1);
                Ok(())
            }
            Event::ListStart { is_flow, anchor, tag } => {
                self.begin(Content::List(Vec::new()), is_flow, anchor, tag.as_ref(), span)
            }
            Event::MapStart { is_flow, anchor, tag } => {
                let content = Content::Map { entries: Vec::new(), merges: Vec::new(), key: None };
                self.begin(content, is_flow, anchor, tag.as_ref(), span)
            }
            Event::ListEnd | Event::MapEnd => {
                self.end(span);
                Ok(())
            }
            Event::Alias(id) => self.alias(id, span),
            Event::UnknownAlias(name) => {
                self.gap(span.start);
                let document = self.text.get(..self.checks.end() as usize).unwrap_or(self.text);
                // Each search reads the rest of the document.
                let is_searched = self.sink.len() < MOST_SEARCHED;
                let later =
                    is_searched.then(|| anchors::later_anchor(document, &name, span)).flatten();
                self.sink.error(anchors::unknown_alias(&name, span, later));
                self.cursor = span.end;
                self.complete(Node::new(Value::Null, Origin::source(span)), span.end, 1);
                Ok(())
            }
            Event::Anchor { id, name } => {
                if let Some(finding) = fault::html_escape(span, self.text) {
                    self.sink.error(finding);
                }
                self.anchors.define(id, name, span);
                if let Some(node) = self.anchored_scalar.take() {
                    self.anchors.complete(id, &node, 1, 1);
                }
                Ok(())
            }
            Event::DocumentStart => {
                self.gap(span.start);
                self.cursor = span.end.max(self.cursor);
                Ok(())
            }
            Event::DocumentEnd => Ok(()),
        }
    }

    fn count(&mut self, span: FileSpan) -> Result<(), Reported> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(self.sink.error(anchors::too_many_nodes(span)));
        }
        Ok(())
    }

    fn is_flow(&self) -> bool {
        self.open.last().is_some_and(|frame| frame.is_flow)
    }

    fn gap(&mut self, to: u32) {
        let is_flow = self.is_flow();
        self.checks.gap(self.cursor.max(self.block_end), to, is_flow, self.sink);
    }

    fn check_scalar(
        &mut self,
        span: FileSpan,
        style: Style,
        tag: Option<&Tag>,
        not_indented: Option<u32>,
    ) {
        self.gap(span.start);
        if style == Style::Block && self.is_refused {
            self.block_end = locate::end_of_block(self.text, span.start..span.end);
        }
        let (is_key, is_flow) = (self.expects_key(), self.is_flow());
        if let Some(Frame { content: Content::Map { key: Some(key), .. }, .. }) = self.open.last()
            && is_flow
            && tag.is_none()
            && span.start == key.span.end
            && span.end == span.start
        {
            self.checks.key_without_value(key.span, self.sink);
        }
        let written = Written { span, style, tag, is_key, is_flow, not_indented };
        self.checks.scalar(&written, self.sink);
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Frame { content: Content::Map { key: None, .. }, .. }))
    }

    /// The span of a scalar. That of the parser of YAML 1.2 is exact except for empty scalars and
    /// blocks.
    fn scalar_span(&self, given: FileSpan, style: Style, has_properties: bool) -> FileSpan {
        if !self.is_refused {
            return given;
        }
        if style == Style::Block {
            let block = given.start..given.end;
            let (start, end) = locate::block_scalar(self.text, block, self.cursor);
            return FileSpan { start, end, ..given };
        }
        if given.start != given.end || has_properties || self.expects_key() {
            return given;
        }
        let at = match self.open.last() {
            Some(Frame { content: Content::Map { key: Some(key), .. }, .. }) => {
                locate::empty_value(self.text, key.span.end)
            }
            Some(Frame { content: Content::List(_), is_flow: false, .. }) => {
                locate::empty_item(self.text, self.cursor).unwrap_or(given.start)
            }
            _ => given.start,
        };
        FileSpan { start: at, end: at, ..given }
    }

    fn begin(
        &mut self,
        content: Content,
        is_flow: bool,
        anchor: usize,
        tag: Option<&Tag>,
        span: FileSpan,
    ) -> Result<(), Reported> {
        self.count(span)?;
        self.gap(span.start);
        let is_list = matches!(content, Content::List(_));
        tags::check_collection(tag, is_list, span, self.sink);
        if self.open.len() >= MAX_DEPTH {
            return Err(self.sink.error(anchors::too_deep(span)));
        }
        let start = match self.open.last() {
            Some(Frame { content: Content::Map { key: Some(key), .. }, .. })
                if is_list && !is_flow && self.is_refused =>
            {
                locate::first_dash(self.text, span.start, key.span.end)
            }
            _ => span.start,
        };
        // A block list begins with a dash that is read with its first item.
        self.cursor = if is_flow { span.end } else { start };
        self.open.push(Frame {
            content,
            is_flow,
            anchor,
            start,
            end: self.cursor,
            nodes_before: self.nodes - 1,
            height: 0,
            is_template: false,
        });
        Ok(())
    }

    fn end(&mut self, span: FileSpan) {
        let Some(frame) = self.open.pop() else { return };
        // The end of a block is noticed at the next piece, far after its last one.
        let end = if frame.is_flow { span.end.max(frame.end) } else { frame.end };
        let place = FileSpan::new(self.file, frame.start, end);
        let value = match frame.content {
            Content::Map { .. } if frame.is_template => {
                let written = self.text.slice(place.range());
                self.sink.error(fault::template_not_quoted(place, written));
                Value::String(fault::template_text(written).into())
            }
            Content::List(items) => Value::List(items.into()),
            Content::Map { mut entries, merges, .. } => {
                let is_root = self.open.is_empty();
                if let Some((first, second)) =
                    keys::second_object(&entries).filter(|_| is_root && !frame.is_flow)
                {
                    self.sink.report(fault::marker_missing(first, second));
                    self.holds_two = true;
                } else {
                    keys::check_duplicates(&mut entries, self.sink);
                }
                if !merges.is_empty() {
                    merge_keys::apply(&mut entries, merges, self.sink);
                }
                Value::Map(entries.into_iter().collect())
            }
        };
        let node = Node::new(value, Origin::source(place));
        self.cursor = end;
        let height = frame.height + 1;
        if frame.anchor != 0 {
            let nodes = self.nodes - frame.nodes_before;
            self.anchors.complete(frame.anchor, &node, nodes, height);
        }
        self.complete(node, end, height);
    }

    fn alias(&mut self, id: usize, span: FileSpan) -> Result<(), Reported> {
        self.gap(span.start);
        self.cursor = span.end;
        match self.anchors.resolve(id, span, self.nodes, *self.aliases, self.open.len()) {
            Ok(resolved) => {
                self.nodes += resolved.nodes;
                *self.aliases = self.aliases.saturating_sub(resolved.weight);
                self.complete(resolved.node, span.end, resolved.height);
                Ok(())
            }
            Err(finding) => {
                let is_limit = finding.rule != &anchors::ALIAS_CYCLE;
                let reported = self.sink.error(*finding);
                if is_limit {
                    return Err(reported);
                }
                self.complete(Node::new(Value::Null, Origin::source(span)), span.end, 1);
                Ok(())
            }
        }
    }

    fn set_key(&mut self, new: Key) {
        if let Some(frame) = self.open.last_mut() {
            frame.end = new.span.end;
            if let Content::Map { key, .. } = &mut frame.content {
                *key = Some(new);
            }
        }
    }

    /// Adds a complete node to its parent; `end` is the end of its text in the document, which for
    /// an alias differs from the end of the node.
    fn complete(&mut self, node: Node, end: u32, height: usize) {
        let Some(frame) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        frame.end = end;
        frame.height = frame.height.max(height);
        match &mut frame.content {
            Content::List(items) => items.push(node),
            Content::Map { entries, merges, key } => match key.take() {
                Some(Key { span, is_merge: true, .. }) => {
                    merges.push(Merge { key: span, value: node });
                }
                Some(Key { text, span, .. }) => {
                    entries.push(Entry::new(text, Origin::source(span), node));
                }
                None => {
                    let span = FileSpan { end, ..node.span().within(self.file) };
                    let gap = self.text.get(frame.start as usize + 1..span.start as usize);
                    let is_empty = gap.is_some_and(|gap| gap.trim_matches([' ', '\t']).is_empty());
                    if frame.is_flow && node.as_map().is_some() && is_empty {
                        frame.is_template = true;
                        *key = Some(Key { text: LeanStr::default(), span, is_merge: false });
                    } else {
                        *key = Some(keys::node_key(node, span, self.sink));
                    }
                }
            },
        }
    }
}
