//! `Key`: the key of an entry, its origin, and a fingerprint for searches.

use std::fmt;
use std::ops::Deref;

use lean_string::LeanStr;

use super::Origin;
use super::origin::Layer;
use crate::scalar::is_same;
use crate::source::Span;

/// The key of an entry with its origin. As large as both: it has a fingerprint in place of the highest bits of a
/// length that no key has.
#[derive(Clone)]
pub struct Key {
    text: LeanStr,
    start: u32,
    /// From the lowest bit: the layer (2), whether it is the index of a map (1), the fingerprint (8), the length
    /// in bytes (21).
    marks: u32,
}

const LAYER: u32 = 0b011;
const INDEX: u32 = 0b100;
const FINGERPRINT_AT: u32 = 3;
const LENGTH_AT: u32 = 11;
/// The maximum length of the span. That of a longer key ends early.
const LONGEST: u32 = u32::MAX >> LENGTH_AT;

/// A number that different keys of one map rarely share, so that most of them need not be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fingerprint(u8);

impl Fingerprint {
    #[inline]
    pub(super) fn of(key: &str) -> Self {
        let [first, .., last] = key.as_bytes() else { return Self(0) };
        #[allow(clippy::cast_possible_truncation, reason = "any bits will do")]
        let length = key.len() as u8;
        Self(first.wrapping_mul(8).wrapping_add(*last).wrapping_add(length.wrapping_mul(32)))
    }
}

impl Key {
    /// A key with its origin.
    #[must_use]
    pub fn new(text: impl Into<LeanStr>, origin: Origin) -> Self {
        let text = text.into();
        let (start, length) = origin.span().parts();
        let layer = origin.layer().map_or(0, Layer::bits);
        let fingerprint = u32::from(Fingerprint::of(&text).0) << FINGERPRINT_AT;
        let marks = length.min(LONGEST) << LENGTH_AT | fingerprint | layer;
        Self { text, start, marks }
    }

    /// The index of a map, stored as the key of one more entry.
    pub(super) fn index(text: LeanStr, origin: Origin) -> Self {
        let key = Self::new(text, origin);
        Self { marks: key.marks | INDEX, ..key }
    }

    /// Whether it is the index of a map.
    pub(super) const fn is_index(&self) -> bool {
        self.marks & INDEX != 0
    }

    const fn fingerprint(&self) -> Fingerprint {
        let [fingerprint, ..] = (self.marks >> FINGERPRINT_AT).to_le_bytes();
        Fingerprint(fingerprint)
    }

    /// Whether it is this key, which has this fingerprint.
    #[inline]
    pub(super) fn is(&self, key: &str, fingerprint: Fingerprint) -> bool {
        self.fingerprint() == fingerprint && is_same(&self.text, key)
    }

    /// The text.
    #[must_use]
    pub const fn text(&self) -> &LeanStr {
        &self.text
    }

    /// Where the key is written, or the layer that set it.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        let span = Span::from_parts(self.start, self.marks >> LENGTH_AT);
        Origin::packed(span, self.marks & LAYER)
    }

    /// The span of the origin.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.origin().span()
    }
}

impl Deref for Key {
    type Target = LeanStr;

    fn deref(&self) -> &LeanStr {
        &self.text
    }
}

/// Keys with the same text are equal, wherever they are written.
impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint() == other.fingerprint() && is_same(&self.text, &other.text)
    }
}

impl PartialEq<str> for Key {
    fn eq(&self, other: &str) -> bool {
        is_same(&self.text, other)
    }
}

impl PartialEq<&str> for Key {
    fn eq(&self, other: &&str) -> bool {
        is_same(&self.text, other)
    }
}

impl PartialEq<Key> for &str {
    fn eq(&self, other: &Key) -> bool {
        is_same(self, other)
    }
}

impl From<Key> for LeanStr {
    fn from(key: Key) -> Self {
        key.text
    }
}

impl PartialEq<LeanStr> for Key {
    fn eq(&self, other: &LeanStr) -> bool {
        is_same(&self.text, other)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Key").field(&self.text).field(&self.origin()).finish()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}
