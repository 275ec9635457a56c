//! Equality of short strings.

/// Whether two strings are the same. Nearly all keys are so short that two words hold them: the comparison of the
/// C library waits longer for its vectors.
#[inline]
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    match one.len() {
        0 => true,
        1 => have_same_ends::<1>(one, other),
        2..=3 => have_same_ends::<2>(one, other),
        4..=8 => have_same_ends::<4>(one, other),
        9..=16 => have_same_ends::<8>(one, other),
        _ => one == other,
    }
}

/// Whether the first and the last bytes are the same. Together they are all bytes of a string that is at most
/// twice as long.
#[inline]
fn have_same_ends<const COUNT: usize>(one: &[u8], other: &[u8]) -> bool {
    one.first_chunk::<COUNT>() == other.first_chunk::<COUNT>()
        && one.last_chunk::<COUNT>() == other.last_chunk::<COUNT>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_counts() {
        let text = "abcdefghijklmnopqrstuvwxyz";
        for length in 0..text.len() {
            let text = &text[..length];
            let longer = format!("{text}_");
            assert!(is_same(text, &longer[..length]));
            assert!(!is_same(text, &longer) && !is_same(&longer, text));
            for at in 0..length {
                let mut other = text.to_owned();
                other.replace_range(at..=at, "_");
                assert!(!is_same(text, &other), "{other}");
            }
        }
    }
}
