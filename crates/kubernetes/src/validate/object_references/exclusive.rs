//! Volume claims that a single Pod can use at a time, and that several Pods use.

use super::{Check, EXCLUSIVE_CLAIM_SHARED};
use crate::diag::{Diagnostic, message};
use crate::kube::{Object, PodSpec, Use, pod_specs, visit_pod_references};
use crate::sorted::SortedMap;
use crate::tree::Node;

/// The kinds whose number of Pods is `spec.replicas`: group and kind.
const SCALED: [(&str, &str); 4] = [
    ("", "ReplicationController"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("apps", "StatefulSet"),
];

/// An object with Pods that mount a claim.
struct User<'o> {
    pod: PodSpec<'o>,
    /// The number of its Pods.
    count: i64,
    /// The name of the claim.
    name: &'o Node,
}

/// Checks the claims with `ReadWriteOncePod`.
pub(super) fn check(check: &mut Check<'_, '_>) {
    let set = check.set;
    let is_exclusive = |claim: &&Object| {
        let modes = claim.root.at(&["spec", "accessModes"]).map_or(&[][..], Node::items);
        matches!(modes, [mode] if mode.as_str() == Some("ReadWriteOncePod"))
    };
    let mut claims = set.of_kind("", "PersistentVolumeClaim").filter(is_exclusive).peekable();
    if claims.peek().is_none() {
        return;
    }
    let mut users = SortedMap::<(&str, &str), Vec<User<'_>>>::new();
    for pod in pod_specs(set) {
        let count = count_pods(pod.object);
        if count == 0 {
            continue;
        }
        visit_pod_references(&pod, &mut |found| {
            let is_claim = found.reference.usage == Use::Claim;
            let Some(name) = found.name.as_str().filter(|_| is_claim) else { return };
            let key = (pod.object.namespace.as_str(), name);
            let users = users.entry(key).or_default();
            // A Pod can have several volumes of one claim.
            if users.last().is_none_or(|last| !std::ptr::eq(last.pod.object, pod.object)) {
                users.push(User { pod, count, name: found.name });
            }
        });
    }
    for claim in claims {
        let Some(users) = users.get(&(claim.namespace.as_str(), claim.name.as_str())) else {
            continue;
        };
        let mut pods = 0_i64;
        let beyond = users.iter().find(|user| {
            pods = pods.saturating_add(user.count);
            pods > 1
        });
        if let Some(user) = beyond {
            report(check, claim, user);
        }
    }
}

/// The number of Pods that an object has at the same time; 0 if it is not known, or if they end.
fn count_pods(object: &Object) -> i64 {
    let number = |field: &str| object.root.at(&["spec", field]).map_or(Some(1), Node::as_i64);
    if SCALED.iter().any(|(group, kind)| object.gvk.is(group, kind)) {
        return number("replicas").unwrap_or(0);
    }
    let policy = object.root.str_at(&["spec", "restartPolicy"]);
    let is_server = object.gvk.is("", "Pod") && policy.is_none_or(|policy| policy == "Always");
    i64::from(is_server || object.gvk.is("apps", "DaemonSet"))
}

fn report(check: &mut Check<'_, '_>, claim: &Object, user: &User<'_>) {
    let User { pod, count, name } = user;
    let message = match count {
        1 => message!(
            "{} is another Pod with the volume claim `{}`",
            pod.object.describe(),
            claim.name
        ),
        _ => message!(
            "{count} Pods of {} share the volume claim `{}`",
            pod.object.describe(),
            claim.name
        ),
    };
    let mode = claim.root.at(&["spec", "accessModes"]).unwrap_or(&claim.root);
    let finding = Diagnostic::new(&EXCLUSIVE_CLAIM_SHARED, name.span(), message)
        .at("allows a single Pod")
        .label(mode.span(), "a single Pod at a time")
        .path(&format!("{}.volumes", pod.path()))
        .note("one Pod starts, and the others stay pending")
        .help("use `ReadWriteOnce` or `ReadWriteMany`, or one claim for each Pod");
    check.sink.report(finding);
}
