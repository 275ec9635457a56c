//! `Pod`: follows `ValidatePodUpdate` in Kubernetes' `pkg/apis/core/validation/validation.go`.

use super::changes::{Change, same};
use super::judge::{Remedy, Update};
use crate::diag::{Message, message};
use crate::tree::{Entry, Map, Node, items};
use crate::validate::fields::text_at;
use crate::validate::policies::{TOLERATED, tolerates};

/// The lists of containers.
const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

/// The start of the annotations that name AppArmor profiles of containers.
const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

/// The annotation of Pods that a kubelet reads from files.
const MIRROR: &str = "kubernetes.io/config.mirror";

const AFFINITY: [&str; 2] = ["spec", "affinity"];
const NODE_AFFINITY: [&str; 3] = ["spec", "affinity", "nodeAffinity"];
const TERMS: [&str; 5] = [
    "spec",
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
];

/// Checks a `Pod`.
pub(super) fn check(update: &mut Update<'_>) {
    check_annotations(update);
    let is_gated = !below_spec(update.old, "schedulingGates").is_empty();
    let changes: Vec<_> = update.changes_in(&["spec"]).cloned().collect();
    for change in &changes {
        let Some(field) = change.path().fields().nth(1).map(str::to_owned) else { continue };
        if is_priority(change) || is_image(change) || is_dropped(change, update.minor) {
            continue;
        }
        match field.as_str() {
            "activeDeadlineSeconds" => check_deadline(update, change),
            "tolerations" => check_tolerations(update, change),
            "schedulingGates" => check_gates(update, change),
            "terminationGracePeriodSeconds" if is_forced(change) => {}
            "serviceAccount" | "serviceAccountName" if is_same_account(update) => {}
            "nodeSelector" if is_gated => node_selector(update, change),
            "affinity" if is_gated && is_of_nodes(change) => node_affinity(update, change),
            _ => {
                update.changed(change, &change.path().to_string(), Remedy::Recreate);
                // The API server reports one error for all other fields.
                return;
            }
        }
    }
}

fn below_spec<'n>(root: &'n Node, field: &str) -> &'n [Node] {
    root.items_at(&["spec", field])
}

/// Whether a field is removed that admission of priorities then sets again.
fn is_priority(change: &Change<'_>) -> bool {
    let fields = ["priority", "preemptionPolicy"];
    change.new.is_none() && fields.iter().any(|field| change.is_at(&["spec", field]))
}

/// Whether a minor version drops the field, because its feature gate is off.
fn is_dropped(change: &Change<'_>, minor: u8) -> bool {
    let is_in_container = |list: &str, field: &str| change.is_in(&["spec", list, "*", field]);
    let is_sidecar = |policy: Option<&Node>| policy.and_then(Node::as_str) == Some("Always");
    let is_of_restarts = CONTAINERS.iter().any(|list| is_in_container(list, "restartPolicyRules"))
        || is_in_container("containers", "restartPolicy")
        || is_in_container("initContainers", "restartPolicy")
            && ![change.old, change.new].into_iter().any(is_sidecar);
    minor < 35 && (is_of_restarts || change.is_at(&["spec", "hostnameOverride"]))
        || minor < 34 && change.is_in(&["spec", "resources"])
        // The server keeps the resources of the Pod if a request has none
        // (`PodLevelResourcesFixDefaulting`).
        || minor >= 37 && change.is_at(&["spec", "resources"]) && change.new.is_none()
}

fn is_image(change: &Change<'_>) -> bool {
    CONTAINERS.iter().any(|list| change.is_at(&["spec", list, "*", "image"]))
}

/// Whether a negative period, which forces the deletion, is set to a second.
fn is_forced(change: &Change<'_>) -> bool {
    let seconds = |node: Option<&Node>| node.and_then(Node::as_i64);
    seconds(change.old).is_some_and(|seconds| seconds < 0) && seconds(change.new) == Some(1)
}

/// Whether the account stays. The API server sets both fields to the account, `default` if there is
/// none; only the one in the manifest is removed with it, and `serviceAccountName` counts.
fn is_same_account(update: &Update<'_>) -> bool {
    let of = |root: &'_ Node, field| {
        root.str_at(&["spec", field]).filter(|it| !it.is_empty()).map(str::to_owned)
    };
    let (name, alias) = ("serviceAccountName", "serviceAccount");
    let (old, new) = (&update.written_old.root, &update.object.root);
    let stored = of(old, name).or_else(|| of(old, alias)).unwrap_or_else(|| "default".to_owned());
    let is_named = of(old, name).is_some();
    let new = of(new, name).or_else(|| of(new, alias).filter(|_| is_named));
    new.is_none_or(|account| account == stored)
}

/// A deadline can be set, and can then only become shorter.
fn check_deadline(update: &mut Update<'_>, change: &Change<'_>) {
    let title = update.object.title();
    match (change.old.and_then(Node::as_i64), change.new.and_then(Node::as_i64)) {
        (Some(old), Some(new)) if new > old => {
            let message = message!("`activeDeadlineSeconds` of {title} becomes longer");
            update.refuse(change, message, message!("set it to at most {old}"));
        }
        (Some(old), None) => {
            let message = message!("`activeDeadlineSeconds` of {title} is removed");
            update.refuse(change, message, message!("set it to at most {old}"));
        }
        _ => {}
    }
}

/// Tolerations can be added, and their seconds can change.
fn check_tolerations(update: &mut Update<'_>, change: &Change<'_>) {
    let without_seconds = |toleration: &Node| {
        let mut toleration = toleration.clone();
        toleration.as_map_mut().and_then(|map| map.remove("tolerationSeconds"));
        toleration
    };
    let news: Vec<_> = below_spec(update.new, "tolerations").iter().map(without_seconds).collect();
    let is_added = |toleration: &Node| {
        update.is_from_cluster() && TOLERATED.contains(&text_at(toleration, &["key"]))
    };
    let mut olds =
        below_spec(update.old, "tolerations").iter().filter(|toleration| !is_added(toleration));
    let is_kept = |old: &Node| {
        let old = without_seconds(old);
        news.iter().any(|new| new.same_value(&old))
    };
    if let Some(key) = TOLERATED.into_iter().find(|key| loses_added(update, key)) {
        let title = update.object.title();
        let message = message!("the toleration of `{key}` is removed from {title}");
        let help = "add the tolerations of the stored Pod as well, or delete the Pod, then apply";
        return refuse_once(update, change, message, help);
    }
    if !olds.all(is_kept) {
        let title = update.object.title();
        let message = message!("a toleration of {title} is changed or removed");
        let help = "keep the tolerations; others can be added, and `tolerationSeconds` can change";
        refuse_once(update, change, message, help);
    }
}

/// Whether a toleration that admission has added to the stored Pod is not added to the new one, because
/// that tolerates the taint otherwise (`DefaultTolerationSeconds`).
fn loses_added(update: &Update<'_>, key: &str) -> bool {
    let is_own = |toleration: &Node| {
        toleration.str_at(&["key"]) == Some(key)
            && toleration.str_at(&["operator"]) == Some("Exists")
            && toleration.str_at(&["effect"]) == Some("NoExecute")
    };
    let tolerates = |root: &Node| root.get("spec").is_some_and(|spec| tolerates(spec, key));
    let has_own = |root: &Node| below_spec(root, "tolerations").iter().any(is_own);
    let is_stored =
        if update.is_from_cluster() { has_own(update.old) } else { !tolerates(update.old) };
    is_stored && tolerates(update.new) && !has_own(update.new)
}

/// Gates can only be removed.
fn check_gates(update: &mut Update<'_>, change: &Change<'_>) {
    let known: Vec<_> = names_of(below_spec(update.old, "schedulingGates")).collect();
    let added =
        names_of(below_spec(update.new, "schedulingGates")).find(|name| !known.contains(name));
    if let Some(name) = added {
        let title = update.object.title();
        let message = message!("{title} gets the scheduling gate `{name}`");
        let help = "create the Pod with the gate; gates of an existing Pod can only be removed";
        refuse_once(update, change, message, help);
    }
}

fn names_of(list: &[Node]) -> impl Iterator<Item = &str> {
    list.iter().filter_map(|it| it.str_at(&["name"]))
}

/// A gated Pod can get more labels in its node selector.
fn node_selector(update: &mut Update<'_>, change: &Change<'_>) {
    let path = ["spec", "nodeSelector"];
    let new = update.new.at(&path);
    let olds = update.old.entries_at(&path);
    let is_kept = |entry: &Entry| same(Some(&entry.value), new.and_then(|new| new.get(&entry.key)));
    if !olds.iter().all(is_kept) {
        let title = update.object.title();
        let message = message!("a label of `nodeSelector` of {title} is changed or removed");
        let help = "keep the labels; a gated Pod can only get more of them";
        refuse_once(update, change, message, help);
    }
}

/// Whether the change is one of the affinity to nodes alone.
fn is_of_nodes(change: &Change<'_>) -> bool {
    let has_only_nodes = |affinity: &Node| {
        affinity.get("nodeAffinity").is_some()
            && affinity.entries().iter().all(|entry| entry.key == "nodeAffinity")
    };
    change.is_in(&NODE_AFFINITY)
        || change.is_at(&AFFINITY) && change.old.or(change.new).is_some_and(has_only_nodes)
}

/// The required terms of a gated Pod can get more requirements.
fn node_affinity(update: &mut Update<'_>, change: &Change<'_>) {
    let (olds, news) = (update.old.items_at(&TERMS), update.new.items_at(&TERMS));
    let is_narrower = olds.is_empty()
        || olds.len() == news.len()
            && olds.iter().zip(news).all(|(old, new)| has_only_additions(old, new));
    if !is_narrower {
        let title = update.object.title();
        let message = message!("the required node affinity of {title} is not only narrowed");
        let help = "keep the terms; a gated Pod can only get more requirements in each term";
        refuse_once(update, change, message, help);
    }
}

fn has_only_additions(old: &Node, new: &Node) -> bool {
    const LISTS: [&str; 2] = ["matchExpressions", "matchFields"];
    let is_empty = |term: &Node| LISTS.iter().all(|list| items(term, list).is_empty());
    if is_empty(old) {
        return is_empty(new);
    }
    LISTS.iter().all(|list| {
        let (old, new) = (items(old, list), items(new, list));
        new.len() >= old.len() && old.iter().zip(new).all(|(old, new)| old.same_value(new))
    })
}

/// Annotations that only the API server and kubelets set.
fn check_annotations(update: &mut Update<'_>) {
    let path = ["metadata", "annotations"];
    let (old, new) = (Map::of(update.old.at(&path)), Map::of(update.new.at(&path)));
    for key in old.entries().iter().chain(new.entries()).map(|it| &it.key) {
        let is_fixed = key.starts_with(APP_ARMOR) || *key == MIRROR;
        if !is_fixed || same(old.get(key), new.get(key)) {
            continue;
        }
        if let Some(change) = update.first_change(&path) {
            let title = update.object.title();
            let message = message!("the annotation `{key}` of {title} cannot be changed");
            update.refuse(&change, message, "delete the Pod, then apply");
            return;
        }
    }
}

/// Reports a change of a field, unless another change of the field was reported.
fn refuse_once(update: &mut Update<'_>, change: &Change<'_>, message: Message, help: &'static str) {
    let field: Vec<_> = change.path().fields().take(2).map(str::to_owned).collect();
    if !update.has_refused(&field.join(".")) {
        update.refuse(change, message, help);
    }
}
