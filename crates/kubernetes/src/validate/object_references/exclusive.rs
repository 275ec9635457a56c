//! Volume claims that a single Pod can use at a time, and that several Pods use.

use super::{Check, EXCLUSIVE_CLAIM_SHARED, SCALED};
use crate::diag::{Diagnostic, message};
use crate::kube::{Object, PodSpec, pod_specs};
use crate::sorted::SortedMap;
use crate::tree::Node;
use crate::validate::fields::items_at;

/// Objects with Pods that mount one claim, the number of Pods of each, and the node that names the claim.
type Users<'o> = Vec<(PodSpec<'o>, i64, &'o Node)>;

/// Checks the claims with `ReadWriteOncePod`.
pub(super) fn check(check: &mut Check<'_, '_>) {
    let set = check.set;
    let is_exclusive = |claim: &&Object| {
        let modes = items_at(&claim.root, &["spec", "accessModes"]);
        matches!(modes, [mode] if mode.as_str() == Some("ReadWriteOncePod"))
    };
    let mut claims = set.of_kind("", "PersistentVolumeClaim").filter(is_exclusive).peekable();
    if claims.peek().is_none() {
        return;
    }
    let mut users = SortedMap::<(&str, &str), Users<'_>>::new();
    for pod in pod_specs(set) {
        let count = pods_of(pod.object);
        for (_, volume) in pod.read_volumes().filter(|_| count > 0) {
            let Some(node) = volume.at(&["persistentVolumeClaim", "claimName"]) else { continue };
            let Some(name) = node.as_str() else { continue };
            let key = (pod.object.namespace.as_str(), name);
            let users = users.entry(key).or_default();
            // A Pod can have several volumes of one claim.
            if users.last().is_none_or(|(last, ..)| !std::ptr::eq(last.object, pod.object)) {
                users.push((pod, count, node));
            }
        }
    }
    for claim in claims {
        let Some(users) = users.get(&(claim.namespace.as_str(), claim.name.as_str())) else {
            continue;
        };
        let mut pods = 0_i64;
        let beyond = users.iter().find(|(_, count, _)| {
            pods = pods.saturating_add(*count);
            pods > 1
        });
        if let Some((pod, count, node)) = beyond {
            report_shared_claim(check, claim, pod, *count, node);
        }
    }
}

/// The number of Pods that an object has at the same time; 0 if it is not known, or if they end.
fn pods_of(object: &Object) -> i64 {
    let number = |field: &str| object.root.at(&["spec", field]).map_or(Some(1), Node::as_i64);
    if SCALED.iter().any(|(group, kind)| object.gvk.is(group, kind)) {
        return number("replicas").unwrap_or(0);
    }
    let policy = object.root.str_at(&["spec", "restartPolicy"]);
    let is_server = object.gvk.is("", "Pod") && policy.is_none_or(|policy| policy == "Always");
    i64::from(is_server || object.gvk.is("apps", "DaemonSet"))
}

fn report_shared_claim(
    check: &mut Check<'_, '_>,
    claim: &Object,
    pod: &PodSpec<'_>,
    count: i64,
    node: &Node,
) {
    let (object, name) = (pod.object.describe(), &claim.name);
    let message = match count {
        1 => message!("{object} is another Pod with the volume claim `{name}`"),
        _ => message!("{count} Pods of {object} share the volume claim `{name}`"),
    };
    let mode = claim.root.at(&["spec", "accessModes"]).unwrap_or(&claim.root);
    let finding = Diagnostic::new(&EXCLUSIVE_CLAIM_SHARED, node.span(), message)
        .at("allows a single Pod")
        .label(mode.span(), "a single Pod at a time")
        .path(&format!("{}.volumes", pod.path()))
        .note("one Pod starts, and the others stay pending")
        .help("use `ReadWriteOnce` or `ReadWriteMany`, or one claim for each Pod");
    check.sink.report(finding);
}
