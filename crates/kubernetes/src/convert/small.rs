//! Kinds of which a field or two change.

use super::edits::{Edits, Refused, check_list, check_map, items_mut, set_default};
use crate::diag::message;
use crate::tree::{Map, Node};

/// The label that Kubernetes uses to express the selectors of `policy/v1beta1` in `policy/v1`.
const EMPTY_SELECTOR: &str = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

/// `{}` selects no Pods in `v1beta1`, and all Pods in `v1`.
pub(super) fn disruption_budget(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_map(edits.root, &["spec", "selector"])?;
    let origin = edits.origin;
    let Some(selector) = edits.root.at(&["spec", "selector"]) else { return Ok(()) };
    let is_empty = |key: &str| {
        selector.get(key).is_none_or(|value| value.items().is_empty() && value.entries().is_empty())
    };
    let new = if is_empty("matchLabels") && is_empty("matchExpressions") {
        edits.kept.push(("spec.selector".to_owned(), "no Pods".to_owned()));
        let mut none = Node::map(origin);
        let mut term = Node::map(origin);
        term.set("key", Node::string(EMPTY_SELECTOR, origin));
        term.set("operator", Node::string("Exists", origin));
        none.set("matchExpressions", Node::list([term], origin));
        none
    } else if is_empty("matchLabels") && selects_all(selector) {
        Node::map(origin)
    } else {
        return Ok(());
    };
    if let Some(spec) = edits.root.get_mut("spec")
        && let Some(old) = spec.get_mut("selector")
    {
        *old = new;
    }
    Ok(())
}

fn selects_all(selector: &Node) -> bool {
    let [term] = selector.items_at(&["matchExpressions"]) else {
        return false;
    };
    term.str_at(&["key"]) == Some(EMPTY_SELECTOR)
        && term.str_at(&["operator"]) == Some("DoesNotExist")
}

/// `assuredConcurrencyShares`, where 0 means the default, is `nominalConcurrencyShares`.
pub(super) fn assured_shares(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_map(edits.root, &["spec", "limited"])?;
    let path = ["spec", "limited", "assuredConcurrencyShares"];
    if edits.root.at(&path).and_then(Node::as_i64) == Some(0) {
        edits.remove(&path);
    }
    edits.rename(&["spec", "limited"], "assuredConcurrencyShares", "nominalConcurrencyShares");
    Ok(())
}

/// The annotation with which `v1beta3` keeps a zero.
const KEEPS_ZERO: &str = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

/// Zero `nominalConcurrencyShares` mean the default in `v1beta3`, unless an annotation keeps them.
pub(super) fn nominal_shares(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_map(edits.root, &["spec", "limited"])?;
    let path = ["spec", "limited", "nominalConcurrencyShares"];
    let keeps_zero = edits.remove(&["metadata", "annotations", KEEPS_ZERO]).is_some();
    if edits
        .root
        .at(&["metadata", "annotations"])
        .is_some_and(|annotations| annotations.entries().is_empty())
    {
        edits.remove(&["metadata", "annotations"]);
    }
    if !keeps_zero && edits.root.at(&path).and_then(Node::as_i64) == Some(0) {
        edits.remove(&path);
    }
    Ok(())
}

const ZONE: &str = "topology.kubernetes.io/zone";
const HOSTNAME: &str = "kubernetes.io/hostname";

/// `topology` becomes `zone` and `nodeName`. What else it has is `deprecatedTopology`, which the API
/// server ignores.
pub(super) fn endpoint_slice(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_list(edits.root, &["endpoints"])?;
    for endpoint in items_mut(edits.root, &["endpoints"]) {
        check_map(endpoint, &["topology"])?;
        if let Some(map) = endpoint.as_map_mut() {
            move_topology(map);
        }
    }
    Ok(())
}

fn move_topology(endpoint: &mut Map) {
    let Some(at) = endpoint.position("topology") else { return };
    let Some(mut old) = endpoint.remove("topology") else { return };
    let Some(map) = old.value.as_map_mut() else { return };
    let mut moved = Vec::new();
    if let Some(zone) = map.remove(ZONE) {
        moved.push(zone.renamed("zone"));
    }
    let node = endpoint.get("nodeName").and_then(Node::as_str);
    let hostname = map.get(HOSTNAME).and_then(Node::as_str);
    if hostname.is_some() && (node.is_none() || node == hostname) {
        let hostname = map.remove(HOSTNAME).filter(|_| node.is_none());
        moved.extend(hostname.map(|it| it.renamed("nodeName")));
    }
    if !map.is_empty() {
        moved.push(old.renamed("deprecatedTopology"));
    }
    endpoint.edit(|entries| {
        for (index, entry) in moved.into_iter().enumerate() {
            entries.insert(at + index, entry);
        }
    });
}

#[expect(clippy::unnecessary_wraps, reason = "the type of a change")]
pub(super) fn access_review(edits: &mut Edits<'_>) -> Result<(), Refused> {
    edits.rename(&["spec"], "group", "groups");
    Ok(())
}

/// `v1` requires a signer, and its usages have no default.
pub(super) fn signing_request(edits: &mut Edits<'_>) -> Result<(), Refused> {
    let legacy = "kubernetes.io/legacy-unknown";
    let signer = edits.root.at(&["spec", "signerName"]);
    if signer.and_then(Node::as_str).is_none_or(|name| name == legacy) {
        let span = signer.map_or_else(|| edits.root.span().start_point(), Node::span);
        let message = message!("`v1` requires a `signerName` other than `{legacy}`");
        let help = "set `spec.signerName` to the signer of the certificate, and migrate again";
        return Err(Refused::new(span, message, help));
    }
    let origin = edits.origin;
    let text = |text| Node::string(text, origin);
    let usages = Node::list([text("digital signature"), text("key encipherment")], origin);
    let path = ["spec", "usages"];
    if edits.root.at(&path).is_some_and(|usages| usages.items().is_empty()) {
        edits.remove(&path);
    }
    if set_default(edits.root, &path, usages, origin) {
        let shown = "[\"digital signature\",\"key encipherment\"]".to_owned();
        edits.kept.push(("spec.usages".to_owned(), shown));
    }
    Ok(())
}

/// The fields of `spec` are fields of the object, and `runtimeHandler` is `handler`.
pub(super) fn runtime_class(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_map(edits.root, &["spec"])?;
    let Some(map) = edits.root.as_map_mut() else { return Ok(()) };
    let Some(at) = map.position("spec") else { return Ok(()) };
    let Some(spec) = map.remove("spec") else { return Ok(()) };
    let fields =
        spec.value.into_entries().into_iter().map(|field| {
            if field.key == "runtimeHandler" { field.renamed("handler") } else { field }
        });
    map.edit(|entries| {
        entries.splice(at..at, fields);
    });
    Ok(())
}
