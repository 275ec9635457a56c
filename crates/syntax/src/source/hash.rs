//! The hash that identifies contents.

/// FNV-1a with 64 bits, the same on every machine and in every release. It must notice a change, not
/// withstand an attack.
#[must_use]
pub fn content_hash(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::content_hash;

    #[test]
    fn hashes_are_those_of_the_published_algorithm() {
        assert_eq!(content_hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(content_hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(content_hash(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
