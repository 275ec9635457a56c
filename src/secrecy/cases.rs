//! Secret values in the cases of a `Test`.

use super::credentials::{collect as collect_of_object, is_credential};
use crate::source::Span;
use crate::tree::Node;

/// Adds the spans of the secret values in the objects and fields of a test.
pub(super) fn collect<'t>(root: &Node, text_of: &dyn Fn(Span) -> &'t str, secrets: &mut Vec<Span>) {
    let Some(spec) = root.get("spec").filter(|_| root.str_at(&["kind"]) == Some("Test")) else {
        return;
    };
    for given in std::iter::once(spec).chain(items(spec, &["cases"])) {
        let objects = items(given, &["definitions"]).chain(items(given, &["expect", "objects"]));
        objects.for_each(|it| collect_of_object(it, text_of, secrets));
        for object in given.at(&["expect", "fields"]).map_or(&[][..], Node::entries) {
            let is_secret = object.key.starts_with("Secret/");
            let is_hidden = |path: &str| {
                let is_of_secret = ["data", "stringData"].iter().any(|it| path.starts_with(it));
                is_secret && is_of_secret || path.ends_with("value") && is_credential(path)
            };
            let fields = object.value.entries().iter().filter(|it| is_hidden(&it.key));
            secrets.extend(fields.map(|it| it.value.span()));
        }
    }
}

fn items<'n>(node: &'n Node, path: &[&str]) -> impl Iterator<Item = &'n Node> + use<'n> {
    node.at(path).map_or(&[][..], Node::items).iter()
}
