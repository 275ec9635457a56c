//! Names with an optional domain, outside of labels (`ValidateQualifiedName`).

use super::judge::Judge;
use crate::diag::declare_rules;
use crate::scalar::check_qualified_name;
use crate::tree::Node;

declare_rules! {
    QUALIFIED_NAME_INVALID = "qualified-name-invalid", Error;
}

/// Reports a string that is not a name with an optional domain; `what` names it in the message.
pub(super) fn check_name<'n>(judge: &mut Judge<'_>, node: impl Into<Option<&'n Node>>, what: &str) {
    let help = |_: &str| "write it like `name` or `example.com/name`".into();
    judge.form(node, (&QUALIFIED_NAME_INVALID, what), check_qualified_name, help);
}

/// Like [`check_name`], ignoring case.
pub(super) fn check_caseless_name(judge: &mut Judge<'_>, node: &Node, what: &str) {
    if node.as_str().is_some_and(|text| check_qualified_name(&text.to_lowercase()).is_err()) {
        check_name(judge, node, what);
    }
}
