//! Keys of a quota that count nothing: the API server accepts any qualified name with a `/`, but
//! only counts those that an evaluator knows (Kubernetes' `pkg/quota/v1/evaluator/core`).

use std::sync::LazyLock;

use super::QUOTA_RESOURCE_NOT_COUNTED;
use crate::diag::{Diagnostic, Message, message, nearest};
use crate::kube::resource_of;
use crate::scalar::check_qualified_name;
use crate::schema::store;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Entry;
use crate::validate::rules::judge::{Judge, shown};

const REQUESTS: &str = "requests.";
const STORAGE_CLASS: &str = "storageclass.storage.k8s.io/";
const DEVICE_CLASS: &str = "deviceclass.resource.k8s.io/";
/// The requests of devices by their class, of which the name is in a native group.
const IMPLICIT_DEVICES: &str = "requests.deviceclass.resource.kubernetes.io/";
/// The part of a name that makes it one of Kubernetes' own (`IsNativeResource`).
const NATIVE: &str = "kubernetes.io/";
/// Names that the API servers of `OpenShift` count.
const OPENSHIFT: &str = "openshift.io/";
/// What is counted for each storage class.
const OF_STORAGE_CLASS: [&str; 2] = ["requests.storage", "persistentvolumeclaims"];
/// Namespaced resources that the quota controller ignores, or that are not stored.
const IGNORED: [&str; 3] = ["bindings", "events", "localsubjectaccessreviews"];
/// The scope that selects volume claims; all others select Pods.
const OF_CLAIMS: &str = "VolumeAttributesClass";

/// The evaluator that counts a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Evaluator {
    Pods,
    VolumeClaims,
    /// Evaluators that know no scopes.
    Other,
}

/// What a name counts.
enum Counts {
    By(Evaluator),
    /// Nothing: the reason, and the name that is likely meant.
    Nothing(&'static str, Meant),
    /// It depends on custom resources of the cluster.
    Unknown,
}

/// The likely repair of a name.
enum Meant {
    Name(String),
    Help(Message),
}

/// Checks each key of `hard`; `scopes` are those of the quota.
pub(super) fn check(judge: &mut Judge<'_>, hard: &[Entry], scopes: &[&str]) {
    let mut names: SortedSet<String> =
        hard.iter().map(|entry| entry.key.as_str().to_owned()).collect();
    // The API server rejects other names that it does not know.
    for entry in hard.iter().filter(|entry| entry.key.contains('/')) {
        if check_qualified_name(&entry.key).is_err() {
            continue;
        }
        let (why, meant) = match what_counts(&entry.key) {
            Counts::Nothing(why, meant) => (why, meant),
            Counts::By(evaluator) if !scopes.iter().all(|scope| is_in_scope(evaluator, scope)) => {
                let help = "move it to a ResourceQuota without scopes".into();
                ("the scopes of this quota select no such objects", Meant::Help(help))
            }
            Counts::By(_) | Counts::Unknown => continue,
        };
        let quota = judge.object.shown_name();
        let message = message!("ResourceQuota `{quota}` does not limit `{}`", shown(&entry.key));
        let at = entry.key_origin().span();
        let finding = Diagnostic::new(&QUOTA_RESOURCE_NOT_COUNTED, at, message)
            .at("counts nothing")
            .note(why);
        let finding = match meant {
            Meant::Help(help) => finding.help(help),
            Meant::Name(name) if names.contains(&name) => {
                finding.help(message!("remove it: `{name}` limits the resource"))
            }
            Meant::Name(name) => {
                names.insert(name.clone());
                finding.suggest(at, name.clone(), message!("use `{name}`"))
            }
        };
        judge.report(finding, entry);
    }
}

/// Whether a scope can select the objects of an evaluator (`podMatchesScopeFunc`,
/// `pvcMatchesScopeFunc` and `MatchesNoScopeFunc`).
fn is_in_scope(evaluator: Evaluator, scope: &str) -> bool {
    match evaluator {
        Evaluator::Pods => scope != OF_CLAIMS,
        Evaluator::VolumeClaims => scope == OF_CLAIMS,
        Evaluator::Other => false,
    }
}

/// What a name with a `/` counts: the union of `MatchingResources` of all evaluators.
fn what_counts(name: &str) -> Counts {
    if let Some(counted) = name.strip_prefix("count/") {
        return of_count(counted);
    }
    if let Some((class, what)) = name.split_once(STORAGE_CLASS) {
        if class.len() > 1 && OF_STORAGE_CLASS.contains(&what) {
            return Counts::By(Evaluator::VolumeClaims);
        }
        let why = "the claims of a storage class are counted as `<class>.storageclass.storage.k8s.io/requests.storage` and `.../persistentvolumeclaims`";
        let meant = match nearest(what, OF_STORAGE_CLASS) {
            _ if class.len() < 2 => Meant::Help("add the name of the storage class".into()),
            Some(near) => Meant::Name(format!("{class}{STORAGE_CLASS}{near}")),
            None => Meant::Name(format!("{class}{STORAGE_CLASS}requests.storage")),
        };
        return Counts::Nothing(why, meant);
    }
    if let Some((class, what)) = name.split_once(DEVICE_CLASS) {
        if class.len() > 1 && what == "devices" {
            return Counts::By(Evaluator::Other);
        }
        let why =
            "the devices of a class are counted as `<class>.deviceclass.resource.k8s.io/devices`";
        let meant = if class.len() < 2 {
            Meant::Help("add the name of the device class".into())
        } else {
            Meant::Name(format!("{class}{DEVICE_CLASS}devices"))
        };
        return Counts::Nothing(why, meant);
    }
    if name.starts_with(OPENSHIFT) {
        return Counts::Unknown;
    }
    if name.starts_with(REQUESTS) && (!name.contains(NATIVE) || name.starts_with(IMPLICIT_DEVICES))
    {
        return Counts::By(Evaluator::Pods);
    }
    let resource = ["limits.", REQUESTS].iter().find_map(|prefix| name.strip_prefix(prefix));
    let meant = format!("{REQUESTS}{}", resource.unwrap_or(name));
    if name.contains(NATIVE) || check_qualified_name(&meant).is_err() {
        let help = "remove it: no quota can limit this resource".into();
        return Counts::Nothing("no evaluator of quotas counts this name", Meant::Help(help));
    }
    let why = "extended resources are only counted by their requests, which equal their limits";
    Counts::Nothing(why, Meant::Name(meant))
}

/// What `count/<resource>.<group>` counts, given the part after the `/`.
fn of_count(counted: &str) -> Counts {
    let (resource, group) = counted.split_once('.').unwrap_or((counted, ""));
    if !GROUPS.contains(group) {
        return Counts::Unknown;
    }
    let groups = RESOURCES.get(resource);
    if let Some(is_namespaced) = groups.and_then(|it| it.get(group)) {
        return match (*is_namespaced, group, resource) {
            (true, _, ignored) if IGNORED.contains(&ignored) => {
                let help = "remove it: no quota can limit this resource".into();
                Counts::Nothing("the quota controller ignores this resource", Meant::Help(help))
            }
            (true, "", "pods") => Counts::By(Evaluator::Pods),
            (true, "", "persistentvolumeclaims") => Counts::By(Evaluator::VolumeClaims),
            (true, ..) => Counts::By(Evaluator::Other),
            (false, ..) => {
                let help = "remove it: a quota only counts objects of its namespace".into();
                Counts::Nothing("the resource is cluster-scoped", Meant::Help(help))
            }
        };
    }
    let why = "the API server has no such resource in this group";
    if let Some((group, _)) = groups.and_then(|it| it.first_key_value()) {
        return Counts::Nothing(why, Meant::Name(count_of(resource, group)));
    }
    let of_group = RESOURCES.iter().filter(|(_, groups)| groups.get(group) == Some(&true));
    match nearest(resource, of_group.map(|(name, _)| name.as_str())) {
        Some(near) => Counts::Nothing(why, Meant::Name(count_of(near, group))),
        None if group.is_empty() => {
            let help = message!("add the API group: `count/{}.<group>`", shown(resource));
            Counts::Nothing(why, Meant::Help(help))
        }
        // A later version may have it.
        None => Counts::Unknown,
    }
}

fn count_of(resource: &str, group: &str) -> String {
    if group.is_empty() { format!("count/{resource}") } else { format!("count/{resource}.{group}") }
}

/// The built-in groups, and `extensions`, which no API server has any more.
static GROUPS: LazyLock<SortedSet<&str>> =
    LazyLock::new(|| store::kinds().iter().map(|it| it.group).chain(["extensions"]).collect());

/// The groups of each built-in resource, and whether it is namespaced.
static RESOURCES: LazyLock<SortedMap<String, SortedMap<&str, bool>>> = LazyLock::new(|| {
    let mut resources: SortedMap<String, SortedMap<&str, bool>> = SortedMap::new();
    for kind in store::kinds().iter().filter(|kind| kind.group != "extensions") {
        resources.entry(resource_of(kind.kind)).or_default().insert(kind.group, kind.is_namespaced);
    }
    resources
});

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdicts of `MatchingResources` of all evaluators of Kubernetes 1.36.
    #[test]
    fn names_count_what_the_evaluators_know() {
        let counts = |name: &str| match what_counts(name) {
            Counts::By(evaluator) => format!("{evaluator:?}"),
            Counts::Nothing(_, Meant::Name(name)) => name,
            Counts::Nothing(_, Meant::Help(_)) => "nothing".to_owned(),
            Counts::Unknown => "unknown".to_owned(),
        };
        for (name, expected) in [
            ("requests.nvidia.com/gpu", "Pods"),
            ("requests.deviceclass.resource.kubernetes.io/gpu", "Pods"),
            ("nvidia.com/gpu", "requests.nvidia.com/gpu"),
            ("limits.nvidia.com/gpu", "requests.nvidia.com/gpu"),
            ("kubernetes.io/batch-cpu", "nothing"),
            ("requests.kubernetes.io/batch-cpu", "nothing"),
            ("gold.storageclass.storage.k8s.io/requests.storage", "VolumeClaims"),
            ("gold.storageclass.storage.k8s.io/persistentvolumeclaims", "VolumeClaims"),
            (
                "gold.storageclass.storage.k8s.io/storage",
                "gold.storageclass.storage.k8s.io/requests.storage",
            ),
            ("storageclass.storage.k8s.io/requests.storage", "nothing"),
            ("gpu.deviceclass.resource.k8s.io/devices", "Other"),
            ("gpu.deviceclass.resource.k8s.io/count", "gpu.deviceclass.resource.k8s.io/devices"),
            ("count/pods", "Pods"),
            ("count/persistentvolumeclaims", "VolumeClaims"),
            ("count/deployments.apps", "Other"),
            ("count/deployments", "count/deployments.apps"),
            ("count/deployment.apps", "count/deployments.apps"),
            ("count/ingresses.extensions", "count/ingresses.networking.k8s.io"),
            ("count/pods.apps", "count/pods"),
            ("count/widgets.example.com", "unknown"),
            ("count/widgets", "nothing"),
            ("count/namespaces", "nothing"),
            ("count/events", "nothing"),
            ("openshift.io/imagestreams", "unknown"),
        ] {
            assert_eq!(counts(name), expected, "{name}");
        }
    }
}
