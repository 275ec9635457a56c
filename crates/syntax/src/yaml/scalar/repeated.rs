//! Sharing of repeated strings: long keys, images, times.

use std::cell::RefCell;

use lean_string::LeanStr;

/// The minimum length; shorter strings are stored inline.
const SHORTEST: usize = 17;
/// The maximum length; longer strings are rarely repeated.
const LONGEST: usize = 64;
const SLOTS: usize = 256;

thread_local! {
    static RECENT: RefCell<Box<[LeanStr]>> =
        RefCell::new(std::iter::repeat_n(LeanStr::new(), SLOTS).collect());
}

/// Returns the string as a value. If this thread has read it recently, it shares memory with the
/// earlier one.
pub(in crate::yaml) fn shared(text: &str) -> LeanStr {
    if !(SHORTEST..=LONGEST).contains(&text.len()) {
        return LeanStr::from(text);
    }
    RECENT.with_borrow_mut(|recent| {
        let Some(slot) = recent.get_mut(slot_of(text)) else { return LeanStr::from(text) };
        if slot.as_str() != text {
            *slot = LeanStr::from(text);
        }
        slot.clone()
    })
}

/// A fast hash of the ends; strings that only differ in between evict each other.
fn slot_of(text: &str) -> usize {
    let bytes = text.as_bytes();
    let first = bytes.first_chunk::<8>().copied().map_or(0, u64::from_le_bytes);
    let last = bytes.last_chunk::<8>().copied().map_or(0, u64::from_le_bytes);
    let mixed = (first ^ last.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(mixed >> 56).unwrap_or(0) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_strings_are_unchanged() {
        let texts: Vec<_> = (0..2_000).map(|it| format!("example.com/key-number-{it}")).collect();
        for _ in 0..2 {
            for text in &texts {
                assert_eq!(shared(text).as_str(), text);
            }
        }
        for length in [0, 1, 16, 17, 64, 65, 200] {
            let text = "x".repeat(length);
            assert_eq!(shared(&text).as_str(), text);
        }
    }

    #[test]
    fn repeated_strings_share_memory() {
        let (first, again) = (shared("2030-01-31T18:00:00Z"), shared("2030-01-31T18:00:00Z"));
        assert_eq!(first.as_ptr(), again.as_ptr());
    }
}
