//! PodSpecs: `GetWarningsForPod` and `GetWarningsForPodTemplate` of Kubernetes' `pkg/api/pod`.

use super::super::repeated::repeated;
use super::{
    FIELD_WITHOUT_EFFECT, LABEL_SELECTOR_MISSING, LIST_ITEM_REPEATED, NUMBER_NEGATIVE, addresses,
    annotations, bytes, containers, filled_text, items, node_labels, volumes,
};
use crate::diag::{Diagnostic, message};
use crate::kube::PodSpec;
use crate::tree::Node;
use crate::validate::rules::judge::Judge;

/// The resources that are counted in bytes.
pub(super) const BYTES: [&str; 2] = ["memory", "ephemeral-storage"];

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    let spec = pod.spec;
    annotations::check_pod(judge, pod);
    node_labels::check_pod(judge, spec);
    check_selectors(judge, spec);
    volumes::check(judge, spec);
    if !is_custom(pod) {
        check_repeated(judge, spec, "hostAliases", "ip");
        check_repeated(judge, spec, "imagePullSecrets", "name");
    }
    check_unnamed(judge, spec);
    bytes::check_amounts(judge, spec.get("overhead"), &BYTES);
    containers::check(judge, pod);
    // For a Pod itself the server sets it to 1 before validation.
    if !judge.object.gvk.is("", "Pod") {
        check_grace(judge, spec);
    }
    addresses::check_pod(judge, spec);
}

/// Whether the Pod is in a custom resource, whose lists are keyed, so that a duplicate item is an
/// error.
pub(super) fn is_custom(pod: &PodSpec<'_>) -> bool {
    pod.is_in_custom_resource()
}

/// Checks for terms without a selector, which match no Pod although authors expect all.
fn check_selectors(judge: &mut Judge<'_>, spec: &Node) {
    for constraint in items(spec, "topologySpreadConstraints") {
        check_selector(judge, constraint);
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        let Some(affinity) = spec.at(&["affinity", kind]) else { continue };
        let required = "requiredDuringSchedulingIgnoredDuringExecution";
        for term in items(affinity, required) {
            check_selector(judge, term);
        }
        let preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        for weighted in items(affinity, preferred) {
            if let Some(term) = weighted.get("podAffinityTerm") {
                check_selector(judge, term);
            }
        }
    }
}

fn check_selector(judge: &mut Judge<'_>, term: &Node) {
    if term.as_map().is_none() || term.get("labelSelector").is_some_and(|it| !it.is_null()) {
        return;
    }
    let text = (
        "affinity term without `labelSelector` matches no Pod",
        "matches no Pod",
        "add `labelSelector` with the labels of the Pods, or `labelSelector: {}` for all",
    );
    judge.fault(&LABEL_SELECTOR_MISSING, (term, "labelSelector"), text);
}

fn check_repeated(judge: &mut Judge<'_>, spec: &Node, list: &str, key: &str) {
    let all = items(spec, list).iter();
    let keyed = all.filter_map(|item| Some((filled_text(item, key)?, item.get(key)?)));
    repeated(keyed, |value, node, first| {
        let message = message!("duplicate item `{value}` in `{list}`");
        let finding = Diagnostic::new(&LIST_ITEM_REPEATED, node.span(), message)
            .at("may be dropped")
            .label(first.span(), "the first")
            .note("`kubectl apply --server-side` rejects the object")
            .help("keep one of them: `kubectl apply` merges the list by this field");
        judge.report(finding, node);
    });
}

fn check_unnamed(judge: &mut Judge<'_>, spec: &Node) {
    for secret in items(spec, "imagePullSecrets") {
        if secret.as_map().is_some() && filled_text(secret, "name").is_none() {
            let text = (
                "item of `imagePullSecrets` has no name",
                "has no name",
                "write the name of the Secret, or remove the item",
            );
            judge.fault(&FIELD_WITHOUT_EFFECT, (secret, "name"), text);
        }
    }
}

fn check_grace(judge: &mut Judge<'_>, spec: &Node) {
    let Some(node) = spec.get("terminationGracePeriodSeconds") else { return };
    if node.as_i64().is_some_and(|seconds| seconds < 0) {
        let text = (
            "negative `terminationGracePeriodSeconds` is treated as 1",
            "treated as 1",
            "write 0 or more",
        );
        judge.fault(&NUMBER_NEGATIVE, node, text);
    }
}
