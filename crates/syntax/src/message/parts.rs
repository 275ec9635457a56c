//! A text with the ends of its parts, in one allocation: a run can have 100,000 messages.

use std::sync::Arc;

/// The number of characters of an encoded number, with [`BITS`] bits each: more than the length of any file.
const WIDTH: usize = 4;
/// As many as a byte of ASCII has.
const BITS: usize = 7;

/// The text, then the encoded ends of its parts, then their number.
#[derive(Clone)]
pub(super) struct Parts(Arc<str>);

impl Parts {
    pub(super) fn new(mut text: String, ends: &[usize]) -> Self {
        text.reserve_exact((ends.len() + 1) * WIDTH);
        for number in ends.iter().copied().chain([ends.len()]) {
            let digit = |place: usize| u8::try_from(number >> (place * BITS) & 0x7f).unwrap_or(0);
            text.extend((0..WIDTH).map(|place| char::from(digit(place))));
        }
        Self(text.into())
    }

    pub(super) fn text(&self) -> &str {
        self.split().0
    }

    /// The ends of all parts except the last.
    pub(super) fn ends(&self) -> impl Iterator<Item = usize> {
        self.split().1.chunks_exact(WIDTH).map(decode_number)
    }

    /// The text, and the encoded ends.
    fn split(&self) -> (&str, &[u8]) {
        let (rest, count) = self.0.split_at(self.0.len().saturating_sub(WIDTH));
        let length = rest.len().saturating_sub(decode_number(count.as_bytes()) * WIDTH);
        let (text, ends) = rest.split_at(length);
        (text, ends.as_bytes())
    }
}

fn decode_number(digits: &[u8]) -> usize {
    digits.iter().rev().fold(0, |number, digit| number << BITS | usize::from(*digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_the_ends_of_its_parts() {
        for (text, ends) in [("", vec![]), ("é", vec![0, 2]), ("ab", vec![1, 127, 128, 1 << 27])] {
            let parts = Parts::new(text.to_owned(), &ends);
            assert_eq!((parts.text(), parts.ends().collect::<Vec<_>>()), (text, ends));
        }
    }
}
