//! From text to trees with spans.

use granit_parser::{Event, Parser, ScalarStyle};
use smol_str::SmolStr;

use crate::diag::{Diagnostic, Sink, declare_rules};
use crate::source::{FileId, Span};
use crate::tree::{Entry, Map, Node, Number, Origin, Value};

declare_rules! {
    /// ## What it does
    /// Reports text that is not YAML.
    ///
    /// ## Why
    /// Nothing can be compiled from a document that cannot be read.
    ///
    /// ## Example
    /// ```yaml
    /// key: [a, b
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// key: [a, b]
    /// ```
    YAML_SYNTAX = "yaml-syntax", Error;
}

/// One document of a stream.
#[derive(Debug)]
pub(crate) struct Document {
    /// The value.
    pub(crate) root: Node,
    /// From its first to its last byte.
    pub(crate) span: Span,
}

/// Reads all documents of a text; stops at the first document that cannot be read.
pub(crate) fn parse(file: FileId, text: &str, sink: &mut Sink) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut builder = Builder { file, stack: Vec::new(), root: None };
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => {
                let range = span.byte_range().unwrap_or(0..0);
                let span = Span::new(file, to_u32(range.start), to_u32(range.end));
                if matches!(event, Event::DocumentEnd) {
                    if let Some(root) = builder.root.take() {
                        let span = root.span();
                        documents.push(Document { root, span });
                    }
                } else {
                    builder.event(event, span);
                }
            }
            Err(error) => {
                let at = to_u32(error.marker().byte_offset().unwrap_or(0));
                let span = Span::new(file, at, at);
                sink.error(Diagnostic::new(&YAML_SYNTAX, span, error.info()));
                break;
            }
        }
    }
    documents
}

fn to_u32(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

struct Builder {
    file: FileId,
    stack: Vec<(Node, Option<(SmolStr, Span)>)>,
    root: Option<Node>,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, span: Span) {
        let origin = Origin::Source(span);
        match event {
            Event::Scalar(text, style, _, _) => {
                let is_key =
                    matches!(self.stack.last(), Some((node, None)) if node.as_map().is_some());
                if is_key {
                    if let Some((_, key)) = self.stack.last_mut() {
                        *key = Some((SmolStr::from(text.as_ref()), span));
                    }
                    return;
                }
                let value = if style == ScalarStyle::Plain {
                    resolve(&text)
                } else {
                    Value::String(SmolStr::from(text.as_ref()))
                };
                self.push(Node::new(value, origin));
            }
            Event::SequenceStart(..) => self.stack.push((Node::list(Vec::new(), origin), None)),
            Event::MappingStart(..) => self.stack.push((Node::map(origin), None)),
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((mut node, _)) = self.stack.pop() {
                    let start = node.span().start;
                    node.origin = Origin::Source(Span::new(self.file, start, span.end.max(start)));
                    self.push(node);
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, node: Node) {
        match self.stack.last_mut() {
            None => self.root = Some(node),
            Some((Node { value: Value::List(items), .. }, _)) => items.push(node),
            Some((Node { value: Value::Map(Map { entries }), .. }, key)) => {
                if let Some((key, key_span)) = key.take() {
                    entries.push(Entry { key, key_origin: Origin::Source(key_span), value: node });
                }
            }
            Some(_) => {}
        }
    }
}

fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => text.parse().map_or_else(
            |_| {
                text.parse::<f64>()
                    .ok()
                    .filter(|value| value.is_finite())
                    .map_or_else(|| Value::String(text.into()), |v| Value::Number(Number::Float(v)))
            },
            |value| Value::Number(Number::Int(value)),
        ),
    }
}
