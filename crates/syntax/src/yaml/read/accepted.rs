//! The events of a document as Kubernetes' reader parses it, with byte offsets in the whole file.

use std::ops::Range;

use super::event::{Event, Placed, Tag};
use crate::sorted::SortedMap;
use crate::source::offset;
use crate::yaml::go::{self, Parser, Properties, Refusal};

/// The events of one slice of a file, up to the end of its document.
pub(super) struct AcceptedEvents<'t> {
    parser: Parser<'t>,
    /// The offset of the slice in its file.
    base: u32,
    /// The number of each anchor, from 1.
    anchors: SortedMap<&'t str, usize>,
    count: usize,
    /// The definition of an anchor, which follows the event of its node.
    definition: Option<Placed<'t>>,
    is_complete: bool,
}

impl<'t> AcceptedEvents<'t> {
    pub(super) fn new(text: &'t str, base: u32) -> Self {
        Self {
            parser: Parser::new(text),
            base,
            anchors: SortedMap::new(),
            count: 0,
            definition: None,
            is_complete: false,
        }
    }

    fn offset(&self, at: usize) -> u32 {
        self.base.saturating_add(offset(at))
    }

    fn placed(&self, event: Event<'t>, range: Range<usize>) -> Placed<'t> {
        Placed { event, start: self.offset(range.start), end: self.offset(range.end) }
    }

    /// The number of the anchor and the tag of a node.
    fn properties(&mut self, properties: Properties<'t>) -> (usize, Option<Tag>) {
        let tag = properties.tag.map(|(name, range)| Tag {
            name,
            start: self.offset(range.start),
            end: self.offset(range.end),
        });
        let Some((name, range)) = properties.anchor else { return (0, tag) };
        self.count += 1;
        self.anchors.insert(name, self.count);
        let definition = Event::Anchor { id: self.count, name: name.to_owned() };
        self.definition = Some(self.placed(definition, range));
        (self.count, tag)
    }

    fn convert(&mut self, event: go::Event<'t>) -> Option<Event<'t>> {
        Some(match event {
            go::Event::DocumentStart => Event::DocumentStart,
            go::Event::DocumentEnd => Event::DocumentEnd,
            go::Event::StreamEnd => return None,
            go::Event::Alias(name) => match self.anchors.get(name) {
                Some(id) => Event::Alias(*id),
                None => Event::UnknownAlias(name.to_owned()),
            },
            go::Event::Scalar(scalar, properties) => {
                let (anchor, tag) = self.properties(properties);
                let not_indented = scalar.not_indented.map(|at| self.offset(at));
                let go::Scalar { text, style, .. } = scalar;
                Event::Scalar { text, style, anchor, tag, not_indented }
            }
            go::Event::ListStart { is_flow, properties } => {
                let (anchor, tag) = self.properties(properties);
                Event::ListStart { is_flow, anchor, tag }
            }
            go::Event::ListEnd => Event::ListEnd,
            go::Event::MapStart { is_flow, properties } => {
                let (anchor, tag) = self.properties(properties);
                Event::MapStart { is_flow, anchor, tag }
            }
            go::Event::MapEnd => Event::MapEnd,
        })
    }
}

impl<'t> Iterator for AcceptedEvents<'t> {
    type Item = Result<Placed<'t>, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(definition) = self.definition.take() {
            return Some(Ok(definition));
        }
        if self.is_complete {
            // go-yaml drops this text silently.
            return match self.parser.text_after_end().transpose()? {
                Ok(at) => Some(Err(Refusal { at, problem: "text after the end of the document" })),
                Err(refusal) => Some(Err(refusal)),
            };
        }
        let (event, range) = match self.parser.next()? {
            Ok(next) => next,
            Err(refusal) => return Some(Err(refusal)),
        };
        let event = self.convert(event)?;
        self.is_complete = event == Event::DocumentEnd;
        Some(Ok(self.placed(event, range)))
    }
}
