//! Names that the API server generates.

/// The length in bytes to which the API server truncates `generateName`, so that the name with five
/// random characters is a valid label value.
///
/// Source: `MaxGeneratedNameLength` in apiserver, `storage/names/generate.go`.
pub const LONGEST_PREFIX: usize = 58;

/// The part of `generateName` that the API server keeps.
pub fn kept_prefix(prefix: &str) -> &str {
    prefix.split_at(prefix.floor_char_boundary(LONGEST_PREFIX)).0
}

/// A name that the API server can generate from a `generateName`: what it keeps, and five of the
/// characters of its random suffixes.
pub fn sample_name(prefix: &str) -> String {
    format!("{}x2b4z", kept_prefix(prefix))
}

#[cfg(test)]
mod tests {
    use super::sample_name;

    #[test]
    fn prefixes_are_truncated_by_bytes_at_a_character() {
        assert_eq!(sample_name("agent-"), "agent-x2b4z");
        assert_eq!(sample_name(&"a".repeat(100)), "a".repeat(58) + "x2b4z");
        assert_eq!(sample_name(&"é".repeat(100)), "é".repeat(29) + "x2b4z");
        assert_eq!(sample_name(&"日".repeat(100)), "日".repeat(19) + "x2b4z");
    }
}
