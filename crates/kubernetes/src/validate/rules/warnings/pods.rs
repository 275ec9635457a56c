//! PodSpecs: `GetWarningsForPod` and `GetWarningsForPodTemplate` of Kubernetes' `pkg/api/pod`.

use super::super::repeated::repeated;
use super::{
    FIELD_WITHOUT_EFFECT, LABEL_SELECTOR_MISSING, LIST_ITEM_REPEATED, NUMBER_NEGATIVE, ObjectJudge,
    addresses, annotations, bytes, containers, items, node_labels, text, volumes, warn,
};
use crate::diag::Diagnostic;
use crate::kube::PodSpec;
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Judging, start};

/// The resources that are counted in bytes.
pub(super) const BYTES: [&str; 2] = ["memory", "ephemeral-storage"];

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, pod: &PodSpec<'_>) {
    let spec = pod.spec;
    let root = Path::root();
    let path = root.field(pod.path());
    annotations::check_pod(judge, pod);
    node_labels::check_pod(judge, spec, &path);
    check_selectors(judge, spec, &path);
    volumes::check(judge, spec, &path);
    if !is_custom(pod) {
        check_repeated(judge, spec, ("hostAliases", "ip"), &path);
        check_repeated(judge, spec, ("imagePullSecrets", "name"), &path);
    }
    check_unnamed(judge, spec, &path);
    bytes::check_amounts(judge, spec.get("overhead"), &BYTES, &path.field("overhead"));
    containers::check(judge, pod, &path);
    // For a Pod itself the server sets it to 1 before validation.
    if !judge.object.gvk.is("", "Pod") {
        check_grace(judge, spec, &path);
    }
    addresses::check_pod(judge, spec, &path);
}

/// Whether the Pod is in a custom resource, whose lists are keyed, so that a duplicate item is an
/// error.
pub(super) fn is_custom(pod: &PodSpec<'_>) -> bool {
    pod.is_in_custom_resource()
}

/// Checks for terms without a selector, which match no Pod although authors expect all.
fn check_selectors(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let field = path.field("topologySpreadConstraints");
    for (index, constraint) in items(spec, "topologySpreadConstraints").iter().enumerate() {
        check_selector(judge, constraint, &field.index(index));
    }
    let affinity_path = path.field("affinity");
    for kind in ["podAffinity", "podAntiAffinity"] {
        let Some(affinity) = spec.at(&["affinity", kind]) else { continue };
        let path = affinity_path.field(kind);
        let required = "requiredDuringSchedulingIgnoredDuringExecution";
        let field = path.field(required);
        for (index, term) in items(affinity, required).iter().enumerate() {
            check_selector(judge, term, &field.index(index));
        }
        let preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        let field = path.field(preferred);
        for (index, weighted) in items(affinity, preferred).iter().enumerate() {
            if let Some(term) = weighted.get("podAffinityTerm") {
                check_selector(judge, term, &field.index(index).field("podAffinityTerm"));
            }
        }
    }
}

fn check_selector(judge: &mut ObjectJudge<'_, '_>, term: &Node, path: &Path<'_>) {
    if term.as_map().is_none() || term.get("labelSelector").is_some_and(|it| !it.is_null()) {
        return;
    }
    warn(
        judge,
        &LABEL_SELECTOR_MISSING,
        (start(term), "matches no Pod"),
        "affinity term without `labelSelector` matches no Pod",
        "add `labelSelector` with the labels of the Pods, or `labelSelector: {}` for all",
        &path.field("labelSelector"),
    );
}

fn check_repeated(
    judge: &mut ObjectJudge<'_, '_>,
    spec: &Node,
    (list, key): (&str, &str),
    path: &Path<'_>,
) {
    let field = path.field(list);
    let all = items(spec, list).iter().enumerate();
    let keyed = all.filter_map(|(at, item)| Some((text(item, key)?, (at, item.get(key)?))));
    repeated(keyed, |value, (at, node), (_, first)| {
        let message = format!("duplicate item `{value}` in `{list}`");
        let finding = Diagnostic::new(&LIST_ITEM_REPEATED, node.span(), message)
            .at("may be dropped")
            .label(first.span(), "the first")
            .note("`kubectl apply --server-side` rejects the object")
            .help("keep one of them: `kubectl apply` merges the list by this field");
        judge.report(finding, &field.index(at).field(key));
    });
}

fn check_unnamed(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let field = path.field("imagePullSecrets");
    for (index, secret) in items(spec, "imagePullSecrets").iter().enumerate() {
        if secret.as_map().is_some() && text(secret, "name").is_none() {
            warn(
                judge,
                &FIELD_WITHOUT_EFFECT,
                (start(secret), "has no name"),
                "item of `imagePullSecrets` has no name",
                "write the name of the Secret, or remove the item",
                &field.index(index).field("name"),
            );
        }
    }
}

fn check_grace(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let Some(node) = spec.get("terminationGracePeriodSeconds") else { return };
    if node.as_i64().is_some_and(|seconds| seconds < 0) {
        warn(
            judge,
            &NUMBER_NEGATIVE,
            (node.span(), "treated as 1"),
            "negative `terminationGracePeriodSeconds` is treated as 1",
            "write 0 or more",
            &path.field("terminationGracePeriodSeconds"),
        );
    }
}
