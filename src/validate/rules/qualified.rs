//! Names with an optional domain, outside of labels (`ValidateQualifiedName`).

mod pages;

use super::judging::Judging;
use crate::scalar::check_qualified_name;
use crate::tree::{Node, Path};
use pages::QUALIFIED_NAME_INVALID;
pub(in crate::validate) use pages::RULES;

/// Reports a text that is no name with an optional domain; `what` says what it names.
pub(super) fn check_name(judge: &mut impl Judging, node: &Node, what: &str, path: &Path<'_>) {
    let help = |_: &str| "write it like `name` or `example.com/name`".to_owned();
    judge.form(node, (&QUALIFIED_NAME_INVALID, what), check_qualified_name, help, path);
}
