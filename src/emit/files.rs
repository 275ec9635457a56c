//! One file per object, whose name contains its kind and its position in apply order.

use std::fmt::Write as _;

use super::order::{known_rank, rank};
use super::stream::print_object;
use crate::kube::Object;
use crate::markup::pretty_json;
use crate::parallel::ordered_map;
use crate::sorted::SortedMap;

/// The maximum length of a file name, in bytes; file systems in use allow 255.
const LONGEST_NAME: usize = 200;

/// One file of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmittedFile {
    /// The name, without a folder: lowercase letters, digits and `.-_%~`.
    pub name: String,
    /// YAML or JSON with one document.
    pub content: String,
}

/// One file per object, in the order given.
///
/// A name is `<rank>_<kind>_<namespace>_<name>.yaml`. The two digits sort `kubectl apply -f DIR`,
/// which reads files by name, into apply order; they only depend on the kind, so that an object
/// keeps its file name when others are added or removed. Kinds without their own rank have their
/// group in the name (`45_certificate.cert-manager.io_...`). A character that is rare in Kubernetes
/// names is written as `%` and its code, so that two objects never share a name; objects without a
/// name (`generateName`) and with long names that start alike are numbered: `...~2.yaml`.
#[must_use]
pub fn emit_files(objects: &[Object]) -> Vec<EmittedFile> {
    files_with(objects, print_object)
}

/// As [`emit_files`], in JSON: the names end in `.json`.
#[must_use]
pub fn emit_json_files(objects: &[Object]) -> Vec<EmittedFile> {
    named_files(objects, "json", print_json)
}

/// As [`emit_files`], with another form of each object.
pub(crate) fn files_with(
    objects: &[Object],
    print: impl Fn(&Object, &mut String) + Sync + Send,
) -> Vec<EmittedFile> {
    named_files(objects, "yaml", print)
}

/// Prints an object as JSON, as in a list, with a final line feed.
fn print_json(object: &Object, out: &mut String) {
    out.push_str(&pretty_json(&object.root));
}

fn named_files(
    objects: &[Object],
    extension: &str,
    print: impl Fn(&Object, &mut String) + Sync + Send,
) -> Vec<EmittedFile> {
    let mut used: SortedMap<String, u32> = SortedMap::new();
    let named = objects
        .iter()
        .map(|object| {
            let mut stem = file_stem(object);
            stem.truncate(LONGEST_NAME);
            let count = used.entry(stem.clone()).or_default();
            *count += 1;
            let number = if *count == 1 { String::new() } else { format!("~{count}") };
            (format!("{stem}{number}.{extension}"), object)
        })
        .collect();
    ordered_map(named, |(name, object)| {
        let mut content = String::new();
        print(object, &mut content);
        EmittedFile { name, content }
    })
}

fn file_stem(object: &Object) -> String {
    let (group, kind) = (object.gvk.group.as_str(), object.gvk.kind.as_str());
    let mut stem = format!("{:02}_", rank(object));
    if known_rank(&object.gvk).is_some() {
        stem.push_str(&kind.to_lowercase());
    } else {
        push_safe(&mut stem, &kind.to_lowercase());
        stem.push('.');
        push_safe(&mut stem, group);
    }
    let generate_name = object.root.text_at(&["metadata", "generateName"]);
    let name = if object.name.is_empty() { generate_name } else { object.name.as_str() };
    for part in [object.namespace.as_str(), name].into_iter().filter(|part| !part.is_empty()) {
        stem.push('_');
        push_safe(&mut stem, part);
    }
    stem
}

/// Appends `text`; characters other than lowercase letters, digits, `-` and `.` become `%` and
/// their bytes.
fn push_safe(stem: &mut String, text: &str) {
    for byte in text.bytes() {
        if matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.') {
            stem.push(char::from(byte));
        } else {
            let _ = write!(stem, "%{byte:02x}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube::GroupVersionKind;
    use crate::source::{Span, Workspace};
    use crate::tree::{Node, Origin};

    fn names(objects: &[(&str, &str, &str, &str)]) -> Vec<String> {
        let span = Span::new(Workspace::new().add("a.yaml", ""), 0, 0);
        let object = |(api_version, kind, namespace, name): &(&str, &str, &str, &str)| Object {
            gvk: GroupVersionKind::new(api_version, kind).into(),
            name: (*name).into(),
            namespace: (*namespace).into(),
            root: Node::map(Origin::source(span)),
            document: span,
        };
        let objects: Vec<_> = objects.iter().map(object).collect();
        emit_files(&objects).into_iter().map(|file| file.name).collect()
    }

    #[test]
    fn a_file_name_has_rank_kind_namespace_and_name() {
        let pod = ("v1", "Pod", "team", "rollout-1");
        let other = ("cert-manager.io/v1", "Certificate", "team", "tls");
        assert_eq!(
            names(&[pod, other, ("v1", "Namespace", "", "team")]),
            [
                "60_pod_team_rollout-1.yaml",
                "45_certificate.cert-manager.io_team_tls.yaml",
                "02_namespace_team.yaml"
            ]
        );
    }

    #[test]
    fn similar_names_have_different_files() {
        let role = |name| ("rbac.authorization.k8s.io/v1", "ClusterRole", "", name);
        assert_eq!(
            names(&[role("system:a"), role("A"), role("a_b"), role("../a")]),
            [
                "21_clusterrole_system%3aa.yaml",
                "21_clusterrole_%41.yaml",
                "21_clusterrole_a%5fb.yaml",
                "21_clusterrole_..%2fa.yaml"
            ]
        );
        let dashes = [("v1", "Secret", "a", "b-c"), ("v1", "Secret", "a-b", "c")];
        assert_eq!(names(&dashes), ["15_secret_a_b-c.yaml", "15_secret_a-b_c.yaml"]);
    }

    #[test]
    fn equal_and_long_names_are_numbered() {
        let long = "a".repeat(300);
        let found = names(&[("v1", "Pod", "", &long), ("v1", "Pod", "", &format!("{long}b"))]);
        assert!(found.iter().all(|name| name.len() <= LONGEST_NAME + 10));
        assert!(found[1].ends_with("a~2.yaml"));
        assert_eq!(names(&[("v1", "Pod", "", ""); 2]), ["60_pod.yaml", "60_pod~2.yaml"]);
    }
}
