//! The rules of merging, and their messages.

use crate::diag::{Diagnostic, Message, declare_rules, message};
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

/// The label "set here", or one that names the built-in layer that set the value.
pub(super) fn set_by(origin: Origin) -> Message {
    origin.layer().map_or_else(
        || "set here".into(),
        |layer| message!("{} sets it for this definition", layer.describe()),
    )
}

pub(super) fn type_mismatch(base: &Node, over: &Node, path: &Path<'_>) -> Diagnostic {
    let (new, old) = (over.describe(), base.describe());
    let write = match over.as_map() {
        Some(map) if map.entries().is_empty() => message!("omit `{path}`, or write {old}"),
        _ => message!("write {old}"),
    };
    Diagnostic::new(
        &OVERRIDE_TYPE_MISMATCH,
        over.span(),
        message!("cannot merge {new} over {old} at `{path}`"),
    )
    .at(new)
    .label(base.span(), message!("{old}: {}", set_by(base.origin())))
    .path(path)
    .help(write)
}

pub(super) fn null_over_value(entry: &Entry, below: &Node, path: &Path<'_>) -> Diagnostic {
    let key = &entry.key;
    Diagnostic::new(
        &NULL_OVER_VALUE,
        entry.key_origin().span(),
        message!("`{key}: null` cannot delete the existing value at `{path}`"),
    )
    .at("null")
    .label(below.span(), set_by(below.origin()))
    .path(path)
    .note("`null` deletes nothing: fields can only be added and replaced")
    .help(message!("omit `{key}`, or write its value"))
}

pub(super) fn null_without_effect(
    entry: &Entry,
    below: Option<&Entry>,
    path: &Path<'_>,
) -> Diagnostic {
    let key = &entry.key;
    let finding = Diagnostic::new(
        &OVERRIDE_WITHOUT_EFFECT,
        entry.key_origin().span(),
        message!("`{key}: null` has no effect"),
    )
    .at("null")
    .path(path)
    .help(message!("omit `{key}`, or write its value"));
    match below {
        Some(below) => finding
            .label(below.value.span(), message!("kept: {}", set_by(below.value.origin())))
            .note("`null` deletes nothing: fields can only be added and replaced"),
        None => finding,
    }
}

pub(super) fn empty_without_effect(base: Origin, over: &Node, path: &Path<'_>) -> Diagnostic {
    let empty = if over.as_map().is_some() { "map" } else { "list" };
    Diagnostic::new(
        &OVERRIDE_WITHOUT_EFFECT,
        over.span(),
        message!("empty {empty} at `{path}` has no effect"),
    )
    .at(message!("empty {empty}"))
    .label(base.span(), message!("kept: {}", set_by(base)))
    .path(path)
    .note("fields can only be added and replaced; the existing value is kept")
    .help("remove it")
}

pub(super) fn repeated_item(first: Origin, item: &Node, path: &Path<'_>) -> Diagnostic {
    Diagnostic::new(&REPEATED_LIST_ITEM, item.span(), message!("duplicate item in `{path}`"))
        .at("identical item")
        .label(first.span(), set_by(first))
        .path(path)
        .help("remove it")
}

pub(super) fn item_without_key(item: &Node, key: &str, path: &Path<'_>) -> Diagnostic {
    let (message, help) = if item.as_map().is_some() {
        (
            message!("missing `{key}` in an item of `{path}`"),
            message!("add `{key}`, which identifies the items of this list"),
        )
    } else {
        (
            message!("an item of `{path}` must be a map with `{key}`, not {}", item.describe()),
            message!("write `{key}: ...` and the other fields of the item below it"),
        )
    };
    Diagnostic::new(&LIST_ITEM_WITHOUT_KEY, item.span(), message)
        .at(message!("no `{key}`"))
        .path(path)
        .help(help)
}

pub(super) fn service_account_alias(alias: &Entry, named: Option<&Entry>) -> Diagnostic {
    let span = alias.key_origin().span();
    match named {
        Some(named) => Diagnostic::new(
            &SERVICE_ACCOUNT_ALIAS,
            span,
            "`serviceAccount` is ignored because `serviceAccountName` is set",
        )
        .at("ignored")
        .label(named.key_origin().span(), "this field is used")
        .help("remove `serviceAccount`"),
        None => Diagnostic::new(
            &SERVICE_ACCOUNT_ALIAS,
            span,
            "`serviceAccount` is the deprecated name of `serviceAccountName`",
        )
        .at("read as `serviceAccountName`")
        .note("the API server ignores the deprecated name if the new one is set")
        .fix(span, "serviceAccountName", "write `serviceAccountName`"),
    }
}
