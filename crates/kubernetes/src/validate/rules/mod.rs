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

fn check_object(judge: &mut Judge<'_>) {
    metadata::check(judge);
    warnings::check(judge);
    runtime::check(judge);
    template::check_presence(judge);
    let kind = &judge.object.gvk;
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Endpoints") => endpoints::check(judge),
        ("", "Node") => node::check(judge),
        ("discovery.k8s.io", "EndpointSlice") => endpoints::check_slice(judge),
        ("apiregistration.k8s.io", "APIService") => api_service::check(judge),
        ("coordination.k8s.io", "Lease") => lease::check(judge),
        ("", "ConfigMap") => data::check_config_map(judge),
        ("", "LimitRange") => limit_range::check(judge),
        ("", "Namespace") => namespace::check(judge),
        ("", "PersistentVolume") => persistent_volume::check(judge),
        ("", "PersistentVolumeClaim") => volume_claim::check(judge),
        ("", "ResourceQuota") => quota::check(judge),
        ("", "Secret") => data::check_secret(judge),
        ("", "Service") => service::check(judge),
        (
            "admissionregistration.k8s.io",
            "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration",
        ) => admission_webhook::check(judge),
        ("apps", "Deployment" | "ReplicaSet" | "DaemonSet") | ("", "ReplicationController") => {
            workloads::check(judge);
        }
        ("apps", "ControllerRevision") => revision::check(judge),
        ("apps", "StatefulSet") => {
            workloads::check(judge);
            volume_claim::check_templates(judge);
        }
        ("autoscaling", "HorizontalPodAutoscaler") => autoscaler::check(judge),
        ("batch", "Job") => jobs::check(judge),
        ("batch", "CronJob") => jobs::check_cron_job(judge),
        ("policy", "PodDisruptionBudget") => disruption_budget::check(judge),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            custom_resource_definition::check(judge);
        }
        ("networking.k8s.io", "Ingress") => ingress::check(judge),
        ("networking.k8s.io", "IngressClass") => ingress_class::check(judge),
        ("storage.k8s.io", "StorageClass") => storage_class::check(judge),
        ("storage.k8s.io", "VolumeAttributesClass") => storage_class::check_attributes(judge),
        ("storage.k8s.io", "CSIDriver") => csi::check_driver(judge),
        ("storage.k8s.io", "CSINode") => csi::check_node(judge),
        ("storage.k8s.io", "VolumeAttachment") => csi::check_attachment(judge),
        ("flowcontrol.apiserver.k8s.io", "FlowSchema") => flow_control::check(judge),
        ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration") => {
            flow_control::check_level(judge);
        }
        ("node.k8s.io", "RuntimeClass") => runtime_class::check(judge),
        ("rbac.authorization.k8s.io", "Role" | "ClusterRole") => rbac::check_role(judge),
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => {
            rbac::check_binding(judge);
        }
        ("scheduling.k8s.io", "PriorityClass") => priority_class::check(judge),
        _ => check_rare(judge),
    }
    if let Some(facts) = kind.facts() {
        if facts.volume_claims.is_some() {
            volume_claim::check_templates(judge);
        }
    }
    revision::check_annotations(judge);
    network_policy::check(judge);
}

/// Checks an object of a kind that clusters have few of, or that controllers create.
fn check_rare(judge: &mut Judge<'_>) {
    let kind = &judge.object.gvk;
    match (kind.group.as_str(), kind.kind.as_str()) {
        (
            "admissionregistration.k8s.io",
            "ValidatingAdmissionPolicy" | "MutatingAdmissionPolicy",
        ) => admission_policy::check(judge),
        (
            "admissionregistration.k8s.io",
            "ValidatingAdmissionPolicyBinding" | "MutatingAdmissionPolicyBinding",
        ) => admission_policy::check_binding(judge),
        ("" | "events.k8s.io", "Event") => event::check(judge),
        ("certificates.k8s.io", "CertificateSigningRequest") => signing_request::check(judge),
        ("certificates.k8s.io", "ClusterTrustBundle") if kind.version == "v1" => {
            signers::check_bundle(judge);
        }
        ("certificates.k8s.io", "PodCertificateRequest") if kind.version == "v1" => {
            pod_certificate::check(judge);
        }
        ("authentication.k8s.io", "TokenReview") => reviews::check_token(judge),
        ("authorization.k8s.io", "SelfSubjectRulesReview") => reviews::check_rules(judge),
        (
            "authorization.k8s.io",
            "LocalSubjectAccessReview" | "SelfSubjectAccessReview" | "SubjectAccessReview",
        ) => reviews::check_access(judge),
        ("", "Binding") => reviews::check_binding(judge),
        ("storagemigration.k8s.io", "StorageVersionMigration") => reviews::check_migration(judge),
        ("networking.k8s.io", "ServiceCIDR") => service_range::check(judge),
        ("networking.k8s.io", "IPAddress") => service_range::check_address_object(judge),
        ("resource.k8s.io", "ResourceClaim" | "ResourceClaimTemplate") => {
            devices::check_claim(judge);
        }
        ("resource.k8s.io", "DeviceClass") => devices::check_class(judge),
        ("resource.k8s.io", "ResourceSlice") => devices::check_slice(judge),
        ("storage.k8s.io", "CSIStorageCapacity") => csi::check_capacity(judge),
        _ => {}
    }
}
