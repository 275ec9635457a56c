//! Seccomp and AppArmor profiles in annotations, the predecessors of the fields.

use crate::diag::message;
use crate::kube::ContainersByName;
use crate::scalar::check_descending_path;
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{shown, text_of};
use crate::validate::rules::pod::annotations::PROFILE_ANNOTATION_CONFLICT;
use crate::validate::rules::pod::judge::{Carrier, PodJudge};

const SECCOMP_OF_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_OF_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";
const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";
const OF_NODE: &str = "localhost/";

/// The maximum length of an AppArmor profile name, in bytes.
const LONGEST_PROFILE: usize = 4095;

pub(super) fn check(judge: &mut PodJudge<'_>, entry: &Entry, containers: &ContainersByName<'_>) {
    let key = entry.key.as_str();
    if key == SECCOMP_OF_POD {
        check_seccomp(judge, &entry.value);
        check_agreement(judge, entry, judge.pod.spec, "seccompProfile");
    } else if let Some(name) = key.strip_prefix(SECCOMP_OF_CONTAINER) {
        check_seccomp(judge, &entry.value);
        for container in containers.get(name).into_iter().flatten() {
            check_agreement(judge, entry, container.node, "seccompProfile");
        }
    } else if let Some(name) = key.strip_prefix(APP_ARMOR) {
        check_app_armor(judge, entry, name, containers);
    }
}

fn check_seccomp(judge: &mut PodJudge<'_>, node: &Node) {
    let profile = text_of(node);
    let is_profile = match profile.strip_prefix(OF_NODE) {
        Some(file) => check_descending_path(file).is_ok(),
        None => matches!(profile, "runtime/default" | "docker/default" | "unconfined"),
    };
    if !is_profile {
        let text = (
            message!("invalid seccomp profile `{}`", shown(profile)),
            "remove it, and set `seccompProfile` in the security context",
        );
        super::refuse(judge, node, text);
    }
}

fn check_app_armor(
    judge: &mut PodJudge<'_>,
    entry: &Entry,
    name: &str,
    containers: &ContainersByName<'_>,
) {
    let text = text_of(&entry.value);
    if !containers.contains_key(name) {
        let message = message!("container `{}` not found in the Pod", shown(name));
        let help = "write a container name after the `/`, or remove the annotation";
        super::refuse(judge, &entry.value, (message, help));
    }
    if !matches!(text, "" | "runtime/default" | "unconfined") && !text.starts_with(OF_NODE) {
        let text = (
            message!("invalid AppArmor profile `{}`", shown(text)),
            "remove it, and set `appArmorProfile` in the security context",
        );
        super::refuse(judge, &entry.value, text);
    }
    if judge.pod.spec.str_at(&["os", "name"]) == Some("windows") {
        return;
    }
    // A container without a profile gets the one of its annotation, or else that of the Pod.
    for container in containers.get(name).into_iter().flatten() {
        let has_own = container.node.at(&["securityContext", "appArmorProfile"]).is_some();
        if has_own {
            check_agreement(judge, entry, container.node, "appArmorProfile");
        } else if !is_profile(text) {
            check_agreement(judge, entry, judge.pod.spec, "appArmorProfile");
        }
    }
}

/// Whether the annotation can be converted to a field.
fn is_profile(text: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.trim() == name && name.len() <= LONGEST_PROFILE;
    matches!(text, "runtime/default" | "unconfined")
        || text.strip_prefix(OF_NODE).is_some_and(is_name)
}

/// Reports an annotation that differs from the field. Templates can differ.
fn check_agreement(judge: &mut PodJudge<'_>, entry: &Entry, owner: &Node, field: &str) {
    let Some(profile) = owner.at(&["securityContext", field]) else { return };
    if matches!(judge.carrier, Carrier::Template | Carrier::Unread) {
        return;
    }
    let text = text_of(&entry.value);
    let file = text.strip_prefix(OF_NODE);
    let is_same = match profile.str_at(&["type"]) {
        Some("Unconfined") => text == "unconfined",
        Some("RuntimeDefault") => {
            text == "runtime/default" || (field == "seccompProfile" && text == "docker/default")
        }
        Some("Localhost") => file.is_some() && file == profile.str_at(&["localhostProfile"]),
        // The schema reports an unknown profile type.
        _ => return,
    };
    if is_same {
        return;
    }
    let message = message!("annotation `{}` differs from `{field}`", shown(&entry.key));
    let texts = (message, "one profile", "remove the annotation: the field replaces it");
    judge.conflict(
        &PROFILE_ANNOTATION_CONFLICT,
        (entry.value.span(), profile),
        texts,
        (profile, "another profile"),
    );
}
