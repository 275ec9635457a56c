//! CustomResourceDefinition of `apiextensions.k8s.io/v1beta1`.

use super::edits::{
    Edits, Refused, at_mut, check_list, check_map, insert, items_mut, nest, rename,
};
use crate::tree::{Entry, Node, Origin, Value};

/// The fields of the specification that each version has in `v1`, with their keys there.
const OF_VERSIONS: [(&str, &str); 3] = [
    ("validation", "schema"),
    ("subresources", "subresources"),
    ("additionalPrinterColumns", "additionalPrinterColumns"),
];

const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

pub(super) fn definition(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_map(edits.root, &["spec"])?;
    check_list(edits.root, &["spec", "versions"])?;
    if edits.root.get("spec").is_none() {
        return Ok(());
    }
    let field = edits.remove(&["spec", "preserveUnknownFields"]);
    let preserves = field.and_then(|entry| entry.value.as_bool()).unwrap_or(true);
    edits.keep_default(&["spec", "scope"], Value::String("Namespaced".into()));
    list_versions(edits);
    move_to_versions(edits);
    let origin = edits.origin;
    let mut is_kept = false;
    for version in items_mut(edits.root, &["spec", "versions"]) {
        for column in items_mut(version, &["additionalPrinterColumns"]) {
            if let Some(map) = column.as_map_mut() {
                rename(map, "JSONPath", "jsonPath");
            }
        }
        is_kept |= convert_schema(version, preserves, origin)?;
    }
    if is_kept {
        edits.kept.push((PRESERVE.to_owned(), "true".to_owned()));
    }
    nest_webhook(edits)
}

/// `version` is the only one of `versions`, unless they are listed.
fn list_versions(edits: &mut Edits<'_>) {
    let origin = edits.origin;
    let is_listed =
        edits.root.at(&["spec", "versions"]).is_some_and(|versions| !versions.items().is_empty());
    let Some(spec) = edits.root.get_mut("spec").and_then(Node::as_map_mut) else { return };
    let Some(at) = spec.position("version") else { return };
    let Some(version) = spec.remove("version") else { return };
    if is_listed {
        return;
    }
    spec.remove("versions");
    let key_origin = version.key_origin();
    let mut only = Node::map(origin);
    if let Some(only) = only.as_map_mut() {
        only.push(Entry::new("name", origin, version.value));
    }
    only.set("served", Node::bool(true, origin));
    only.set("storage", Node::bool(true, origin));
    let versions = Node::list([only], origin);
    let entry = Entry::new("versions", key_origin, versions);
    spec.edit(|entries| entries.insert(at.min(entries.len()), entry));
}

/// Moves the fields that all versions have in common to each version without its own.
fn move_to_versions(edits: &mut Edits<'_>) {
    for (field, key) in OF_VERSIONS {
        let Some(entry) = edits.remove(&["spec", field]) else { continue };
        for version in items_mut(edits.root, &["spec", "versions"]) {
            if version.get(key).is_none()
                && let Some(map) = version.as_map_mut()
            {
                map.remove(key);
                map.push(entry.clone().renamed(key));
            }
        }
    }
}

/// Checks the schema of a version, and keeps unknown fields as `preserveUnknownFields` does. Returns
/// whether it is changed.
fn convert_schema(version: &mut Node, preserves: bool, origin: Origin) -> Result<bool, Refused> {
    let path = ["schema", "openAPIV3Schema"];
    if version.at(&path).is_none() {
        if !preserves {
            return Err(Refused::new(
                version.span().start_point(),
                "`v1` requires a schema for each version",
                "add `openAPIV3Schema`, and migrate again",
            ));
        }
        let mut any = Node::map(origin);
        any.set("type", Node::string("object", origin));
        any.set(PRESERVE, Node::bool(true, origin));
        let mut schema = Node::map(origin);
        schema.set("openAPIV3Schema", any);
        version.set("schema", schema);
        return Ok(true);
    }
    let Some(root) = at_mut(version, &path) else { return Ok(false) };
    check_types(root)?;
    if preserves {
        preserve_unknown(root, origin);
    }
    Ok(preserves)
}

/// Checks that the schema is structural as far as old ones often are not.
fn check_types(schema: &Node) -> Result<(), Refused> {
    let has = |key: &str| schema.get(key).is_some();
    let is_any = has(PRESERVE) || has("x-kubernetes-int-or-string");
    if !has("type")
        && !is_any
        && ["properties", "items", "additionalProperties"].into_iter().any(has)
    {
        return Err(Refused::new(
            schema.span().start_point(),
            "the schema is not structural: `v1` requires `type` at each level",
            "add the `type`, such as `type: object`, and migrate again",
        ));
    }
    schema.entries_at(&["properties"]).iter().try_for_each(|entry| check_types(&entry.value))?;
    ["items", "additionalProperties"]
        .iter()
        .filter_map(|key| schema.get(key))
        .try_for_each(check_types)
}

/// Keeps the unknown fields of each object of a schema.
fn preserve_unknown(schema: &mut Node, origin: Origin) {
    let is_object = schema.str_at(&["type"]) == Some("object");
    if is_object && schema.get("additionalProperties").is_none() && schema.get(PRESERVE).is_none() {
        let at =
            schema.as_map().and_then(|it| it.position("type")).map_or(0, |position| position + 1);
        if let Some(map) = schema.as_map_mut() {
            insert(map, at, PRESERVE, Node::bool(true, origin));
        }
    }
    if let Some(map) = schema.get_mut("properties").and_then(Node::as_map_mut) {
        map.fields_mut().for_each(|field| preserve_unknown(field.value, origin));
    }
    for key in ["items", "additionalProperties"] {
        if let Some(below) = schema.get_mut(key) {
            preserve_unknown(below, origin);
        }
    }
}

/// The webhook that converts versions has its own map.
fn nest_webhook(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_map(edits.root, &["spec", "conversion"])?;
    let origin = edits.origin;
    let path = ["spec", "conversion"];
    if edits.root.at(&path).and_then(|it| it.str_at(&["strategy"])) != Some("Webhook") {
        return Ok(());
    }
    edits.keep_default(
        &["spec", "conversion", "conversionReviewVersions"],
        Value::List(std::iter::once(Node::string("v1beta1", origin)).collect()),
    );
    if let Some(map) = at_mut(edits.root, &path).and_then(Node::as_map_mut) {
        let keys = [
            ("webhookClientConfig", "clientConfig"),
            ("conversionReviewVersions", "conversionReviewVersions"),
        ];
        nest(map, &keys, "webhook", origin);
    }
    Ok(())
}
