//! The columns that `kubectl get` prints.

use super::{CRD_COLUMN_INVALID, starts_with_dot};
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Absence, Judging, items, shown};
use crate::validate::rules::of_object::ObjectJudge;

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "date"];

const FORMATS: &[&str] =
    &["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, version: &Node, path: &Path<'_>) {
    let list = path.field("additionalPrinterColumns");
    for (index, column) in items(version, "additionalPrinterColumns").iter().enumerate() {
        let path = list.index(index);
        judge.needed(column, "name", Absence::BySchema, &path);
        judge.listed(column, "type", TYPES, &path);
        if column.str_at(&["format"]) != Some("") {
            judge.listed(column, "format", FORMATS, &path);
        }
        let json_path = judge.needed(column, "jsonPath", Absence::BySchema, &path);
        if let (Some(text), Some(node)) = (json_path, column.get("jsonPath"))
            && !starts_with_dot(text)
        {
            let message = format!("column path `{}` does not start with `.`", shown(text));
            let help = format!("write `.{text}`");
            let path = path.field("jsonPath");
            judge.refuse(&CRD_COLUMN_INVALID, node.span(), (message, help), &path);
        }
    }
}
