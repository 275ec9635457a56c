//! Detection of Kubernetes objects and definitions in a file.

use crate::tree::Node;

/// Whether a file can contain a manifest. This check is fast, and only errs in favor of reading the
/// file.
pub(crate) fn may_be_manifest(text: &str) -> bool {
    // Searches for every capitalization of `apiVersion` and `kind`, and for a manifest without
    // both.
    let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    has("piVersion")
        || has("piversion")
        || has("PIVERSION")
        || has("ind")
        || has("IND")
        || has("metadata")
}

/// Whether a document is intended as an object: it has `apiVersion` or `kind`, in any
/// capitalization, or both `metadata` and `spec`.
pub(crate) fn is_manifest(root: &Node) -> bool {
    let is_envelope = |key: &str| {
        key.eq_ignore_ascii_case("apiVersion")
            || key.eq_ignore_ascii_case("api_version")
            || key.eq_ignore_ascii_case("kind")
    };
    root.entries().iter().any(|entry| is_envelope(&entry.key))
        || root.get("metadata").is_some() && root.get("spec").is_some()
}

/// Whether a file that is not valid YAML looks like a manifest: a line begins with `apiVersion`.
pub(crate) fn reads_like_manifest(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches(['{', '"', ' ', '\u{feff}']);
        line.starts_with("apiVersion") && !line.starts_with("apiVersions")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_yaml_is_classified_by_its_lines() {
        for text in
            ["apiVersion: v1\nkind: {", "{\"apiVersion\": \"v1\",", "a: [\n  apiVersion: v1\n"]
        {
            assert!(reads_like_manifest(text), "{text}");
        }
        for text in ["site_name: !!python/name:x", "# about apiVersion: v1\n", "apiVersions: ["] {
            assert!(!reads_like_manifest(text), "{text}");
        }
    }
}
