//! Dynamic labels: Python format strings over the attributes of a node request.
//!
//! The launcher formats them when it creates a node, drops those that fail, and only logs that.
//! Here a string is parsed at compile time, so that a mistake is an error; with a request the label
//! gets its value.

mod format_spec;
mod parse;
mod render;

use crate::diag::Message;
use format_spec::FormatSpec;
pub(super) use render::Unrendered;

/// An attribute of a node request that a dynamic label can use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attribute {
    /// `<priority>-<sequence number>`.
    Id,
    /// The requested labels.
    Labels,
    /// The requestor.
    Requestor,
    /// The requestor's data of the request.
    RequestorData,
    /// Priority among the requests of the same priority.
    RelativePriority,
    /// The ID of the event that caused the request.
    EventId,
    /// Seconds since 1970.
    CreatedTime,
    /// The tenant that the request counts for.
    TenantName,
}

impl Attribute {
    pub(super) const ALL: [Self; 8] = [
        Self::Id,
        Self::Labels,
        Self::Requestor,
        Self::RequestorData,
        Self::RelativePriority,
        Self::EventId,
        Self::CreatedTime,
        Self::TenantName,
    ];

    /// Its name in a format string.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Labels => "labels",
            Self::Requestor => "requestor",
            Self::RequestorData => "requestor_data",
            Self::RelativePriority => "relative_priority",
            Self::EventId => "event_id",
            Self::CreatedTime => "created_time",
            Self::TenantName => "tenant_name",
        }
    }

    /// The field of `request` in a definition.
    pub(super) const fn field(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Labels => "labels",
            Self::Requestor => "requestor",
            Self::RequestorData => "requestorData",
            Self::RelativePriority => "relativePriority",
            Self::EventId => "eventId",
            Self::CreatedTime => "createdTime",
            Self::TenantName => "tenantName",
        }
    }
}

/// A parsed format string.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Template {
    parts: Vec<Part>,
}

#[derive(PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    Field(Replacement),
}

/// `{request.labels[0]:.8}`.
#[derive(PartialEq, Eq, Debug)]
struct Replacement {
    attribute: Attribute,
    /// The keys in brackets.
    keys: Vec<String>,
    /// Whether the value is converted to a string first, by `!s`.
    is_text: bool,
    spec: FormatSpec,
}

/// The fault of a format string.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct TemplateFault {
    /// The fault, to follow the name of the label.
    pub(super) message: Message,
    /// The repair.
    pub(super) help: Message,
    /// An unknown attribute.
    pub(super) unknown: Option<String>,
}

impl TemplateFault {
    fn new(message: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self { message: message.into(), help: help.into(), unknown: None }
    }
}

impl Template {
    /// Whether it uses this attribute.
    pub(super) fn uses(&self, attribute: Attribute) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Field(field) if field.attribute == attribute))
    }
}
