//! The fields that all kinds with Pods share, with the same names and meaning.

use std::sync::LazyLock;

use crate::decode::{Choice, Flag, KubernetesType, Shaped, Text, definition, kubernetes_types};
use crate::pod_security::Profile;
use crate::schema::{Object, Property, Type, definition};

kubernetes_types! {
    /// `env` of a container.
    Env = "io.k8s.api.core.v1.Container"."env";
    /// `envFrom` of a container.
    EnvFrom = "io.k8s.api.core.v1.Container"."envFrom";
    /// `command` of a container.
    Command = "io.k8s.api.core.v1.Container"."command";
    /// `args` of a container.
    Args = "io.k8s.api.core.v1.Container"."args";
    /// `ports` of a container.
    Ports = "io.k8s.api.core.v1.Container"."ports";
    /// `imagePullPolicy` of a container.
    ImagePullPolicy = "io.k8s.api.core.v1.Container"."imagePullPolicy";
    /// `resources` of a container.
    Resources = "io.k8s.api.core.v1.Container"."resources";
    /// `volumeMounts` of a container.
    VolumeMounts = "io.k8s.api.core.v1.Container"."volumeMounts";
    /// `livenessProbe` of a container.
    Probe = "io.k8s.api.core.v1.Probe";
    /// `lifecycle` of a container.
    Lifecycle = "io.k8s.api.core.v1.Lifecycle";
    /// `securityContext` of a container.
    ContainerSecurityContext = "io.k8s.api.core.v1.SecurityContext";
    /// `securityContext` of a pod.
    PodSecurityContext = "io.k8s.api.core.v1.PodSecurityContext";
    /// `imagePullSecrets` of a pod.
    ImagePullSecrets = "io.k8s.api.core.v1.PodSpec"."imagePullSecrets";
    /// `initContainers` of a pod.
    InitContainers = "io.k8s.api.core.v1.PodSpec"."initContainers";
    /// `volumes` of a pod.
    Volumes = "io.k8s.api.core.v1.PodSpec"."volumes";
    /// `nodeSelector` of a pod.
    NodeSelector = "io.k8s.api.core.v1.PodSpec"."nodeSelector";
    /// `tolerations` of a pod.
    Tolerations = "io.k8s.api.core.v1.PodSpec"."tolerations";
    /// `affinity` of a pod.
    Affinity = "io.k8s.api.core.v1.PodSpec"."affinity";
    /// `terminationGracePeriodSeconds` of a pod.
    TerminationGracePeriodSeconds =
        "io.k8s.api.core.v1.PodSpec"."terminationGracePeriodSeconds";
    /// `restartPolicy` of a pod.
    RestartPolicy = "io.k8s.api.core.v1.PodSpec"."restartPolicy";
    /// `labels` of an object.
    Labels = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"."labels";
    /// `annotations` of an object.
    Annotations = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"."annotations";
}

definition! {
    /// Labels and annotations of a Pod.
    pub(crate) struct PodMetadata in "podMetadata" {
        /// Labels of the Pod.
        "labels" optional labels: Shaped<Labels>,
        /// Annotations of the Pod.
        "annotations" optional annotations: Shaped<Annotations>,
    }
}

definition! {
    /// Fields of the main container, with the types of Kubernetes.
    pub(crate) struct ContainerFields in "container fields" {
        /// Image of the main container.
        "image" optional image: Text,
        /// Policy for pulling the image: `Always`, `IfNotPresent` or `Never`.
        "imagePullPolicy" optional image_pull_policy: Shaped<ImagePullPolicy>,
        /// Command of the main container. Defaults to the entrypoint of the image.
        "command" optional command: Shaped<Command>,
        /// Arguments of the command, or of the entrypoint of the image.
        "args" optional args: Shaped<Args>,
        /// Working directory of the main container. Defaults to that of the image.
        "workingDir" optional working_dir: Text,
        /// Environment variables of the main container.
        "env" optional env: Shaped<Env>,
        /// ConfigMaps and Secrets whose keys become environment variables of the main container.
        "envFrom" optional env_from: Shaped<EnvFrom>,
        /// Ports that the main container listens on.
        "ports" optional ports: Shaped<Ports>,
        /// Resource requests and limits of the main container.
        "resources" optional resources: Shaped<Resources>,
        /// Probe that decides whether the main container can receive requests.
        "readinessProbe" optional readiness_probe: Shaped<Probe>,
        /// Probe that decides whether the main container must be restarted.
        "livenessProbe" optional liveness_probe: Shaped<Probe>,
        /// Probe that decides whether the main container has started.
        "startupProbe" optional startup_probe: Shaped<Probe>,
        /// Hooks that run after the start and before the stop of the main container.
        "lifecycle" optional lifecycle: Shaped<Lifecycle>,
        /// Mounts of volumes in the main container.
        "volumeMounts" optional volume_mounts: Shaped<VolumeMounts>,
        /// Security context of the main container.
        "containerSecurityContext" optional container_security_context:
            Shaped<ContainerSecurityContext>,
    }
}

definition! {
    /// Fields of a Pod and its main container, with the types of Kubernetes.
    pub(crate) struct PodFields in "pod fields" {
        flatten container: ContainerFields,
        /// Secrets with credentials for pulling images.
        "imagePullSecrets" optional image_pull_secrets: Shaped<ImagePullSecrets>,
        /// Containers that run before the main container or, with `restartPolicy: Always`, next to
        /// it.
        "initContainers" optional init_containers: Shaped<InitContainers>,
        /// Volumes of the Pod.
        "volumes" optional volumes: Shaped<Volumes>,
        /// Name of the ServiceAccount of the Pod.
        "serviceAccountName" optional service_account_name: Text,
        /// Whether a token of the ServiceAccount is mounted in the Pod. Defaults to `false`.
        "automountServiceAccountToken" optional automount_service_account_token: Flag,
        /// Labels that a node must have to run the Pod.
        "nodeSelector" optional node_selector: Shaped<NodeSelector>,
        /// Tolerations of the Pod for taints of nodes.
        "tolerations" optional tolerations: Shaped<Tolerations>,
        /// Scheduling constraints of the Pod.
        "affinity" optional affinity: Shaped<Affinity>,
        /// Name of the RuntimeClass of the Pod: `gvisor`, `kata`, ...
        "runtimeClassName" optional runtime_class_name: Text,
        /// Name of the scheduler that assigns the Pod to a node.
        "schedulerName" optional scheduler_name: Text,
        /// Name of the PriorityClass of the Pod.
        "priorityClassName" optional priority_class_name: Text,
        /// Policy for restarting containers: `Always`, `OnFailure` or `Never`.
        "restartPolicy" optional restart_policy: Shaped<RestartPolicy>,
        /// Seconds between the request to stop the Pod and its forced termination.
        "terminationGracePeriodSeconds" optional termination_grace_period_seconds:
            Shaped<TerminationGracePeriodSeconds>,
        /// Pod Security Standard that the Pod must satisfy, which also sets defaults: `restricted`,
        /// `baseline` or `privileged`. Defaults to `restricted`.
        "security" optional security: Choice<Profile>,
        /// Security context of the Pod.
        "podSecurityContext" optional pod_security_context: Shaped<PodSecurityContext>,
        /// Labels and annotations of the Pod.
        "podMetadata" optional pod_metadata: PodMetadata,
        /// Further fields of the PodSpec, which are merged over all others: containers by name,
        /// unless the kind states otherwise. See the kind for the name of the main container.
        "podOverrides" optional pod_overrides: Shaped<PodOverrides>,
    }
}

/// A PodSpec without required fields: absent ones come from the layers below.
#[derive(Clone, Debug)]
pub(crate) struct PodOverrides;

impl KubernetesType for PodOverrides {
    const DEFINITION: &'static str = "io.k8s.api.core.v1.PodSpec";
    const PROPERTY: Option<&'static str> = None;

    fn lookup() -> Type<'static> {
        static PROPERTIES: LazyLock<Vec<Property<'static>>> = LazyLock::new(|| {
            let whole = definition(PodOverrides::DEFINITION);
            let properties = whole.map_or(&[][..], |whole| whole.properties).iter().copied();
            properties.map(|property| Property { is_required: false, ..property }).collect()
        });
        static OVERRIDES: LazyLock<Object<'static>> =
            LazyLock::new(|| Object::new("podOverrides", &PROPERTIES));
        Type::Object(&OVERRIDES)
    }
}
