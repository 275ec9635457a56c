//! `Runner`: the environment of an archive's Jobs, and the permissions of the archive's server.

use k8s_openapi::api::networking::v1::NetworkPolicySpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;

use super::identity;
use super::rules::settings;
use crate::decode::{Choice, Integer, Shaped, Text, choice, definition, kubernetes_types};
use crate::diag::Reported;
use crate::lower::{Definition, Frame, Lowering};
use crate::lower::{PolicyRule, account_subject, policy_rules, role_ref};

kubernetes_types! {
    /// `imagePullSecrets` of a Pod.
    ImagePullSecrets = "io.k8s.api.core.v1.PodSpec"."imagePullSecrets";
}

choice! {
    /// The runtime of an archive's containers.
    pub(crate) enum Backend {
        /// Kubernetes Jobs.
        Kubernetes = "kubernetes",
        /// Docker on the server's own machine.
        Oci = "oci",
    }
}

definition! {
    /// The object store with which the server accesses the data volume.
    pub(crate) struct ObjectStore in "Runner.spec.s3" {
        /// Name of the bucket. The server requires it with the backend `kubernetes`.
        "bucket" optional bucket: Text,
        /// Address of the object store. Defaults to that of AWS.
        "endpointUrl" optional endpoint_url: Text,
    }
}

definition! {
    /// The ServiceAccount of the archive's server.
    pub(crate) struct ControllerAccount in "Runner.spec.controllerServiceAccount" {
        /// Name of the ServiceAccount.
        "name" required name: Text,
        /// Namespace of the ServiceAccount. Defaults to that of the Runner.
        "namespace" optional namespace: Text,
    }
}

definition! {
    /// Environment of the hooks and sources of an Open Science Archive, in the namespace of the
    /// Runner: a NetworkPolicy that isolates hooks, and the permissions of the archive's server.
    pub(crate) struct RunnerSpec in "Runner.spec" {
        /// Runtime of the containers: `kubernetes` (the default), or `oci` for Docker on the
        /// server's own machine, which compiles to no objects.
        "backend" optional backend: Choice<Backend>,
        /// Name of the PersistentVolumeClaim with the archive's data. Required with `kubernetes`.
        "dataVolumeClaim" optional data_volume_claim: Text,
        /// Path at which the server mounts that volume claim. Defaults to `/data`.
        "dataMountPath" optional data_mount_path: Text,
        /// ServiceAccount of the Jobs' Pods. No token of it is mounted.
        "serviceAccountName" optional service_account_name: Text,
        /// Secrets to pull the images of all Jobs with.
        "imagePullSecrets" optional image_pull_secrets: Shaped<ImagePullSecrets>,
        /// Seconds from the end of a Job until it is deleted. Defaults to 300.
        "jobTtlSeconds" optional job_ttl_seconds: Integer,
        /// The object store of the server. No Job depends on it.
        "s3" optional s3: ObjectStore,
        /// ServiceAccount of the server, to which a Role for Jobs, their Pods and the data volume claim is bound.
        "controllerServiceAccount" optional controller_service_account: ControllerAccount,
    }
}

/// The default mount path of the data volume in the server.
pub(super) const DEFAULT_MOUNT_PATH: &str = "/data";
/// The default time, in seconds, after which a finished Job is deleted.
pub(super) const DEFAULT_JOB_TTL: i64 = 300;

impl RunnerSpec {
    /// Whether its Jobs run in Kubernetes.
    pub(super) fn is_kubernetes(&self) -> bool {
        self.backend.as_ref().is_none_or(|backend| backend.value == Backend::Kubernetes)
    }

    /// Path at which the server mounts the data volume.
    pub(super) fn mount_path(&self) -> &str {
        self.data_mount_path.as_ref().map_or(DEFAULT_MOUNT_PATH, Text::as_str)
    }
}

/// Lowers a Runner to the isolation of hooks and the permissions of the server.
pub(super) fn lower(
    definition: Definition<RunnerSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, spec) = definition.open();
    if !spec.is_kubernetes() {
        settings::report_oci(&frame, &spec, lowering.sink);
        return Ok(());
    }
    let outcome = settings::check(&frame, &spec, lowering.sink);
    settings::report_accounts(&frame, &spec, lowering.sink);
    isolate_hooks(&frame, lowering);
    if let Some(account) = spec.controller_service_account {
        bind_role(account, &frame, lowering);
    }
    outcome
}

/// Emits a NetworkPolicy that denies all connections of hooks. The server itself only removes their
/// resolver, so that every address remains reachable.
fn isolate_hooks(frame: &Frame, lowering: &mut Lowering<'_, '_>) {
    let hooks = [(identity::ROLE_LABEL.to_owned(), identity::Role::Hook.as_str().to_owned())];
    let pods = LabelSelector { match_labels: Some(hooks.into()), ..LabelSelector::default() };
    let policy = NetworkPolicySpec {
        pod_selector: Some(pods),
        policy_types: Some(vec!["Ingress".to_owned(), "Egress".to_owned()]),
        ..NetworkPolicySpec::default()
    };
    lowering
        .object(frame, "networking.k8s.io/v1", "NetworkPolicy")
        .name(frame.name_with(|name| format!("{name}-hooks")))
        .set("spec", frame.typed(&policy))
        .emit();
}

/// A rule for resources of one group.
const fn allow(
    api_groups: &'static [&'static str],
    resources: &'static [&'static str],
    verbs: &'static [&'static str],
) -> PolicyRule<'static> {
    PolicyRule { api_groups, resources, verbs }
}

/// The permissions for the calls of the server.
const RIGHTS: &[PolicyRule<'static>] = &[
    allow(&["batch"], &["jobs"], &["list", "create", "get", "delete"]),
    allow(&[""], &["pods"], &["list"]),
    allow(&[""], &["pods/log"], &["get"]),
    allow(&[""], &["persistentvolumeclaims"], &["get"]),
];

/// Emits a Role with the permissions of the server, bound to its ServiceAccount.
fn bind_role(account: ControllerAccount, frame: &Frame, lowering: &mut Lowering<'_, '_>) {
    let managed = frame.managed();
    let role = format!("{}-controller", frame.metadata().name.as_str());
    lowering
        .object(frame, "rbac.authorization.k8s.io/v1", "Role")
        .name(frame.text(role.as_str()))
        .set("rules", policy_rules(RIGHTS, managed))
        .emit();
    // Name and namespace keep the author's spans.
    let mut subject = account_subject("", "", managed);
    subject.set("name", account.name.into_node());
    let own = frame.metadata().namespace.clone();
    subject.set_some("namespace", account.namespace.or(own).map(Text::into_node));
    lowering
        .object(frame, "rbac.authorization.k8s.io/v1", "RoleBinding")
        .name(frame.text(role.as_str()))
        .set("roleRef", role_ref("Role", &role, managed))
        .set("subjects", frame.list([subject]))
        .emit();
}
