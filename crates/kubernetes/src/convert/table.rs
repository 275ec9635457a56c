//! Which kinds and versions can be converted.

use super::{Conversion, Edits, Refused};
use super::{access, admission, autoscaler, definition, devices, ingress, small, workloads};
use crate::scalar::KubernetesVersion;
use crate::schema::store::{self, Kind};

type Change = fn(&mut Edits<'_>) -> Result<(), Refused>;

/// Only the version changes.
#[expect(clippy::unnecessary_wraps, reason = "the type of a change")]
const fn unchanged(_: &mut Edits<'_>) -> Result<(), Refused> {
    Ok(())
}

const fn row(
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    to: &'static str,
    change: Change,
) -> Conversion {
    Conversion { group, version, kind, to, change }
}

const ADMISSION: &str = "admissionregistration.k8s.io";
const ADMISSION_V1: &str = "admissionregistration.k8s.io/v1";
const ACCESS: &str = "authorization.k8s.io";
const ACCESS_V1: &str = "authorization.k8s.io/v1";
const CERTIFICATES: &str = "certificates.k8s.io";
const CERTIFICATES_V1: &str = "certificates.k8s.io/v1";
const FLOW: &str = "flowcontrol.apiserver.k8s.io";
const FLOW_V1: &str = "flowcontrol.apiserver.k8s.io/v1";
const NETWORKING: &str = "networking.k8s.io";
const NETWORKING_V1: &str = "networking.k8s.io/v1";
const RBAC: &str = "rbac.authorization.k8s.io";
const RBAC_V1: &str = "rbac.authorization.k8s.io/v1";
const RESOURCE: &str = "resource.k8s.io";
const RESOURCE_V1: &str = "resource.k8s.io/v1";
const STORAGE: &str = "storage.k8s.io";
const STORAGE_V1: &str = "storage.k8s.io/v1";

static CONVERSIONS: &[Conversion] = &[
    row(ADMISSION, "v1beta1", "MutatingAdmissionPolicy", ADMISSION_V1, unchanged),
    row(ADMISSION, "v1beta1", "MutatingAdmissionPolicyBinding", ADMISSION_V1, unchanged),
    row(ADMISSION, "v1beta1", "MutatingWebhookConfiguration", ADMISSION_V1, admission::webhooks),
    row(ADMISSION, "v1beta1", "ValidatingAdmissionPolicy", ADMISSION_V1, unchanged),
    row(ADMISSION, "v1beta1", "ValidatingAdmissionPolicyBinding", ADMISSION_V1, unchanged),
    row(ADMISSION, "v1beta1", "ValidatingWebhookConfiguration", ADMISSION_V1, admission::webhooks),
    row(
        "apiextensions.k8s.io",
        "v1beta1",
        "CustomResourceDefinition",
        "apiextensions.k8s.io/v1",
        definition::definition,
    ),
    row("apiregistration.k8s.io", "v1beta1", "APIService", "apiregistration.k8s.io/v1", unchanged),
    row("apps", "v1beta1", "ControllerRevision", "apps/v1", unchanged),
    row("apps", "v1beta1", "Deployment", "apps/v1", workloads::deployment_of_apps_v1beta1),
    row("apps", "v1beta1", "StatefulSet", "apps/v1", workloads::stateful_set),
    row("apps", "v1beta2", "ControllerRevision", "apps/v1", unchanged),
    row("apps", "v1beta2", "DaemonSet", "apps/v1", unchanged),
    row("apps", "v1beta2", "Deployment", "apps/v1", unchanged),
    row("apps", "v1beta2", "ReplicaSet", "apps/v1", unchanged),
    row("apps", "v1beta2", "StatefulSet", "apps/v1", unchanged),
    row("authentication.k8s.io", "v1beta1", "TokenReview", "authentication.k8s.io/v1", unchanged),
    row(ACCESS, "v1beta1", "LocalSubjectAccessReview", ACCESS_V1, small::access_review),
    row(ACCESS, "v1beta1", "SelfSubjectAccessReview", ACCESS_V1, unchanged),
    row(ACCESS, "v1beta1", "SelfSubjectRulesReview", ACCESS_V1, unchanged),
    row(ACCESS, "v1beta1", "SubjectAccessReview", ACCESS_V1, small::access_review),
    row("autoscaling", "v2beta1", "HorizontalPodAutoscaler", "autoscaling/v2", autoscaler::v2beta1),
    row("autoscaling", "v2beta2", "HorizontalPodAutoscaler", "autoscaling/v2", autoscaler::v2beta2),
    row("batch", "v1beta1", "CronJob", "batch/v1", unchanged),
    row(
        CERTIFICATES,
        "v1beta1",
        "CertificateSigningRequest",
        CERTIFICATES_V1,
        small::signing_request,
    ),
    row("batch", "v2alpha1", "CronJob", "batch/v1", unchanged),
    row(CERTIFICATES, "v1beta1", "ClusterTrustBundle", CERTIFICATES_V1, unchanged),
    row(CERTIFICATES, "v1beta1", "PodCertificateRequest", CERTIFICATES_V1, unchanged),
    row("coordination.k8s.io", "v1beta1", "Lease", "coordination.k8s.io/v1", unchanged),
    row(
        "discovery.k8s.io",
        "v1beta1",
        "EndpointSlice",
        "discovery.k8s.io/v1",
        small::endpoint_slice,
    ),
    row("events.k8s.io", "v1beta1", "Event", "events.k8s.io/v1", unchanged),
    row("extensions", "v1beta1", "DaemonSet", "apps/v1", workloads::daemon_set),
    row("extensions", "v1beta1", "Deployment", "apps/v1", workloads::deployment_of_extensions),
    row("extensions", "v1beta1", "Ingress", NETWORKING_V1, ingress::ingress),
    row("extensions", "v1beta1", "NetworkPolicy", NETWORKING_V1, unchanged),
    row("extensions", "v1beta1", "ReplicaSet", "apps/v1", workloads::replica_set),
    row(FLOW, "v1alpha1", "FlowSchema", FLOW_V1, unchanged),
    row(FLOW, "v1alpha1", "PriorityLevelConfiguration", FLOW_V1, small::assured_shares),
    row(FLOW, "v1beta1", "FlowSchema", FLOW_V1, unchanged),
    row(FLOW, "v1beta1", "PriorityLevelConfiguration", FLOW_V1, small::assured_shares),
    row(FLOW, "v1beta2", "FlowSchema", FLOW_V1, unchanged),
    row(FLOW, "v1beta2", "PriorityLevelConfiguration", FLOW_V1, small::assured_shares),
    row(FLOW, "v1beta3", "FlowSchema", FLOW_V1, unchanged),
    row(FLOW, "v1beta3", "PriorityLevelConfiguration", FLOW_V1, small::nominal_shares),
    row(NETWORKING, "v1beta1", "IPAddress", NETWORKING_V1, unchanged),
    row(NETWORKING, "v1beta1", "Ingress", NETWORKING_V1, ingress::ingress),
    row(NETWORKING, "v1beta1", "IngressClass", NETWORKING_V1, unchanged),
    row(NETWORKING, "v1beta1", "ServiceCIDR", NETWORKING_V1, unchanged),
    row("node.k8s.io", "v1alpha1", "RuntimeClass", "node.k8s.io/v1", small::runtime_class),
    row("node.k8s.io", "v1beta1", "RuntimeClass", "node.k8s.io/v1", unchanged),
    row("policy", "v1beta1", "Eviction", "policy/v1", unchanged),
    row("policy", "v1beta1", "PodDisruptionBudget", "policy/v1", small::disruption_budget),
    row(RBAC, "v1alpha1", "ClusterRole", RBAC_V1, unchanged),
    row(RBAC, "v1alpha1", "ClusterRoleBinding", RBAC_V1, access::binding),
    row(RBAC, "v1alpha1", "Role", RBAC_V1, unchanged),
    row(RBAC, "v1alpha1", "RoleBinding", RBAC_V1, access::binding),
    row(RBAC, "v1beta1", "ClusterRole", RBAC_V1, unchanged),
    row(RBAC, "v1beta1", "ClusterRoleBinding", RBAC_V1, unchanged),
    row(RBAC, "v1beta1", "Role", RBAC_V1, unchanged),
    row(RBAC, "v1beta1", "RoleBinding", RBAC_V1, unchanged),
    row(RESOURCE, "v1beta1", "DeviceClass", RESOURCE_V1, unchanged),
    row(RESOURCE, "v1beta1", "ResourceClaim", RESOURCE_V1, devices::claim),
    row(RESOURCE, "v1beta1", "ResourceClaimTemplate", RESOURCE_V1, devices::claim_template),
    row(RESOURCE, "v1beta1", "ResourceSlice", RESOURCE_V1, devices::slice),
    row(RESOURCE, "v1beta2", "DeviceClass", RESOURCE_V1, unchanged),
    row(RESOURCE, "v1beta2", "ResourceClaim", RESOURCE_V1, unchanged),
    row(RESOURCE, "v1beta2", "ResourceClaimTemplate", RESOURCE_V1, unchanged),
    row(RESOURCE, "v1beta2", "ResourceSlice", RESOURCE_V1, unchanged),
    row("scheduling.k8s.io", "v1alpha1", "PriorityClass", "scheduling.k8s.io/v1", unchanged),
    row("scheduling.k8s.io", "v1beta1", "PriorityClass", "scheduling.k8s.io/v1", unchanged),
    row(STORAGE, "v1alpha1", "CSIStorageCapacity", STORAGE_V1, unchanged),
    row(STORAGE, "v1alpha1", "VolumeAttachment", STORAGE_V1, unchanged),
    row(STORAGE, "v1alpha1", "VolumeAttributesClass", STORAGE_V1, unchanged),
    row(STORAGE, "v1beta1", "CSIDriver", STORAGE_V1, unchanged),
    row(STORAGE, "v1beta1", "CSINode", STORAGE_V1, unchanged),
    row(STORAGE, "v1beta1", "CSIStorageCapacity", STORAGE_V1, unchanged),
    row(STORAGE, "v1beta1", "StorageClass", STORAGE_V1, unchanged),
    row(STORAGE, "v1beta1", "VolumeAttachment", STORAGE_V1, unchanged),
    row(STORAGE, "v1beta1", "VolumeAttributesClass", STORAGE_V1, unchanged),
    row(
        "storagemigration.k8s.io",
        "v1beta1",
        "StorageVersionMigration",
        "storagemigration.k8s.io/v1",
        unchanged,
    ),
];

/// The conversion of a kind whose version the target version has removed or deprecated.
pub fn conversion(
    (group, version, kind): (&str, &str, &str),
    target: KubernetesVersion,
) -> Option<&'static Conversion> {
    // The alpha versions that Kubernetes removed before its oldest target version are not in the store.
    let known = store::kind(group, version, kind);
    if known.is_some_and(|kind| kind.versions.contains(target) && !is_deprecated(kind, target)) {
        return None;
    }
    let key = (group, version, kind);
    let found = CONVERSIONS
        .iter()
        .find(|candidate| (candidate.group, candidate.version, candidate.kind) == key)?;
    found.is_in(target).then_some(found)
}

/// The groups whose objects of a version and kind can be converted.
pub fn groups(version: &str, kind: &str) -> Vec<&'static str> {
    let found = CONVERSIONS
        .iter()
        .filter(|conversion| (conversion.version, conversion.kind) == (version, kind));
    found.map(|it| it.group).collect()
}

/// Whether a version of a kind is, or was, one of Kubernetes, but the target version does not have it
/// and it cannot be converted.
pub fn is_gone((group, version, kind): (&str, &str, &str), target: KubernetesVersion) -> bool {
    if conversion((group, version, kind), target).is_some() {
        return false;
    }
    match store::kind(group, version, kind) {
        Some(known) => {
            let first = known.versions.first();
            !known.versions.contains(target) && first.is_none_or(|first| first < target)
        }
        None => {
            GONE.contains(&(group, kind))
                || store::kinds().iter().any(|known| known.group == group)
                    && !store::kinds_named(kind).is_empty()
        }
    }
}

/// Groups and kinds that Kubernetes removed before its oldest target version.
const GONE: &[(&str, &str)] = &[
    ("apps", "PetSet"),
    ("auditregistration.k8s.io", "AuditSink"),
    ("batch", "ScheduledJob"),
    ("extensions", "Scale"),
    ("extensions", "ThirdPartyResource"),
    ("settings.k8s.io", "PodPreset"),
];

/// The `apiVersion` in which the target version has a kind with this name.
pub fn current(kind: &str, target: KubernetesVersion) -> Option<String> {
    let named =
        store::kinds_named(kind).iter().filter(|candidate| candidate.versions.contains(target));
    let stable = |kind: &&Kind| (!kind.is_served_by_default(), kind.group.is_empty(), kind.group);
    named.min_by_key(stable).map(Kind::api_version)
}

fn is_deprecated(kind: &Kind, target: KubernetesVersion) -> bool {
    let minor = kind.deprecated.and_then(|version| version.strip_prefix("1.")?.parse::<u8>().ok());
    minor.is_some_and(|minor| minor <= target.minor())
}

/// The `apiVersion` that replaces another one for references to objects, which have no fields that
/// change: the target of an autoscaler.
pub fn replacement(
    api_version: &str,
    kind: &str,
    target: KubernetesVersion,
) -> Option<&'static str> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    conversion((group, version, kind), target).map(|it| it.to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Versions;

    #[test]
    fn each_old_version_is_converted_or_gone_and_no_current_one_is() {
        for kind in store::kinds() {
            let key = (kind.group, kind.version, kind.kind);
            for target in Versions::ALL.iter() {
                let is_served = kind.versions.contains(target);
                let is_new = kind.versions.first().is_some_and(|first| first > target);
                let converts = conversion(key, target).is_some();
                assert!(!converts || !is_gone(key, target), "{key:?}");
                assert_eq!(is_gone(key, target), !converts && !is_served && !is_new, "{key:?}");
                assert!(!converts || !is_served || kind.deprecated.is_some(), "{key:?}");
            }
        }
    }

    #[test]
    fn each_conversion_ends_at_a_kind_of_the_newest_version() {
        for it in CONVERSIONS {
            let name = (it.group, it.version, it.kind);
            let old = store::kind(it.group, it.version, it.kind);
            match old {
                Some(old) => {
                    assert!(old.removed.is_some() || old.deprecated.is_some(), "{name:?}");
                }
                None => assert!(it.version.contains("alpha"), "{name:?} is unknown"),
            }
            let (group, version) = it.to.split_once('/').unwrap();
            let new = store::kind(group, version, it.kind);
            let new = new.unwrap_or_else(|| panic!("{name:?} has no {}", it.to));
            assert!(new.versions.contains(KubernetesVersion::NEWEST), "{name:?}");
            assert!(new.deprecated.is_none(), "{name:?}");
        }
    }
}
