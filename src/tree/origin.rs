//! Where a node comes from.

use crate::source::Span;

/// A built-in layer: not the author's line, but a rule of this compiler that set a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// The frame of an object: `apiVersion`, `kind` and what the kind always has.
    Managed,
    /// The security profile `baseline`.
    SecurityBaseline,
    /// The security profile `restricted`.
    SecurityRestricted,
}

impl Layer {
    /// As shown to people, to follow "set by".
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Managed => "the managed layer",
            Self::SecurityBaseline => "the security profile `baseline`",
            Self::SecurityRestricted => "the security profile `restricted`",
        }
    }
}

/// Who put a node there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// The author, at this place.
    Source(Span),
    /// A built-in layer, on behalf of the definition at this place.
    Layer(Layer, Span),
}

impl Origin {
    /// The author's place: the value itself, or the definition for which a layer set it.
    #[must_use]
    pub const fn span(self) -> Span {
        match self {
            Self::Source(span) | Self::Layer(_, span) => span,
        }
    }

    /// The built-in layer, if it was one.
    #[must_use]
    pub const fn layer(self) -> Option<Layer> {
        match self {
            Self::Source(_) => None,
            Self::Layer(layer, _) => Some(layer),
        }
    }
}
