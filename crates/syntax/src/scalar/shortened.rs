//! Strings truncated to a length limit, with a hash that keeps them unique.

use std::fmt::Write as _;

/// The number of hex digits of the hash at the end of a shortened string: 40 bits.
const HASH_LENGTH: usize = 10;

/// SHA-256 of the UTF-8 bytes, as 64 lowercase hex digits.
pub fn sha256_hex(text: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in hmac_sha256::Hash::hash(text.as_bytes()) {
        // Writing into a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// The start of `text`, a dash and a hash of `whole`, in at most `limit` bytes.
///
/// `text` is the readable part of `whole`, of ASCII letters, digits, `-`, `_` and `.`. Punctuation
/// next to the dash is dropped, so the result is a label value if `text` starts with a letter or a
/// digit.
pub fn shortened(text: &str, whole: &str, limit: usize) -> String {
    let hash = sha256_hex(whole);
    let hash = hash.get(..HASH_LENGTH).unwrap_or(&hash);
    let room = limit.saturating_sub(HASH_LENGTH + 1);
    let (start, _) = text.split_at(text.floor_char_boundary(room));
    match start.trim_end_matches(['-', '_', '.']) {
        "" => hash.to_owned(),
        start => format!("{start}-{hash}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scalar::check_label_value;

    /// The test vectors of FIPS 180-2.
    #[test]
    fn the_hash_is_sha_256() {
        assert_eq!(
            sha256_hex("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            sha256_hex(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }

    #[test]
    fn keeps_the_start_and_ends_with_the_hash_of_the_whole() {
        assert_eq!(shortened("abc", "abc", 63), "abc-ba7816bf8f");
        assert_eq!(shortened("abcdef", "abc", 14), "abc-ba7816bf8f");
        assert_eq!(shortened("a-._def", "abc", 15), "a-ba7816bf8f");
        assert_eq!(shortened("", "abc", 63), "ba7816bf8f");
        assert_eq!(shortened("abc", "abc", 11), "ba7816bf8f");
    }

    proptest! {
        #[test]
        fn is_a_label_value_within_the_limit(text in "[a-z0-9][a-zA-Z0-9._-]{0,200}", limit in 12_usize..64) {
            let short = shortened(&text, &text, limit);
            prop_assert!(short.len() <= limit);
            prop_assert_eq!(check_label_value(&short), Ok(()));
        }

        #[test]
        fn two_strings_with_the_same_start_differ(start in "[a-z]{100}", a in "[a-z]{1,9}", b in "[a-z]{1,9}") {
            let (a, b) = (format!("{start}{a}"), format!("{start}{b}"));
            prop_assert_eq!(shortened(&a, &a, 63) == shortened(&b, &b, 63), a == b);
        }
    }
}
