//! Annotations of Pods that the API server reads, after `ValidatePodSpecificAnnotations` of Kubernetes'
//! `pkg/apis/core/validation`.

mod profiles;
mod tolerations;

use super::judge::{Carrier, PodJudge};
use crate::diag::{Diagnostic, Message, declare_rules, message};
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Rejection, filled_text, items, shown, text_of};

declare_rules! {
    POD_ANNOTATION_INVALID = "pod-annotation-invalid", Error;
    PROFILE_ANNOTATION_CONFLICT = "profile-annotation-conflict", Error;
}

const MIRROR: &str = "kubernetes.io/config.mirror";
const TOLERATIONS: &str = "scheduler.alpha.kubernetes.io/tolerations";
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// Checks the annotations of a Pod or of a template.
pub(super) fn check(judge: &mut PodJudge<'_>) {
    let written = judge.pod.template.at(&["metadata", "annotations"]);
    let annotations = written.map_or(&[][..], Node::entries);
    if annotations.is_empty() {
        return;
    }
    let containers = judge.pod.containers_by_name();
    for entry in annotations {
        match entry.key.as_str() {
            MIRROR => check_mirror(judge, entry),
            TOLERATIONS => tolerations::check(judge, &entry.value),
            DELETION_COST => check_deletion_cost(judge, &entry.value),
            _ => profiles::check(judge, entry, &containers),
        }
    }
}

fn refuse(
    judge: &mut PodJudge<'_>,
    node: &Node,
    (message, help): (impl Into<Message>, &'static str),
) {
    let finding = Diagnostic::new(&POD_ANNOTATION_INVALID, node.span(), message)
        .at("the API server reads it")
        .help(help);
    judge.report_as(Rejection::AtOnce, finding, node);
}

/// Checks a mirror Pod, which represents a static Pod of a kubelet.
fn check_mirror(judge: &mut PodJudge<'_>, entry: &Entry) {
    let spec = judge.pod.spec;
    if spec.str_at(&["nodeName"]).is_none_or(str::is_empty) {
        let text = (
            message!("annotation `{MIRROR}` requires `nodeName`"),
            "remove it: the kubelet sets it on mirror Pods",
        );
        refuse(judge, &entry.value, text);
    }
    let is_token = |source: &Node| source.get("serviceAccountToken").is_some();
    let has_token = items(spec, "volumes").iter().any(|volume| {
        volume
            .get("projected")
            .is_some_and(|projected| items(projected, "sources").iter().any(is_token))
    });
    let has_account = filled_text(spec, "serviceAccountName").is_some()
        || filled_text(spec, "serviceAccount").is_some();
    if has_token && !has_account && judge.carrier == Carrier::Pod {
        let text = (
            message!("Pod with the annotation `{MIRROR}` has a token and no `serviceAccountName`"),
            "remove the annotation, or the token",
        );
        refuse(judge, &entry.value, text);
    }
    let has_claims =
        judge.minor >= super::CLAIMS_MINOR && !items(spec, "resourceClaims").is_empty();
    if has_claims && judge.carrier == Carrier::Pod {
        let text = (
            message!("Pod with the annotation `{MIRROR}` has resource claims"),
            "remove the annotation, or `resourceClaims`",
        );
        refuse(judge, &entry.value, text);
    }
}

fn check_deletion_cost(judge: &mut PodJudge<'_>, node: &Node) {
    let cost = text_of(node);
    // Go's parser accepts a `+` and leading zeros; Kubernetes does not.
    let is_plain = cost == "0"
        || cost.starts_with('-')
        || cost.starts_with(|character| matches!(character, '1'..='9'));
    if is_plain && cost.parse::<i32>().is_ok() {
        return;
    }
    let text = (
        message!("invalid Pod deletion cost `{}`", shown(cost)),
        "write a number from -2147483648 to 2147483647, without `+` or leading zeros",
    );
    refuse(judge, node, text);
}
