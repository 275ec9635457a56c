//! The rules of merging, and their messages.

use crate::diag::{Diagnostic, declare_rules};
use crate::tree::{Entry, Node, Origin, Path};

declare_rules! {
    GUARDED_FIELD = "guarded-field", Error;
    LIST_ITEM_WITHOUT_KEY = "list-item-without-key", Error;
    NULL_OVER_VALUE = "null-over-value", Error, follows = [Misplaced];
    OVERRIDE_TYPE_MISMATCH = "override-type-mismatch", Error;
    OVERRIDE_WITHOUT_EFFECT = "override-without-effect", Warning, follows = [Structure];
    REPEATED_LIST_ITEM = "repeated-list-item", Warning;
    SERVICE_ACCOUNT_ALIAS = "service-account-alias", Warning;
}

/// "set here", or the built-in layer that set it for the definition at this place.
pub(super) fn set_by(origin: Origin) -> String {
    origin.layer().map_or_else(
        || "set here".to_owned(),
        |layer| format!("{} sets it for this definition", layer.describe()),
    )
}

pub(super) fn type_mismatch(base: &Node, over: &Node, path: &Path<'_>) -> Diagnostic {
    let (new, old) = (over.describe(), base.describe());
    let write = match over.as_map() {
        Some(map) if map.entries.is_empty() => format!("leave `{path}` out, or write {old}"),
        _ => format!("write {old}"),
    };
    Diagnostic::new(
        &OVERRIDE_TYPE_MISMATCH,
        over.span(),
        format!("{new} cannot be merged over {old} at `{path}`"),
    )
    .at(format!("{new} here"))
    .label(base.span(), format!("{old}: {}", set_by(base.origin())))
    .path(path)
    .help(write)
}

pub(super) fn null_over_value(entry: &Entry, below: &Node, path: &Path<'_>) -> Diagnostic {
    let key = &entry.key;
    Diagnostic::new(
        &NULL_OVER_VALUE,
        entry.key_origin.span(),
        format!("`{key}: null` cannot delete what a lower layer set at `{path}`"),
    )
    .at("null here")
    .label(below.span(), set_by(below.origin()))
    .path(path)
    .note("a null deletes nothing: layers add and replace")
    .help(format!("leave `{key}` out, or write the value it shall have"))
}

pub(super) fn null_without_effect(
    entry: &Entry,
    below: Option<&Entry>,
    path: &Path<'_>,
) -> Diagnostic {
    let key = &entry.key;
    let finding = Diagnostic::new(
        &OVERRIDE_WITHOUT_EFFECT,
        entry.key_origin.span(),
        format!("`{key}: null` has no effect"),
    )
    .at("null here")
    .path(path)
    .help(format!("leave `{key}` out, or write the value it shall have"));
    match below {
        Some(below) => finding
            .label(below.value.span(), format!("stays: {}", set_by(below.value.origin())))
            .note("a null deletes nothing: layers add and replace"),
        None => finding,
    }
}

pub(super) fn empty_without_effect(base: Origin, over: &Node, path: &Path<'_>) -> Diagnostic {
    let empty = if over.as_map().is_some() { "map" } else { "list" };
    Diagnostic::new(
        &OVERRIDE_WITHOUT_EFFECT,
        over.span(),
        format!("an empty {empty} at `{path}` removes nothing"),
    )
    .at(format!("empty {empty} here"))
    .label(base.span(), format!("stays: {}", set_by(base)))
    .path(path)
    .note("layers add and replace; what a lower layer set stays")
    .help("leave it out")
}

pub(super) fn repeated_item(first: Origin, item: &Node, path: &Path<'_>) -> Diagnostic {
    Diagnostic::new(
        &REPEATED_LIST_ITEM,
        item.span(),
        format!("this item of `{path}` is there already, and is kept once"),
    )
    .at("the same item again")
    .label(first.span(), set_by(first))
    .path(path)
    .help("leave it out")
}

pub(super) fn item_without_key(item: &Node, key: &str, path: &Path<'_>) -> Diagnostic {
    let (message, help) = if item.as_map().is_some() {
        (
            format!("an item of `{path}` has no `{key}`"),
            format!("add `{key}`: items of this list are told apart by it"),
        )
    } else {
        (
            format!("an item of `{path}` must be a map with `{key}`, not {}", item.describe()),
            format!("write `{key}: ...` and the fields of the item below it"),
        )
    };
    Diagnostic::new(&LIST_ITEM_WITHOUT_KEY, item.span(), message)
        .at(format!("no `{key}` here"))
        .path(path)
        .help(help)
}

pub(super) fn service_account_alias(alias: &Entry, named: Option<&Entry>) -> Diagnostic {
    let span = alias.key_origin.span();
    match named {
        Some(named) => Diagnostic::new(
            &SERVICE_ACCOUNT_ALIAS,
            span,
            "`serviceAccount` is ignored beside `serviceAccountName`",
        )
        .at("ignored")
        .label(named.key_origin.span(), "this one counts")
        .help("remove `serviceAccount`"),
        None => Diagnostic::new(
            &SERVICE_ACCOUNT_ALIAS,
            span,
            "`serviceAccount` is the old name of `serviceAccountName`",
        )
        .at("read as `serviceAccountName`")
        .note("the API server ignores the old name where the new one is set")
        .suggest(span, "serviceAccountName", "write `serviceAccountName`"),
    }
}
