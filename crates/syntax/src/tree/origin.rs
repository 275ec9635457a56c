//! The origin of a node.

use std::fmt;

use crate::source::Span;

/// A built-in layer of this compiler, which sets values that the author did not write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// The built-in layer: `apiVersion`, `kind` and the fields that the kind always has.
    Managed,
    /// The security profile `baseline`.
    SecurityBaseline,
    /// The security profile `restricted`.
    SecurityRestricted,
}

impl Layer {
    /// The bits for it in an origin; none are set for the author.
    pub(super) const fn bits(self) -> u32 {
        match self {
            Self::Managed => 1,
            Self::SecurityBaseline => 2,
            Self::SecurityRestricted => 3,
        }
    }

    /// The name in messages, to follow "set by".
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Managed => "the built-in layer",
            Self::SecurityBaseline => "the security profile `baseline`",
            Self::SecurityRestricted => "the security profile `restricted`",
        }
    }
}

/// The origin of a node: a span in the author's source, or a built-in layer on behalf of the
/// definition at a span. Two thirds of a tree are origins and keys, so it is packed into eight
/// bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    start: u32,
    /// From the lowest bit: the layer (2), a mark of the node (1), the length in bytes (29).
    marks: u32,
}

const LAYER: u32 = 0b011;
const MARK: u32 = 0b100;
const LENGTH_AT: u32 = 3;
/// The maximum length, which exceeds that of any file.
const LONGEST: u32 = u32::MAX >> LENGTH_AT;

impl Origin {
    /// The author, at this span.
    #[must_use]
    pub fn source(place: impl Into<Span>) -> Self {
        Self::packed(place.into(), 0)
    }

    /// A built-in layer, on behalf of the definition at this span.
    #[must_use]
    pub const fn of_layer(layer: Layer, definition: Span) -> Self {
        Self::packed(definition, layer.bits())
    }

    /// The origin at a span, with the bits for its layer.
    pub(super) const fn packed(place: Span, layer: u32) -> Self {
        let (start, length) = place.parts();
        let length = if length < LONGEST { length } else { LONGEST };
        Self { start, marks: length << LENGTH_AT | layer }
    }

    /// The span in the source: that of the value, or of the definition for which a layer set it.
    #[must_use]
    pub const fn span(self) -> Span {
        Span::from_parts(self.start, self.marks >> LENGTH_AT)
    }

    /// The built-in layer, if one set the node.
    #[must_use]
    pub const fn layer(self) -> Option<Layer> {
        match self.marks & LAYER {
            1 => Some(Layer::Managed),
            2 => Some(Layer::SecurityBaseline),
            3 => Some(Layer::SecurityRestricted),
            _ => None,
        }
    }

    /// Whether the extra bit is set that a node can store in its origin.
    pub(super) const fn is_marked(self) -> bool {
        self.marks & MARK != 0
    }

    /// The same origin with that bit set, or not.
    pub(super) const fn marked(self, is_marked: bool) -> Self {
        let mark = if is_marked { MARK } else { 0 };
        Self { marks: self.marks & !MARK | mark, ..self }
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut origin = f.debug_struct("Origin");
        origin.field("span", &self.span()).field("layer", &self.layer()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    #[test]
    fn packing_round_trips() {
        let file = Workspace::new().add("x.yaml", "");
        let place = Span::new(file, 7, 128 << 20);
        let layers = [Layer::Managed, Layer::SecurityBaseline, Layer::SecurityRestricted];
        for layer in layers {
            let origin = Origin::of_layer(layer, place);
            assert_eq!((origin.span(), origin.layer()), (place, Some(layer)));
        }
        let author = Origin::source(place);
        assert_eq!((author.span(), author.layer()), (place, None));
        let marked = author.marked(true);
        assert!(marked.is_marked() && !author.is_marked());
        assert_eq!((marked.span(), marked.layer()), (place, None));
        assert_eq!(marked.marked(false), author);
    }
}
