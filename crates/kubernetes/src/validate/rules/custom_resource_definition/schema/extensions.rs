//! `x-kubernetes-map-type`, `-list-type` and `-list-map-keys`, and the types that they apply to; the
//! reasons of `x-kubernetes-validations`.

use super::reading::type_of;
use crate::diag::message;
use crate::tree::Node;
use crate::validate::rules::custom_resource_definition::CRD_KEYWORD_MISPLACED;
use crate::validate::rules::judge::{Absence, Judge, items};

const MAP_TYPE: &str = "x-kubernetes-map-type";
const LIST_TYPE: &str = "x-kubernetes-list-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

pub(super) fn check(judge: &mut Judge<'_>, schema: &Node) {
    judge.listed(schema, MAP_TYPE, &["granular", "atomic"]);
    judge.listed(schema, LIST_TYPE, &["atomic", "set", "map"]);
    for (keyword, wanted, article) in [(MAP_TYPE, "object", "an"), (LIST_TYPE, "array", "an")] {
        let Some(entry) = schema.entry(keyword) else { continue };
        let Some(is) = type_of(schema).filter(|name| *name != wanted) else { continue };
        let is =
            if is.is_empty() { "a schema without a type".to_owned() } else { format!("`{is}`") };
        let message = message!("`{keyword}` is set on {is}");
        let help =
            message!("write `type: {wanted}`, or remove it: it applies only to {article} {wanted}");
        judge.refuse(&CRD_KEYWORD_MISPLACED, entry, (message, help));
    }
    for rule in items(schema, "x-kubernetes-validations") {
        judge.needed(rule, "reason", Absence::BySchema);
    }
    let list_type = schema.str_at(&[LIST_TYPE]);
    if let Some(entry) = schema.entry(KEYS).filter(|_| !items(schema, KEYS).is_empty())
        && list_type != Some("map")
    {
        let message = message!("`{KEYS}` is set on a list whose type is not `map`");
        let help = message!("write `{LIST_TYPE}: map`, or remove it");
        judge.refuse(&CRD_KEYWORD_MISPLACED, entry, (message, help));
    }
}
