//! `slice`: a part of a text or of a list that cannot be out of range.

use std::slice::SliceIndex;

/// A text, its bytes, or a list.
pub trait Slice {
    /// The part in a range. Scanners compute ranges from positions in the same text; one that is outside of it, or
    /// that divides a character, would be a fault of theirs, and is empty.
    fn slice<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self;
}

impl Slice for str {
    #[inline]
    fn slice<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self {
        self.get(range).unwrap_or_default()
    }
}

impl<T> Slice for [T] {
    #[inline]
    fn slice<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self {
        self.get(range).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_empty() {
        let text = "aé";
        assert_eq!(
            [text.slice(..1), text.slice(1..), text.slice(1..2), text.slice(4..)],
            ["a", "é", "", ""]
        );
        assert_eq!((text.as_bytes().slice(..1), text.as_bytes().slice(2..9)), (&b"a"[..], &[][..]));
    }
}
