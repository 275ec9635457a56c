//! Keys and scalars that recur, as most of a manifest do: what was read before is neither checked nor
//! copied again.

use std::cell::RefCell;

use lean_string::LeanStr;

use super::scalars::marks;
use crate::tree::Value;

/// The number of strings that are kept. Those with the same hash evict each other.
const SLOTS: usize = 512;

thread_local! {
    static RECENT: RefCell<Recent> = RefCell::default();
}

/// What this thread has read recently.
#[derive(Default)]
pub(super) struct Recent {
    pub(super) keys: Known<LeanStr>,
    /// The values of plain scalars that all readers read in the same way.
    pub(super) scalars: Known<Value>,
}

impl Recent {
    /// Calls a function with what this thread has read.
    pub(super) fn with<R>(read: impl FnOnce(&mut Self) -> R) -> R {
        RECENT.with_borrow_mut(read)
    }
}

/// The meaning of short strings.
pub(super) struct Known<T>(Box<[(Packed, Option<T>)]>);

impl<T: Clone> Default for Known<T> {
    fn default() -> Self {
        Self(std::iter::repeat_n((Packed(0, 0), None), SLOTS).collect())
    }
}

impl<T: Clone> Known<T> {
    #[inline]
    pub(super) fn get(&self, text: Packed) -> Option<T> {
        let (known, meaning) = self.0.get(text.slot())?;
        if *known == text { meaning.clone() } else { None }
    }

    pub(super) fn insert(&mut self, text: Packed, meaning: T) {
        if let Some(slot) = self.0.get_mut(text.slot()) {
            *slot = (text, Some(meaning));
        }
    }
}

/// A text of at most 15 bytes, with zeros after it. Documents have no zeros, so that different strings
/// differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed(u64, u64);

impl Packed {
    /// The text from an offset to the next line end, colon or hash, and its end, unless it is too long or
    /// too close to the end of the document.
    #[inline]
    pub(super) fn before_mark(text: &[u8], start: usize) -> Option<(Self, usize)> {
        let bytes = text.get(start..)?.first_chunk::<16>()?;
        let [first, second] = bytes.as_chunks::<8>().0 else { return None };
        let (first, second) = (u64::from_le_bytes(*first), u64::from_le_bytes(*second));
        let found = marks(first);
        if found != 0 {
            return Some((Self(first & mask_before(found), 0), start + marked_length(found)));
        }
        let found = marks(second);
        let packed = Self(first, second & mask_before(found));
        (found != 0).then_some((packed, start + 8 + marked_length(found)))
    }

    /// A fast hash.
    #[inline]
    fn slot(self) -> usize {
        let mixed = (self.0 ^ self.1.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        usize::try_from(mixed >> 55).unwrap_or(0) % SLOTS
    }
}

/// The number of bytes before the first of some marks.
#[inline]
const fn marked_length(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// The bits of the bytes before the first of some marks.
#[inline]
const fn mask_before(marks: u64) -> u64 {
    ((marks & marks.wrapping_neg()) >> 7).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_text_has_all_bytes_before_the_mark() {
        let text = "aé~.:b: c\n0123456789abcdef#0123456789";
        for start in 0..text.len() {
            let length = text.as_bytes()[start..].iter().position(|it| b"\n:#".contains(it));
            let is_short = length.is_some_and(|it| it < 16) && start + 16 <= text.len();
            let expected = length.filter(|_| is_short).map(|length| {
                let mut bytes = [0; 16];
                bytes[..length].copy_from_slice(&text.as_bytes()[start..start + length]);
                (u128::from_le_bytes(bytes), start + length)
            });
            let found = Packed::before_mark(text.as_bytes(), start);
            let found = found.map(|(it, end)| (u128::from(it.1) << 64 | u128::from(it.0), end));
            assert_eq!(found, expected, "{start}");
        }
    }

    #[test]
    fn strings_with_one_slot_evict_each_other() {
        let mut known = Known::default();
        let texts = |count: u64| (1..=count).map(|it| Packed(it, it << 8));
        for text in texts(10_000) {
            assert!(known.get(text).is_none());
            known.insert(text, text.0);
            assert_eq!(known.get(text), Some(text.0));
        }
        let kept = texts(10_000).filter_map(|text| Some((text, known.get(text)?)));
        let kept: Vec<_> = kept.collect();
        assert!(kept.iter().all(|(text, number)| text.0 == *number));
        assert!((SLOTS / 2..=SLOTS).contains(&kept.len()), "{}", kept.len());
    }
}
