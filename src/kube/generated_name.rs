//! Names that the API server generates.

/// The length in bytes to which the API server truncates `generateName`, so that the name with five
/// random characters is a valid label value.
///
/// Source: `MaxGeneratedNameLength` in apiserver, `storage/names/generate.go`.
pub(crate) const LONGEST_PREFIX: usize = 58;

/// The part of `generateName` that the API server keeps.
pub(crate) fn kept_prefix(prefix: &str) -> &str {
    prefix.get(..prefix.floor_char_boundary(LONGEST_PREFIX)).unwrap_or(prefix)
}
