//! The fields that all kinds with Pods share, with the same names and meaning.

use std::sync::LazyLock;

use crate::decode::{Choice, Flag, KubernetesType, Shaped, Text, definition, kubernetes_types};
use crate::pod_security::Profile;
use crate::schema::{Object, Property, Type, definition};
use crate::tree::Node;

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

/// Declares fields of a definition that are fields of a Kubernetes object, in the order of the
/// output. The name in the object follows `=>` if it differs.
macro_rules! object_fields {
    (
        $(#[doc = $summary:expr])+
        pub(crate) struct $record:ident in $object:literal {
            $( $(#[doc = $doc:expr])+ $key:literal $(=> $name:literal)? $field:ident: $value:ty, )*
        }
    ) => {
        definition! {
            $(#[doc = $summary])+
            pub(crate) struct $record in $object {
                $( $(#[doc = $doc])+ $key optional $field: $value, )*
            }
        }

        impl $record {
            /// The name of each field in the definition and in the object.
            pub(crate) const NAMES: &[(&str, &str)] =
                &[$( ($key, object_fields!(@name $key $($name)?)) ),*];

            /// The value of each field, with its name in the object.
            pub(super) fn into_fields(self) -> impl Iterator<Item = (&'static str, Option<Node>)> {
                let Self { $($field),* } = self;
                let fields = [$(
                    (object_fields!(@name $key $($name)?), $field.map(<$value>::into_node))
                ),*];
                fields.into_iter()
            }
        }
    };
    (@name $key:literal) => { $key };
    (@name $key:literal $name:literal) => { $name };
}

object_fields! {
    /// Fields of the main container, with the types of Kubernetes.
    pub(crate) struct ContainerFields in "container fields" {
        /// Image of the main container.
        "image" image: Text,
        /// Policy for pulling the image: `Always`, `IfNotPresent` or `Never`.
        "imagePullPolicy" image_pull_policy: Shaped<ImagePullPolicy>,
        /// Command of the main container. Defaults to the entrypoint of the image.
        "command" command: Shaped<Command>,
        /// Arguments of the command, or of the entrypoint of the image.
        "args" args: Shaped<Args>,
        /// Working directory of the main container. Defaults to that of the image.
        "workingDir" working_dir: Text,
        /// Ports that the main container listens on.
        "ports" ports: Shaped<Ports>,
        /// ConfigMaps and Secrets whose keys become environment variables of the main container.
        "envFrom" env_from: Shaped<EnvFrom>,
        /// Environment variables of the main container.
        "env" env: Shaped<Env>,
        /// Resource requests and limits of the main container.
        "resources" resources: Shaped<Resources>,
        /// Mounts of volumes in the main container.
        "volumeMounts" volume_mounts: Shaped<VolumeMounts>,
        /// Probe that decides whether the main container has started.
        "startupProbe" startup_probe: Shaped<Probe>,
        /// Probe that decides whether the main container can receive requests.
        "readinessProbe" readiness_probe: Shaped<Probe>,
        /// Probe that decides whether the main container must be restarted.
        "livenessProbe" liveness_probe: Shaped<Probe>,
        /// Hooks that run after the start and before the stop of the main container.
        "lifecycle" lifecycle: Shaped<Lifecycle>,
        /// Security context of the main container.
        "containerSecurityContext" => "securityContext" container_security_context:
            Shaped<ContainerSecurityContext>,
    }
}

object_fields! {
    /// Fields of the PodSpec, with the types of Kubernetes.
    pub(crate) struct PodSpecFields in "PodSpec fields" {
        /// Name of the RuntimeClass of the Pod: `gvisor`, `kata`, ...
        "runtimeClassName" runtime_class_name: Text,
        /// Name of the ServiceAccount of the Pod.
        "serviceAccountName" service_account_name: Text,
        /// Whether a token of the ServiceAccount is mounted in the Pod. Defaults to `false`.
        "automountServiceAccountToken" automount_service_account_token: Flag,
        /// Security context of the Pod.
        "podSecurityContext" => "securityContext" pod_security_context: Shaped<PodSecurityContext>,
        /// Secrets with credentials for pulling images.
        "imagePullSecrets" image_pull_secrets: Shaped<ImagePullSecrets>,
        /// Containers that run before the main container or, with `restartPolicy: Always`, next to
        /// it.
        "initContainers" init_containers: Shaped<InitContainers>,
        /// Volumes of the Pod.
        "volumes" volumes: Shaped<Volumes>,
        /// Labels that a node must have to run the Pod.
        "nodeSelector" node_selector: Shaped<NodeSelector>,
        /// Tolerations of the Pod for taints of nodes.
        "tolerations" tolerations: Shaped<Tolerations>,
        /// Scheduling constraints of the Pod.
        "affinity" affinity: Shaped<Affinity>,
        /// Name of the scheduler that assigns the Pod to a node.
        "schedulerName" scheduler_name: Text,
        /// Name of the PriorityClass of the Pod.
        "priorityClassName" priority_class_name: Text,
        /// Policy for restarting containers: `Always`, `OnFailure` or `Never`.
        "restartPolicy" restart_policy: Shaped<RestartPolicy>,
        /// Seconds between the request to stop the Pod and its forced termination.
        "terminationGracePeriodSeconds" termination_grace_period_seconds:
            Shaped<TerminationGracePeriodSeconds>,
    }
}

definition! {
    /// Fields of a Pod and its main container, with the types of Kubernetes.
    pub(crate) struct PodFields in "pod fields" {
        flatten container: ContainerFields,
        flatten spec: PodSpecFields,
        /// Pod Security Standard that the Pod must satisfy, which also sets defaults: `restricted`,
        /// `baseline` or `privileged`. Defaults to `restricted`.
        "security" optional security: Choice<Profile>,
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
