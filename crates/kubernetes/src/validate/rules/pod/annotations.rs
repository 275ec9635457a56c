//! Annotations of Pods that the API server reads, after `ValidatePodSpecificAnnotations` of Kubernetes'
//! `pkg/apis/core/validation`.

mod profiles;
mod tolerations;

use super::judge::{Carrier, Judge};
use crate::diag::{Diagnostic, Message, declare_rules};
use crate::tree::{Entry, Node, Path};
use crate::validate::rules::judging::{items, shown};

declare_rules! {
    POD_ANNOTATION_INVALID = "pod-annotation-invalid", Error;
    PROFILE_ANNOTATION_CONFLICT = "profile-annotation-conflict", Error;
}

const MIRROR: &str = "kubernetes.io/config.mirror";
const TOLERATIONS: &str = "scheduler.alpha.kubernetes.io/tolerations";
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// Checks the annotations of a Pod or of a template.
pub(super) fn check(judge: &mut Judge<'_, '_>) {
    let annotations = judge.pod.template.at(&["metadata", "annotations"]);
    let annotations = annotations.map_or(&[][..], Node::entries);
    if annotations.is_empty() {
        return;
    }
    let path = format!("{}.annotations", judge.pod.metadata_path());
    let root = Path::root();
    let path = root.field(&path);
    let containers = judge.pod.containers_by_name();
    for entry in annotations {
        let path = path.key(&entry.key);
        match entry.key.as_str() {
            MIRROR => mirror(judge, entry, &path),
            TOLERATIONS => tolerations::check(judge, &entry.value, &path),
            DELETION_COST => deletion_cost(judge, &entry.value, &path),
            _ => profiles::check(judge, entry, &containers, &path),
        }
    }
}

fn refuse(
    judge: &mut Judge<'_, '_>,
    node: &Node,
    (message, help): (impl Into<Message>, &str),
    path: &Path<'_>,
) {
    let finding = Diagnostic::new(&POD_ANNOTATION_INVALID, node.span(), message)
        .at("the API server reads it")
        .help(help);
    judge.report_as_read(finding, path);
}

/// Checks a mirror Pod, which represents a static Pod of a kubelet.
fn mirror(judge: &mut Judge<'_, '_>, entry: &Entry, path: &Path<'_>) {
    let spec = judge.pod.spec;
    if spec.str_at(&["nodeName"]).is_none_or(str::is_empty) {
        let text = (
            format!("annotation `{MIRROR}` requires `nodeName`"),
            "remove it: the kubelet sets it on mirror Pods",
        );
        refuse(judge, &entry.value, text, path);
    }
    let is_token = |it: &Node| it.get("serviceAccountToken").is_some();
    let has_token = items(spec, "volumes").iter().any(|volume| {
        volume.get("projected").is_some_and(|it| items(it, "sources").iter().any(is_token))
    });
    let has_account = spec.str_at(&["serviceAccountName"]).is_some_and(|it| !it.is_empty())
        || spec.str_at(&["serviceAccount"]).is_some_and(|it| !it.is_empty());
    if has_token && !has_account && judge.carrier == Carrier::Pod {
        let text = (
            format!("Pod with the annotation `{MIRROR}` has a token and no `serviceAccountName`"),
            "remove the annotation, or the token",
        );
        refuse(judge, &entry.value, text, path);
    }
    let has_claims =
        judge.minor >= super::CLAIMS_MINOR && !items(spec, "resourceClaims").is_empty();
    if has_claims && judge.carrier == Carrier::Pod {
        let text = (
            format!("Pod with the annotation `{MIRROR}` has resource claims"),
            "remove the annotation, or `resourceClaims`",
        );
        refuse(judge, &entry.value, text, path);
    }
}

fn deletion_cost(judge: &mut Judge<'_, '_>, node: &Node, path: &Path<'_>) {
    let text = node.as_str().unwrap_or_default();
    // Go's parser accepts a `+` and leading zeros; Kubernetes does not.
    let is_plain =
        text == "0" || text.starts_with('-') || text.starts_with(|it| matches!(it, '1'..='9'));
    if is_plain && text.parse::<i32>().is_ok() {
        return;
    }
    let text = (
        format!("invalid Pod deletion cost `{}`", shown(text)),
        "write a number from -2147483648 to 2147483647, without `+` or leading zeros",
    );
    refuse(judge, node, text, path);
}
