//! Secret values in the cases of a `Test`, where paths name them. Objects in it are like others.

use super::signs::{is_credential, is_near_data};
use crate::source::Span;
use crate::tree::Node;

/// The spans of the secret values of fields in a test.
pub(super) fn secrets(root: &Node) -> Vec<Span> {
    let Some(spec) = root.get("spec").filter(|_| root.str_at(&["kind"]) == Some("Test")) else {
        return Vec::new();
    };
    let cases = spec.get("cases").map_or(&[][..], Node::items);
    let objects = std::iter::once(spec)
        .chain(cases)
        .flat_map(|case| case.at(&["expect", "fields"]).map_or(&[][..], Node::entries));
    let fields = objects.flat_map(|object| {
        let is_secret = object.key.starts_with("Secret/");
        let is_hidden = move |path: &str| {
            let first = path.split_once(['.', '[', '\'']).map_or(path, |(first, _)| first);
            is_secret && is_near_data(first) || path.ends_with("value") && is_credential(path)
        };
        object.value.entries().iter().filter(move |it| is_hidden(&it.key))
    });
    let mut secrets = Vec::new();
    fields.for_each(|it| add_scalars(&it.value, &mut secrets));
    secrets
}

fn add_scalars(node: &Node, scalars: &mut Vec<Span>) {
    node.items().iter().for_each(|it| add_scalars(it, scalars));
    for entry in node.entries() {
        scalars.push(entry.key_origin().span());
        add_scalars(&entry.value, scalars);
    }
    if node.items().is_empty() && node.entries().is_empty() {
        scalars.push(node.span());
    }
}
