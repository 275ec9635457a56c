//! The only file that uses granit-parser, a parser of YAML 1.2: converts its events, with byte offsets
//! in the whole file. It explains documents that Kubernetes' reader rejects, and finds comments.

use std::borrow::Cow;

use granit_parser::{
    ErrorKind, Event as GranitEvent, Parser, ScalarStyle, StrInput, StructureStyle,
};

use super::MAX_DEPTH;
use crate::yaml::fault::Fault;

pub(super) use crate::yaml::go::Style;

/// A tag: `!!str` is `tag:yaml.org,2002:str`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tag {
    /// The name after the resolution of handles.
    pub(super) name: String,
    /// The offset of its `!`.
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A parser event.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Event<'t> {
    Scalar {
        text: Cow<'t, str>,
        style: Style,
        anchor: usize,
        tag: Option<Tag>,
        /// The first line of a string in quotes that is not indented.
        not_indented: Option<u32>,
    },
    ListStart {
        is_flow: bool,
        anchor: usize,
        tag: Option<Tag>,
    },
    ListEnd,
    MapStart {
        is_flow: bool,
        anchor: usize,
        tag: Option<Tag>,
    },
    MapEnd,
    /// An alias to an anchor that was defined before it; anchors are numbered from 1.
    Alias(usize),
    /// An alias to no anchor.
    UnknownAlias(String),
    /// The definition of an anchor, directly after the event of its node.
    Anchor {
        id: usize,
        name: String,
    },
    DocumentStart,
    DocumentEnd,
}

/// An event and its span: byte offsets in the file.
#[derive(Debug)]
pub(super) struct Placed<'t> {
    pub(super) event: Event<'t>,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The reason and position (byte offset in the file) of the parser's stop; the cause is often
/// earlier.
#[derive(Debug)]
pub(super) struct Halt {
    pub(super) fault: Fault,
    pub(super) at: u32,
}

/// The events of one slice of a file.
pub(super) struct Events<'t> {
    parser: Parser<'t, StrInput<'t>>,
    /// The offset of the slice in its file.
    base: u32,
}

impl<'t> Events<'t> {
    /// Parses `text`, which is a slice of a file that begins at `base`.
    pub(super) fn new(text: &'t str, base: u32) -> Self {
        let options = granit_parser::options! {
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        Self { parser: Parser::new_from_str_with_options(text, options), base }
    }

    fn offset(&self, offset: Option<usize>) -> u32 {
        self.base.saturating_add(u32::try_from(offset.unwrap_or(0)).unwrap_or(u32::MAX))
    }

    fn tag(
        &self,
        tag: Option<Cow<'_, granit_parser::Tag>>,
        span: &granit_parser::Span,
    ) -> Option<Tag> {
        let tag = tag?;
        let place = span.tag_span().unwrap_or(*span);
        Some(Tag {
            name: format!("{}{}", tag.handle(), tag.suffix()),
            start: self.offset(place.start.byte_offset()),
            end: self.offset(place.end.byte_offset()),
        })
    }
}

impl<'t> Iterator for Events<'t> {
    type Item = Result<Placed<'t>, Halt>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (event, span) = match self.parser.next_event()? {
                Ok(next) => next,
                Err(error) => {
                    let at = self.offset(error.marker().byte_offset());
                    return Some(Err(Halt { fault: fault_of_kind(error.kind()), at }));
                }
            };
            let start = self.offset(span.start.byte_offset());
            let mut end = self.offset(span.end.byte_offset());
            let event = match event {
                GranitEvent::Scalar(mut text, style, anchor, tag) => {
                    // The parser reports an empty node as a `~` of length zero.
                    if start == end && style == ScalarStyle::Plain {
                        text = Cow::Borrowed("");
                        end = start;
                    }
                    let style = match style {
                        ScalarStyle::Plain => Style::Plain,
                        ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
                        _ => Style::Quoted,
                    };
                    let tag = self.tag(tag, &span);
                    Event::Scalar { text, style, anchor, tag, not_indented: None }
                }
                GranitEvent::SequenceStart(style, anchor, tag) => Event::ListStart {
                    is_flow: style == StructureStyle::Flow,
                    anchor,
                    tag: self.tag(tag, &span),
                },
                GranitEvent::MappingStart(style, anchor, tag) => Event::MapStart {
                    is_flow: style == StructureStyle::Flow,
                    anchor,
                    tag: self.tag(tag, &span),
                },
                GranitEvent::SequenceEnd => Event::ListEnd,
                GranitEvent::MappingEnd => Event::MapEnd,
                GranitEvent::Alias(id) => Event::Alias(id),
                GranitEvent::UnresolvedAlias(name) => Event::UnknownAlias(name.into_owned()),
                GranitEvent::Anchor(id, name) => Event::Anchor { id, name: name.into_owned() },
                GranitEvent::DocumentStart(..) => Event::DocumentStart,
                GranitEvent::DocumentEnd => Event::DocumentEnd,
                GranitEvent::StreamEnd => return None,
                _ => continue,
            };
            return Some(Ok(Placed { event, start, end }));
        }
    }
}

/// Converts the parser's kind of error, as far as messages distinguish them.
fn fault_of_kind(kind: &ErrorKind) -> Fault {
    match kind {
        ErrorKind::UnclosedQuotedScalar
        | ErrorKind::DocumentIndicatorInQuotedScalar
        | ErrorKind::InvalidQuotedScalarIndent => Fault::Quote,
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator
        | ErrorKind::InvalidFlowScalarIndent => Fault::FlowCollection,
        ErrorKind::BlockEntryInFlowCollection
        | ErrorKind::PlainScalarStartsWithDashFlowIndicator => Fault::DashInBrackets,
        ErrorKind::FlowMappingValueAdjacentCollection => Fault::AdjacentValue,
        ErrorKind::MissingDocumentEndBeforeDirective
        | ErrorKind::MissingDirectiveName
        | ErrorKind::InvalidDirectiveName => Fault::Character('%'),
        ErrorKind::MismatchedFlowCollectionEnd { .. } | ErrorKind::MisplacedFlowCollectionEnd => {
            Fault::WrongBracket
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar => Fault::TextAfterQuote,
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => Fault::Tab,
        ErrorKind::SimpleKeyExpected
        | ErrorKind::InvalidSimpleKey
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::InvalidIndentation
        | ErrorKind::MappingKeyNotAllowed
        | ErrorKind::MappingValueNotAllowed
        | ErrorKind::BlockSequenceEntryNotAllowed
        | ErrorKind::ExpectedDocumentStart
        | ErrorKind::UnexpectedEofBlockMapping
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::InvalidColonPlacement
        | ErrorKind::InvalidBlockScalarIndent
        | ErrorKind::ExpectedNodeContent => Fault::Layout,
        ErrorKind::InvalidBlockScalarHeader | ErrorKind::ZeroBlockScalarIndent => {
            Fault::BlockScalarHeader
        }
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate
        | ErrorKind::InvalidUnicodeEscape => Fault::Escape,
        ErrorKind::UnexpectedCharacter { character } => Fault::Character(*character),
        ErrorKind::MissingAnchorOrAliasName => Fault::Nameless,
        ErrorKind::RecursionLimitExceeded => Fault::TooDeep,
        ErrorKind::CommentNotSeparated => Fault::Comment,
        ErrorKind::CommentInterceptedScalar => Fault::CommentInText,
        other => Fault::Other(other.to_string()),
    }
}
