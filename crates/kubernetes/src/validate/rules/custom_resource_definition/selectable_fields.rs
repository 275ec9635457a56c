//! The selectable fields of a version.

use std::borrow::Cow;

use super::{CRD_SELECTABLE_FIELD_INVALID, schema_of};
use crate::crd::{Brackets, resolve_path};
use crate::diag::{Diagnostic, Message, message};
use crate::sorted::SortedMap;
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, items, shown};

const FIELD: &str = "selectableFields";

/// The maximum number of fields (`MaxSelectableFields`).
const MOST: usize = 8;

/// The selectable types.
const TYPES: &[&str] = &["string", "boolean", "integer"];

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    let versions = items(spec, "versions");
    let is_split = is_same(versions, |it| it.get("schema"))
        != is_same(versions, |version| {
            version.get(FIELD).filter(|fields| !fields.items().is_empty())
        });
    for version in versions {
        let Some(list) = version.entry(FIELD).filter(|entry| !entry.value.items().is_empty())
        else {
            continue;
        };
        if is_split {
            let finding = Diagnostic::new(
                &CRD_SELECTABLE_FIELD_INVALID,
                list.key_origin().span(),
                "versions share either their schema or their selectable fields, but not both",
            )
            .at("same as in the other versions")
            .note(
                "the API server requires the schema and the selectable fields to be either both shared or both per version",
            )
            .help("make both differ between versions, or neither");
            judge.report(finding, (version, FIELD));
        } else if let Some(schema) = schema_of(version) {
            check_fields(judge, schema, list.value.items());
        }
    }
}

/// Whether all versions have the same value.
fn is_same<'n>(versions: &'n [Node], part: impl Fn(&'n Node) -> Option<&'n Node>) -> bool {
    let mut parts = versions.iter().map(part);
    let Some(first) = parts.next() else { return true };
    parts.all(|other| match (first, other) {
        (Some(first), Some(other)) => first.same_value(other),
        (first, other) => first.is_none() && other.is_none(),
    })
}

fn check_fields(judge: &mut Judge<'_>, schema: &Node, fields: &[Node]) {
    let mut seen: SortedMap<Vec<Cow<'_, str>>, &Node> = SortedMap::new();
    for field in fields {
        let Some((node, text)) = judge.needed_node(field, "jsonPath", Absence::BySchema) else {
            continue;
        };
        let mut refuse = |message: Message, help: &'static str| {
            let at = node.span();
            judge.refuse(&CRD_SELECTABLE_FIELD_INVALID, (at, (field, "jsonPath")), (message, help));
        };
        let shown = shown(text);
        let (names, target) = match resolve_path(schema, text, Brackets::Refused) {
            Ok(found) => found,
            Err(fault) => {
                let message = message!("path `{shown}` {fault}");
                refuse(message, "write field names with a leading `.`: `.spec.size`");
                continue;
            }
        };
        if names.first().is_some_and(|name| name == "metadata") {
            let message = message!("`{shown}` is metadata, which is always selectable");
            refuse(message, "remove it: the name and the namespace are always selectable");
        } else if !target.str_at(&["type"]).is_some_and(|kind| TYPES.contains(&kind)) {
            let message = message!("`{shown}` has a type that is not selectable");
            refuse(message, "use a field of type string, integer or boolean");
        }
        if let Some(first) = seen.get(&names) {
            let message = message!("duplicate selectable field `{shown}`");
            let finding = Diagnostic::new(&CRD_SELECTABLE_FIELD_INVALID, node.span(), message)
                .at("repeated")
                .label(first.span(), "first listed here")
                .help("remove one of them");
            judge.report(finding, (field, "jsonPath"));
        } else if seen.len() == MOST {
            refuse(
                message!("more than {MOST} selectable fields"),
                "remove unused selectable fields",
            );
            return;
        } else {
            seen.insert(names, node);
        }
    }
}
