//! The validation that the API server does in code, beyond its schema. One file per family.

mod addresses;
mod admission_expressions;
mod admission_policy;
mod admission_webhook;
mod amounts;
mod api_service;
mod autoscaler;
mod csi;
pub(in crate::validate) mod custom_resource_definition;
mod data;
mod devices;
mod disruption_budget;
mod endpoints;
mod event;
mod flow_control;
mod ingress;
mod ingress_class;
mod jobs;
mod judge;
mod lease;
mod limit_range;
mod metadata;
mod names;
mod namespace;
mod network_policy;
mod network_storage;
mod node;
mod null_items;
mod persistent_volume;
mod place;
pub(in crate::validate) mod pod;
mod pod_certificate;
mod port;
mod priority_class;
mod qualified;
mod quota;
mod rbac;
mod remedy;
mod repeated;
pub(in crate::validate) mod reviews;
mod revision;
mod runtime;
mod runtime_class;
mod selectors;
mod service;
mod service_range;
pub(super) use service::CLUSTER_IP_INVALID;
pub(super) use service_range::SERVICE_CIDR_INVALID;
mod share;
mod signers;
mod signing_request;
mod storage_class;
mod template;
mod tolerations;
mod volume_claim;
pub(in crate::validate) mod warnings;
mod webhook_client;
mod workloads;

pub(super) use amounts::amount;

use crate::diag::{Rule, Sink};
use crate::kube::Object;
use crate::scalar::is_same;
use crate::schema::KubernetesVersion;
use judge::Judge;

/// The rules of this module that are not those of Pods.
pub static RULES: &[&[&Rule]] = &[
    addresses::RULES,
    admission_expressions::RULES,
    admission_policy::RULES,
    admission_webhook::RULES,
    amounts::RULES,
    api_service::RULES,
    autoscaler::RULES,
    data::RULES,
    judge::RULES,
    limit_range::RULES,
    metadata::RULES,
    names::RULES,
    network_policy::RULES,
    priority_class::RULES,
    persistent_volume::RULES,
    qualified::RULES,
    quota::RULES,
    rbac::RULES,
    runtime::RULES,
    runtime_class::RULES,
    selectors::RULES,
    service::RULES,
    ingress::RULES,
    ingress_class::RULES,
    storage_class::RULES,
    tolerations::RULES,
    volume_claim::RULES,
    share::RULES,
    template::RULES,
    workloads::RULES,
    jobs::RULES,
    disruption_budget::RULES,
    revision::RULES,
    reviews::RULES,
    endpoints::RULES,
    flow_control::RULES,
    csi::RULES,
    devices::RULES,
    event::RULES,
    service_range::RULES,
    signers::RULES,
    signing_request::RULES,
    node::RULES,
    custom_resource_definition::RULES,
    warnings::RULES,
];

/// Checks an object by the rules of its kind.
pub(super) fn check(object: &Object, kubernetes: KubernetesVersion, sink: &mut Sink) {
    let decoded = null_items::decoded(object);
    let object = decoded.as_ref().unwrap_or(object);
    check_object(&mut Judge::new(object, kubernetes, sink));
    pod::check(Judge::new(object, kubernetes, sink));
}

/// What checks the objects of some kinds.
type Check = fn(&mut Judge<'_>);

/// The checks of built-in kinds: the API group, its kinds, and their check; sorted by group.
static CHECKS: &[(&str, &[&str], Check)] = &[
    ("", &["Binding"], reviews::check_binding),
    ("", &["ConfigMap"], data::check_config_map),
    ("", &["Endpoints"], endpoints::check),
    ("", &["Event"], event::check),
    ("", &["LimitRange"], limit_range::check),
    ("", &["Namespace"], namespace::check),
    ("", &["Node"], node::check),
    ("", &["PersistentVolume"], persistent_volume::check),
    ("", &["PersistentVolumeClaim"], volume_claim::check),
    ("", &["ReplicationController"], workloads::check),
    ("", &["ResourceQuota"], quota::check),
    ("", &["Secret"], data::check_secret),
    ("", &["Service"], service::check),
    (
        "admissionregistration.k8s.io",
        &["MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"],
        admission_policy::check,
    ),
    (
        "admissionregistration.k8s.io",
        &["MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicyBinding"],
        admission_policy::check_binding,
    ),
    (
        "admissionregistration.k8s.io",
        &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
        admission_webhook::check,
    ),
    ("apiextensions.k8s.io", &["CustomResourceDefinition"], custom_resource_definition::check),
    ("apiregistration.k8s.io", &["APIService"], api_service::check),
    ("apps", &["ControllerRevision"], revision::check),
    ("apps", &["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"], workloads::check),
    ("apps", &["StatefulSet"], volume_claim::check_templates),
    ("authentication.k8s.io", &["TokenReview"], reviews::check_token),
    (
        "authorization.k8s.io",
        &["LocalSubjectAccessReview", "SelfSubjectAccessReview", "SubjectAccessReview"],
        reviews::check_access,
    ),
    ("authorization.k8s.io", &["SelfSubjectRulesReview"], reviews::check_rules),
    ("autoscaling", &["HorizontalPodAutoscaler"], autoscaler::check),
    ("batch", &["CronJob"], jobs::check_cron_job),
    ("batch", &["Job"], jobs::check),
    ("certificates.k8s.io", &["CertificateSigningRequest"], signing_request::check),
    ("certificates.k8s.io", &["ClusterTrustBundle"], signers::check_bundle),
    ("certificates.k8s.io", &["PodCertificateRequest"], pod_certificate::check),
    ("coordination.k8s.io", &["Lease"], lease::check),
    ("discovery.k8s.io", &["EndpointSlice"], endpoints::check_slice),
    ("events.k8s.io", &["Event"], event::check),
    ("flowcontrol.apiserver.k8s.io", &["FlowSchema"], flow_control::check),
    ("flowcontrol.apiserver.k8s.io", &["PriorityLevelConfiguration"], flow_control::check_level),
    ("networking.k8s.io", &["IPAddress"], service_range::check_address_object),
    ("networking.k8s.io", &["Ingress"], ingress::check),
    ("networking.k8s.io", &["IngressClass"], ingress_class::check),
    ("networking.k8s.io", &["ServiceCIDR"], service_range::check),
    ("node.k8s.io", &["RuntimeClass"], runtime_class::check),
    ("policy", &["PodDisruptionBudget"], disruption_budget::check),
    ("rbac.authorization.k8s.io", &["ClusterRole", "Role"], rbac::check_role),
    ("rbac.authorization.k8s.io", &["ClusterRoleBinding", "RoleBinding"], rbac::check_binding),
    ("resource.k8s.io", &["DeviceClass"], devices::check_class),
    ("resource.k8s.io", &["DeviceTaintRule"], devices::check_taint_rule),
    ("resource.k8s.io", &["ResourceClaim", "ResourceClaimTemplate"], devices::check_claim),
    ("resource.k8s.io", &["ResourceSlice"], devices::check_slice),
    ("scheduling.k8s.io", &["PriorityClass"], priority_class::check),
    ("storage.k8s.io", &["CSIDriver"], csi::check_driver),
    ("storage.k8s.io", &["CSINode"], csi::check_node),
    ("storage.k8s.io", &["CSIStorageCapacity"], csi::check_capacity),
    ("storage.k8s.io", &["StorageClass"], storage_class::check),
    ("storage.k8s.io", &["VolumeAttachment"], csi::check_attachment),
    ("storage.k8s.io", &["VolumeAttributesClass"], storage_class::check_attributes),
    ("storagemigration.k8s.io", &["StorageVersionMigration"], reviews::check_migration),
];

fn check_object(judge: &mut Judge<'_>) {
    metadata::check(judge);
    warnings::check(judge);
    runtime::check(judge);
    template::check_presence(judge);
    let own = &judge.object.gvk;
    let first = CHECKS.partition_point(|(group, ..)| *group < own.group.as_str());
    let of_group = CHECKS.iter().skip(first).take_while(|(group, ..)| own.group == *group);
    for (_, kinds, check) in of_group {
        if kinds.iter().any(|kind| is_same(kind, &own.kind)) {
            check(judge);
        }
    }
    if own.facts().is_some_and(|facts| facts.volume_claims.is_some()) {
        volume_claim::check_templates(judge);
    }
    revision::check_annotations(judge);
    network_policy::check(judge);
}
