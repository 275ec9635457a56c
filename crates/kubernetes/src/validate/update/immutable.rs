//! Fields that cannot change once the object is created.

use super::judge::{Remedy, Update};

/// The fields of some kinds that cannot change.
struct Fields {
    group: &'static str,
    kinds: &'static [&'static str],
    paths: &'static [&'static [&'static str]],
    remedy: Remedy,
}

const fn fields(
    group: &'static str,
    kinds: &'static [&'static str],
    remedy: Remedy,
    paths: &'static [&'static [&'static str]],
) -> Fields {
    Fields { group, kinds, paths, remedy }
}

/// A field that is a list of fixed keys, by name.
macro_rules! paths {
    ($($($step:literal).+),+) => { &[$(&[$($step),+]),+] };
}

static FIELDS: &[Fields] = &[
    fields("", &["Secret"], Remedy::Recreate, paths!["type"]),
    fields(
        "apiextensions.k8s.io",
        &["CustomResourceDefinition"],
        Remedy::Rename,
        paths!["spec"."group", "spec"."names"."plural"],
    ),
    fields(
        "apps",
        &["DaemonSet", "Deployment", "ReplicaSet"],
        Remedy::Orphan,
        paths!["spec"."selector"],
    ),
    fields("apps", &["ControllerRevision"], Remedy::Rename, paths!["data"]),
    fields("certificates.k8s.io", &["PodCertificateRequest"], Remedy::Rename, paths!["spec"]),
    fields("discovery.k8s.io", &["EndpointSlice"], Remedy::Recreate, paths!["addressType"]),
    fields(
        "events.k8s.io",
        &["Event"],
        Remedy::Rename,
        paths![
            "action",
            "deprecatedCount",
            "deprecatedFirstTimestamp",
            "deprecatedLastTimestamp",
            "deprecatedSource",
            "eventTime",
            "note",
            "reason",
            "regarding",
            "related",
            "reportingController",
            "reportingInstance",
            "type"
        ],
    ),
    fields("networking.k8s.io", &["IPAddress"], Remedy::Recreate, paths!["spec"."parentRef"]),
    fields("networking.k8s.io", &["IngressClass"], Remedy::Rename, paths!["spec"."controller"]),
    fields("node.k8s.io", &["RuntimeClass"], Remedy::Rename, paths!["handler"]),
    fields(
        "rbac.authorization.k8s.io",
        &["ClusterRoleBinding", "RoleBinding"],
        Remedy::RecreateBinding,
        paths!["roleRef"],
    ),
    fields(
        "resource.k8s.io",
        &["ResourceClaim", "ResourceClaimTemplate"],
        Remedy::Rename,
        paths!["spec"],
    ),
    fields(
        "resource.k8s.io",
        &["ResourceSlice"],
        Remedy::Recreate,
        paths!["spec"."driver", "spec"."nodeName", "spec"."pool"."name"],
    ),
    fields(
        "scheduling.k8s.io",
        &["PriorityClass"],
        Remedy::Rename,
        paths!["value", "preemptionPolicy"],
    ),
    fields(
        "storage.k8s.io",
        &["CSIDriver"],
        Remedy::Recreate,
        paths!["spec"."attachRequired", "spec"."volumeLifecycleModes"],
    ),
    fields(
        "storage.k8s.io",
        &["CSIStorageCapacity"],
        Remedy::Recreate,
        paths!["nodeTopology", "storageClassName"],
    ),
    fields(
        "storage.k8s.io",
        &["StorageClass"],
        Remedy::Rename,
        paths!["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"],
    ),
    fields("storage.k8s.io", &["VolumeAttachment"], Remedy::Recreate, paths!["spec"]),
    fields(
        "storage.k8s.io",
        &["VolumeAttributesClass"],
        Remedy::Rename,
        paths!["driverName", "parameters"],
    ),
    fields("storagemigration.k8s.io", &["StorageVersionMigration"], Remedy::Rename, paths!["spec"]),
];

/// Reports changes of fields that cannot change.
pub(super) fn check(update: &mut Update<'_>) {
    let gvk = &update.object.gvk;
    let of_kind =
        |fields: &&Fields| fields.group == gvk.group && fields.kinds.contains(&gvk.kind.as_str());
    for Fields { paths, remedy, .. } in FIELDS.iter().filter(of_kind) {
        for path in *paths {
            update.immutable(path, *remedy);
        }
    }
}
