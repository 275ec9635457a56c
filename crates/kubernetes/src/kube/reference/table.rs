//! The references of built-in kinds.

use super::{EACH, Reference, References, To, Use};

/// A kind that references name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// The API group.
    pub group: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// Whether its objects are cluster-scoped.
    pub is_cluster_scoped: bool,
    /// The names of the objects that every cluster has.
    built_in: &'static [&'static str],
}

impl Target {
    /// A kind whose objects are in namespaces.
    #[must_use]
    pub const fn namespaced(group: &'static str, kind: &'static str) -> Self {
        Self { group, kind, is_cluster_scoped: false, built_in: &[] }
    }

    const fn cluster_scoped(group: &'static str, kind: &'static str) -> Self {
        Self { group, kind, is_cluster_scoped: true, built_in: &[] }
    }

    /// Whether it is this kind.
    #[must_use]
    pub fn is(self, group: &str, kind: &str) -> bool {
        self.kind == kind && self.group == group
    }

    /// Whether every cluster has an object of this name.
    #[must_use]
    pub fn is_built_in(self, name: &str) -> bool {
        self.built_in.contains(&name)
    }
}

/// ConfigMaps. The second built-in one is in `kube-system`, where extension API servers read it.
pub const CONFIG_MAP: Target = Target {
    built_in: &["kube-root-ca.crt", "extension-apiserver-authentication"],
    ..Target::namespaced("", "ConfigMap")
};
/// Secrets.
pub const SECRET: Target = Target::namespaced("", "Secret");
/// Volume claims.
pub const PERSISTENT_VOLUME_CLAIM: Target = Target::namespaced("", "PersistentVolumeClaim");
/// Service accounts.
pub const SERVICE_ACCOUNT: Target =
    Target { built_in: &["default"], ..Target::namespaced("", "ServiceAccount") };
/// Runtime classes.
pub const RUNTIME_CLASS: Target = Target::cluster_scoped("node.k8s.io", "RuntimeClass");
/// Priority classes.
pub const PRIORITY_CLASS: Target = Target {
    built_in: &["system-cluster-critical", "system-node-critical"],
    ..Target::cluster_scoped("scheduling.k8s.io", "PriorityClass")
};
/// Storage classes.
pub const STORAGE_CLASS: Target = Target::cluster_scoped("storage.k8s.io", "StorageClass");
const NAMESPACE: Target = Target::cluster_scoped("", "Namespace");
const PERSISTENT_VOLUME: Target = Target::cluster_scoped("", "PersistentVolume");
const SERVICE: Target = Target::namespaced("", "Service");
const INGRESS_CLASS: Target = Target::cluster_scoped("networking.k8s.io", "IngressClass");
const RBAC: &str = "rbac.authorization.k8s.io";
const ROLE: Target = Target::namespaced(RBAC, "Role");
const CLUSTER_ROLE: Target = Target::cluster_scoped(RBAC, "ClusterRole");

const fn to(path: &'static [&'static str], to: Target, usage: Use) -> Reference {
    Reference::new(path, to, usage)
}

const fn any(path: &'static [&'static str], usage: Use) -> Reference {
    Reference { path, to: To::Any, namespace: None, usage }
}

/// The fields of all objects.
pub static OF_ALL: &[Reference] = &[
    to(&["metadata", "namespace"], NAMESPACE, Use::Other("in")),
    any(&["metadata", "ownerReferences", EACH, "name"], Use::Other("owned by")),
];

/// The fields of a PodSpec, and of the items of its lists, with the lists.
pub static OF_PODS: &[(&[&str], &[Reference])] =
    &[(&[], OF_POD_SPECS), (&["volumes"], OF_VOLUMES), (&[], OF_CONTAINERS)];

pub(super) static OF_POD_SPECS: &[Reference] = &[
    to(&["serviceAccountName"], SERVICE_ACCOUNT, Use::Pod),
    to(&["serviceAccount"], SERVICE_ACCOUNT, Use::Pod),
    to(&["runtimeClassName"], RUNTIME_CLASS, Use::Pod),
    to(&["priorityClassName"], PRIORITY_CLASS, Use::Pod),
    to(&["imagePullSecrets", EACH, "name"], SECRET, Use::ImagePull),
    to(&["subdomain"], SERVICE, Use::Names),
];

pub(super) static OF_VOLUMES: &[Reference] = &[
    to(&["configMap", "name"], CONFIG_MAP, Use::Volume),
    to(&["secret", "secretName"], SECRET, Use::Volume),
    to(&["persistentVolumeClaim", "claimName"], PERSISTENT_VOLUME_CLAIM, Use::Claim),
    to(&["projected", "sources", EACH, "configMap", "name"], CONFIG_MAP, Use::Volume),
    to(&["projected", "sources", EACH, "secret", "name"], SECRET, Use::Volume),
    to(&["azureFile", "secretName"], SECRET, Use::Volume),
    to(&["cephfs", "secretRef", "name"], SECRET, Use::Volume),
    to(&["cinder", "secretRef", "name"], SECRET, Use::Volume),
    to(&["csi", "nodePublishSecretRef", "name"], SECRET, Use::Volume),
    to(&["flexVolume", "secretRef", "name"], SECRET, Use::Volume),
    to(&["iscsi", "secretRef", "name"], SECRET, Use::Volume),
    to(&["rbd", "secretRef", "name"], SECRET, Use::Volume),
    to(&["scaleIO", "secretRef", "name"], SECRET, Use::Volume),
    to(&["storageos", "secretRef", "name"], SECRET, Use::Volume),
    to(
        &["ephemeral", "volumeClaimTemplate", "spec", "storageClassName"],
        STORAGE_CLASS,
        Use::Class,
    ),
];

pub(super) static OF_CONTAINERS: &[Reference] = &[
    to(&["env", EACH, "valueFrom", "configMapKeyRef", "name"], CONFIG_MAP, Use::Environment),
    to(&["env", EACH, "valueFrom", "secretKeyRef", "name"], SECRET, Use::Environment),
    to(&["envFrom", EACH, "configMapRef", "name"], CONFIG_MAP, Use::Environment),
    to(&["envFrom", EACH, "secretRef", "name"], SECRET, Use::Environment),
];

/// The fields of built-in kinds outside of their Pod templates: group, kind, and fields.
pub static OF_KINDS: &[(&str, &str, &[References])] = &[
    ("networking.k8s.io", "Ingress", &[in_spec(OF_INGRESSES)]),
    (RBAC, "RoleBinding", &[at_root(&[role(&[ROLE, CLUSTER_ROLE]), SUBJECTS])]),
    (RBAC, "ClusterRoleBinding", &[at_root(&[role(&[CLUSTER_ROLE]), SUBJECTS])]),
    ("autoscaling", "HorizontalPodAutoscaler", &[in_spec(&[SCALE_TARGET])]),
    ("", "ServiceAccount", &[at_root(&[PULL_SECRETS])]),
    ("", "PersistentVolumeClaim", &[in_spec(OF_CLAIMS)]),
    ("apps", "StatefulSet", &[in_spec(&[GOVERNING_SERVICE, CLASS_OF_CLAIM_TEMPLATES])]),
    ("", "PersistentVolume", &[in_spec(OF_PERSISTENT_VOLUMES)]),
    (WEBHOOKS, "MutatingWebhookConfiguration", &[at_root(OF_WEBHOOKS)]),
    (WEBHOOKS, "ValidatingWebhookConfiguration", &[at_root(OF_WEBHOOKS)]),
    ("apiextensions.k8s.io", "CustomResourceDefinition", &[OF_CONVERSIONS]),
    ("apiregistration.k8s.io", "APIService", &[in_spec(CALLED)]),
    (
        "discovery.k8s.io",
        "EndpointSlice",
        &[at_root(&[about(&["endpoints", EACH, "targetRef", "name"])])],
    ),
    ("", "Endpoints", &[at_root(OF_ENDPOINTS)]),
    ("", "Event", &[at_root(&[about(&["involvedObject", "name"])])]),
];

const WEBHOOKS: &str = "admissionregistration.k8s.io";

const fn at_root(fields: &'static [Reference]) -> References {
    References { owners: &[&[]], fields }
}

const fn in_spec(fields: &'static [Reference]) -> References {
    References { owners: &[&["spec"]], fields }
}

/// The class of the claims that a controller creates for each Pod.
pub const CLASS_OF_CLAIM_TEMPLATES: Reference =
    to(&["volumeClaimTemplates", EACH, "spec", "storageClassName"], STORAGE_CLASS, Use::Class);

const PULL_SECRETS: Reference = to(&["imagePullSecrets", EACH, "name"], SECRET, Use::AccountPull);
const GOVERNING_SERVICE: Reference = to(&["serviceName"], SERVICE, Use::Names);
const SCALE_TARGET: Reference = any(&["scaleTargetRef", "name"], Use::Scale);

static OF_CLAIMS: &[Reference] = &[
    to(&["storageClassName"], STORAGE_CLASS, Use::Class),
    to(&["volumeName"], PERSISTENT_VOLUME, Use::Binding),
];

static OF_INGRESSES: &[Reference] = &[
    to(&["defaultBackend", "service", "name"], SERVICE, Use::Route),
    to(&["rules", EACH, "http", "paths", EACH, "backend", "service", "name"], SERVICE, Use::Route),
    to(&["tls", EACH, "secretName"], SECRET, Use::Other("TLS")),
    to(&["ingressClassName"], INGRESS_CLASS, Use::Other("class")),
];

const fn role(targets: &'static [Target]) -> Reference {
    Reference { to: To::OneOf(targets), ..any(&["roleRef", "name"], Use::Grant) }
}

const SUBJECTS: Reference = Reference {
    to: To::OneOf(&[SERVICE_ACCOUNT]),
    ..any(&["subjects", EACH, "name"], Use::Subject).in_namespace("namespace")
};

static OF_ENDPOINTS: &[Reference] = &[
    about(&["subsets", EACH, "addresses", EACH, "targetRef", "name"]),
    about(&["subsets", EACH, "notReadyAddresses", EACH, "targetRef", "name"]),
];

const fn about(path: &'static [&'static str]) -> Reference {
    any(path, Use::Other("about")).in_namespace("namespace")
}

static OF_WEBHOOKS: &[Reference] =
    &[called(&["webhooks", EACH, "clientConfig", "service", "name"])];
const OF_CONVERSIONS: References =
    References { owners: &[&["spec", "conversion", "webhook", "clientConfig"]], fields: CALLED };
static CALLED: &[Reference] = &[called(&["service", "name"])];

/// The Service that the API server sends requests to.
const fn called(path: &'static [&'static str]) -> Reference {
    to(path, SERVICE, Use::Other("calls")).in_namespace("namespace")
}

static OF_PERSISTENT_VOLUMES: &[Reference] = &[
    to(&["storageClassName"], STORAGE_CLASS, Use::Other("class")),
    to(&["claimRef", "name"], PERSISTENT_VOLUME_CLAIM, Use::Other("bound to"))
        .in_namespace("namespace"),
    credentials(&["azureFile", "secretName"]).in_namespace("secretNamespace"),
    credentials(&["cephfs", "secretRef", "name"]),
    credentials(&["cinder", "secretRef", "name"]),
    credentials(&["csi", "controllerExpandSecretRef", "name"]),
    credentials(&["csi", "controllerPublishSecretRef", "name"]),
    credentials(&["csi", "nodeExpandSecretRef", "name"]),
    credentials(&["csi", "nodePublishSecretRef", "name"]),
    credentials(&["csi", "nodeStageSecretRef", "name"]),
    credentials(&["flexVolume", "secretRef", "name"]),
    credentials(&["iscsi", "secretRef", "name"]),
    credentials(&["rbd", "secretRef", "name"]),
    credentials(&["scaleIO", "secretRef", "name"]),
    credentials(&["storageos", "secretRef", "name"]),
];

const fn credentials(path: &'static [&'static str]) -> Reference {
    to(path, SECRET, Use::Other("mounts with")).in_namespace("namespace")
}

/// The kinds whose controllers create a Secret: group, kind, and the path of its name, which is that of the
/// object by default.
pub static SECRET_MAKERS: [(&str, &str, &[&str]); 3] = [
    ("bitnami.com", "SealedSecret", &["spec", "template", "metadata", "name"]),
    ("external-secrets.io", "ExternalSecret", &["spec", "target", "name"]),
    ("cert-manager.io", "Certificate", &["spec", "secretName"]),
];
