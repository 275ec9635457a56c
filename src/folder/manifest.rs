//! Whether a text contains Kubernetes objects or definitions.

use crate::tree::Node;

/// Whether a text can contain a manifest. Cheap, and wrong only in favor of reading it.
pub(crate) fn may_be_manifest(text: &str) -> bool {
    // Every capitalization of `apiVersion` and `kind`, and a manifest that lost both.
    let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    has("piVersion")
        || has("piversion")
        || has("PIVERSION")
        || has("ind")
        || has("IND")
        || has("metadata")
}

/// Whether a document is meant as an object: it has `apiVersion` or `kind`, in any capitalization,
/// or both `metadata` and `spec`.
pub(crate) fn is_manifest(root: &Node) -> bool {
    let is_envelope = |key: &str| {
        key.eq_ignore_ascii_case("apiVersion")
            || key.eq_ignore_ascii_case("api_version")
            || key.eq_ignore_ascii_case("kind")
    };
    root.entries().iter().any(|entry| is_envelope(&entry.key))
        || root.get("metadata").is_some() && root.get("spec").is_some()
}

/// Whether a text that is not YAML reads like a manifest: a line begins with `apiVersion`.
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
    fn text_that_is_no_yaml_is_judged_by_its_lines() {
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
