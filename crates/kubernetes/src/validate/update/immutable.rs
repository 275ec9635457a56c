//! Fields that cannot change once the object is created.

use super::judge::{Remedy, Update};

/// The fields of some kinds that cannot change.
struct Fields {
    group: &'static str,
    kinds: &'static [&'static str],
    paths: &'static [&'static [&'static str]],
    remedy: Remedy,
}

/// A field that is a list of fixed keys, by name.
macro_rules! paths {
    ($($($step:literal).+),+) => { &[$(&[$($step),+]),+] };
}

static FIELDS: &[Fields] = &[
    Fields { group: "", kinds: &["Secret"], paths: paths!["type"], remedy: Remedy::Recreate },
    Fields {
        group: "apiextensions.k8s.io",
        kinds: &["CustomResourceDefinition"],
        paths: paths!["spec"."group", "spec"."names"."plural"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "apps",
        kinds: &["DaemonSet", "Deployment", "ReplicaSet"],
        paths: paths!["spec"."selector"],
        remedy: Remedy::Orphan,
    },
    Fields {
        group: "apps",
        kinds: &["ControllerRevision"],
        paths: paths!["data"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "certificates.k8s.io",
        kinds: &["PodCertificateRequest"],
        paths: paths!["spec"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "discovery.k8s.io",
        kinds: &["EndpointSlice"],
        paths: paths!["addressType"],
        remedy: Remedy::Recreate,
    },
    Fields {
        group: "events.k8s.io",
        kinds: &["Event"],
        paths: paths![
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
        remedy: Remedy::Rename,
    },
    Fields {
        group: "networking.k8s.io",
        kinds: &["IPAddress"],
        paths: paths!["spec"."parentRef"],
        remedy: Remedy::Recreate,
    },
    Fields {
        group: "networking.k8s.io",
        kinds: &["IngressClass"],
        paths: paths!["spec"."controller"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "node.k8s.io",
        kinds: &["RuntimeClass"],
        paths: paths!["handler"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "rbac.authorization.k8s.io",
        kinds: &["ClusterRoleBinding", "RoleBinding"],
        paths: paths!["roleRef"],
        remedy: Remedy::RecreateBinding,
    },
    Fields {
        group: "resource.k8s.io",
        kinds: &["ResourceClaim", "ResourceClaimTemplate"],
        paths: paths!["spec"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "resource.k8s.io",
        kinds: &["ResourceSlice"],
        paths: paths!["spec"."driver", "spec"."nodeName", "spec"."pool"."name"],
        remedy: Remedy::Recreate,
    },
    Fields {
        group: "scheduling.k8s.io",
        kinds: &["PriorityClass"],
        paths: paths!["value", "preemptionPolicy"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "storage.k8s.io",
        kinds: &["CSIDriver"],
        paths: paths!["spec"."attachRequired", "spec"."volumeLifecycleModes"],
        remedy: Remedy::Recreate,
    },
    Fields {
        group: "storage.k8s.io",
        kinds: &["CSIStorageCapacity"],
        paths: paths!["nodeTopology", "storageClassName"],
        remedy: Remedy::Recreate,
    },
    Fields {
        group: "storage.k8s.io",
        kinds: &["StorageClass"],
        paths: paths!["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "storage.k8s.io",
        kinds: &["VolumeAttachment"],
        paths: paths!["spec"],
        remedy: Remedy::Recreate,
    },
    Fields {
        group: "storage.k8s.io",
        kinds: &["VolumeAttributesClass"],
        paths: paths!["driverName", "parameters"],
        remedy: Remedy::Rename,
    },
    Fields {
        group: "storagemigration.k8s.io",
        kinds: &["StorageVersionMigration"],
        paths: paths!["spec"],
        remedy: Remedy::Rename,
    },
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
