//! The columns that `kubectl get` prints.

use super::{CRD_COLUMN_INVALID, starts_with_dot};
use crate::diag::message;
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, items, shown};

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "date"];

const FORMATS: &[&str] =
    &["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

pub(super) fn check(judge: &mut Judge<'_>, version: &Node) {
    for column in items(version, "additionalPrinterColumns") {
        judge.needed(column, "name", Absence::BySchema);
        judge.listed(column, "type", TYPES);
        if column.str_at(&["format"]) != Some("") {
            judge.listed(column, "format", FORMATS);
        }
        if let Some((node, text)) = judge.needed_node(column, "jsonPath", Absence::BySchema)
            && !starts_with_dot(text)
        {
            let message = message!("column path `{}` does not start with `.`", shown(text));
            let help = message!("write `.{text}`");
            judge.refuse(&CRD_COLUMN_INVALID, (node.span(), (column, "jsonPath")), (message, help));
        }
    }
}
