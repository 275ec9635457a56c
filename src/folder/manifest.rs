//! Detection of Kubernetes objects and definitions in a file.

use super::path::{file_name, folder_of};
use crate::kube;
use crate::source::{Slice as _, lines};
use crate::tree::Node;

/// Whether a file can contain a manifest. It only errs in favor of reading the file. A manifest takes 600
/// instructions, since the first word is found at once, and another file 2.5 per byte, instead of being read.
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

/// The API groups of Kubernetes without a dot. CustomResourceDefinitions cannot define such groups.
const GROUPS_WITHOUT_DOT: [&str; 5] = ["apps", "autoscaling", "batch", "extensions", "policy"];

/// Whether a document is intended as an object: it has `apiVersion` or `kind`, in any
/// capitalization, or both `metadata` and `spec`.
///
/// Files of other programs can have an `apiVersion` too: `Chart.yaml` has a name and a version but
/// no `kind`, and other groups, such as that of `skaffold/v4beta1`, have no dot. Without
/// `metadata`, they are not objects.
pub(crate) fn is_manifest(root: &Node) -> bool {
    if is_of_other_program(root) {
        return false;
    }
    let has = |names: &[&str]| {
        let is_it = |key: &str| names.iter().any(|name| key.eq_ignore_ascii_case(name));
        root.entries().iter().any(|entry| is_it(&entry.key))
    };
    if has(&["metadata"]) {
        return has(&["apiVersion", "api_version", "kind", "spec"]);
    }
    let group = root.str_at(&["apiVersion"]).and_then(|it| it.split_once('/'));
    let is_foreign =
        group.is_some_and(|(it, _)| !it.contains('.') && !GROUPS_WITHOUT_DOT.contains(&it));
    let is_chart = has(&["name"]) && has(&["version"]) && !has(&["kind"]);
    has(&["apiVersion", "api_version", "kind"]) && (has(&["spec"]) || !is_foreign && !is_chart)
}

/// Whether a document is certainly a file of another program: `apiVersion` is a number, as in the
/// provisioning files of Grafana, or `kind` is a word in lowercase without `apiVersion`, as in
/// pipelines of Drone.
pub(crate) fn is_of_other_program(root: &Node) -> bool {
    let has = |name: &str| root.entries().iter().any(|entry| entry.key.eq_ignore_ascii_case(name));
    if has("metadata") || has("spec") {
        return false;
    }
    let is_numbered = root.get("apiVersion").is_some_and(|version| version.as_number().is_some());
    let is_word = |text: &str| text.starts_with(|c: char| c.is_ascii_lowercase());
    let is_lowercase = !has("apiVersion") && root.str_at(&["kind"]).is_some_and(is_word);
    is_numbered && !has("kind") || is_lowercase && has("name") && has("type")
}

/// Whether a document is a configuration file of a program: a kubeconfig, or one with the group of a
/// component.
pub(crate) fn is_configuration(root: &Node) -> bool {
    let is_kubeconfig = root.str_at(&["kind"]) == Some("Config")
        && root.str_at(&["apiVersion"]) == Some("v1")
        && root.get("clusters").is_some();
    let group = root.str_at(&["apiVersion"]).and_then(|it| it.split_once('/'));
    is_kubeconfig
        || group.is_some_and(|(group, _)| kube::is_configuration_group(group))
        || is_of_other_program(root)
}

/// Whether a file is a patch, not a complete object, according to its path: in a directory
/// `patches`, or with `patch` in the name of a file that belongs to a kustomization.
pub(super) fn is_patch(file: &str, is_of_kustomization: bool) -> bool {
    let is_patches = |it: &str| matches!(it, "patches" | "patch");
    let name = file_name(file);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    folder_of(file).split('/').any(is_patches)
        || is_of_kustomization && stem.split(['-', '_']).any(is_patches)
}

/// Whether a file belongs to a copy of a dependency: below `node_modules`, or below a path such as
/// `vendor/example.com`, as for Go modules and Jsonnet.
pub(super) fn is_vendored(file: &str) -> bool {
    let parts: Vec<_> = folder_of(file).split('/').collect();
    let is_copied = |it: &[&str]| matches!(it, ["vendor", host] if host.contains('.'));
    parts.contains(&"node_modules") || parts.windows(2).any(is_copied)
}

/// Whether a file that is not valid YAML is a template of another program: the line of the first
/// error, at `fault`, has an expression.
pub(crate) fn is_template(text: &str, fault: usize) -> bool {
    let line = text.slice(lines::range(text, fault));
    line.contains("{{") || line.contains("{%")
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
    fn patches_and_copies_are_known_by_their_paths() {
        for (file, of_kustomization, is_it) in [
            ("crd/patches/webhook.yaml", false, true),
            ("default/manager_patch.yaml", true, true),
            ("default/patch-manager.yaml", true, true),
            ("default/manager_patch.yaml", false, false),
            ("default/dispatch.yaml", true, false),
            ("dispatches/web.yaml", true, false),
        ] {
            assert_eq!(is_patch(file, of_kustomization), is_it, "{file}");
        }
        for file in
            ["vendor/k8s.io/api/pod.yaml", "a/vendor/github.com/b.yaml", "node_modules/a.yaml"]
        {
            assert!(is_vendored(file), "{file}");
        }
        for file in ["vendor/pod.yaml", "vendor/web/pod.yaml", "k8s.io/pod.yaml"] {
            assert!(!is_vendored(file), "{file}");
        }
    }

    #[test]
    fn a_template_is_known_by_the_line_of_its_first_error() {
        let text = "a: b\nname: {{ .Name }}\nc: {\n";
        assert_eq!([3, 12, 23].map(|fault| is_template(text, fault)), [false, true, false]);
    }

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
