//! The rules of merging, and their messages.

use crate::diag::{Diagnostic, declare_rules};
use crate::tree::{Entry, Node, Origin, Path};

declare_rules! {
    /// ## What it does
    /// Refuses a layer that sets a field which belongs to another part of the definition: the volume
    /// of a volume claim, a managed container, a selector label.
    ///
    /// ## Why
    /// The other part relies on that field. agent-sandbox puts a volume claim in the place of any
    /// volume of its name, and says nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   volumeClaims:
    ///     - {name: work, size: 10Gi, mountPath: /work}
    ///   volumes:
    ///     - {name: work, emptyDir: {}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   volumeClaims:
    ///     - {name: work, size: 10Gi, mountPath: /work}
    ///   volumes:
    ///     - {name: scratch, emptyDir: {}}
    /// ```
    GUARDED_FIELD = "guarded-field", Error;

    /// ## What it does
    /// Refuses an item of a keyed list that lacks the field by which items are told apart.
    ///
    /// ## Why
    /// Containers, volumes and variables of two layers meet by `name`, mounts by `mountPath`, ports by
    /// `containerPort` and `protocol`. Without the key nobody can say which item is meant.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   podOverrides:
    ///     containers:
    ///       - {image: "envoy:1"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   podOverrides:
    ///     containers:
    ///       - {name: proxy, image: "envoy:1"}
    /// ```
    LIST_ITEM_WITHOUT_KEY = "list-item-without-key", Error;

    /// ## What it does
    /// Refuses `null` over a value that a lower layer set.
    ///
    /// ## Why
    /// In a patch for `kubectl`, `null` deletes. Here it would silently take away what the kind needs,
    /// such as the node affinity of a pool, so a `null` deletes nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   resources: {limits: {memory: 1Gi}}
    ///   podOverrides:
    ///     containers:
    ///       - {name: main, resources: null}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    /// ```
    NULL_OVER_VALUE = "null-over-value", Error;

    /// ## What it does
    /// Refuses a map over a list, a list over a map, or a single value over either.
    ///
    /// ## Why
    /// Taken literally, `imagePullSecrets: {}` over a list would throw the list away, and the image
    /// pull would fail much later, in the cluster.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   tolerations: [{key: pool, operator: Exists}]
    ///   podOverrides:
    ///     tolerations: {key: gpu, operator: Exists}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   tolerations: [{key: pool, operator: Exists}]
    ///   podOverrides:
    ///     tolerations: [{key: gpu, operator: Exists}]
    /// ```
    OVERRIDE_TYPE_MISMATCH = "override-type-mismatch", Error;

    /// ## What it does
    /// Reports a `null`, an empty list or an empty map in a layer: it removes nothing.
    ///
    /// ## Why
    /// It looks as if it cleared the field. Layers only add and replace, so what a lower layer set
    /// stays.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   schedulerName: gang
    ///   podOverrides:
    ///     schedulerName: null
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   schedulerName: gang
    /// ```
    OVERRIDE_WITHOUT_EFFECT = "override-without-effect", Warning;

    /// ## What it does
    /// Reports a list item of a layer that is in the list already, word for word. It is kept once.
    ///
    /// ## Why
    /// Server-side apply refuses a keyed list that names an item twice, and an item that changes
    /// nothing is often a sign that another one was meant.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   tolerations: [{key: pool, operator: Exists}]
    ///   podOverrides:
    ///     tolerations: [{key: pool, operator: Exists}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   tolerations: [{key: pool, operator: Exists}]
    /// ```
    REPEATED_LIST_ITEM = "repeated-list-item", Warning;

    /// ## What it does
    /// Reports `serviceAccount`, the old name of `serviceAccountName`.
    ///
    /// ## Why
    /// The API server looks at `serviceAccount` only while `serviceAccountName` is empty. Beside a
    /// value of a lower layer it would be ignored without a word; it is therefore read as
    /// `serviceAccountName`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   podOverrides: {serviceAccount: default}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: sandboxc.dev/v1alpha1
    /// kind: Template
    /// metadata: {name: python}
    /// spec:
    ///   image: python:3.13-slim
    ///   podOverrides: {serviceAccountName: default}
    /// ```
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
