//! The parts of a `nodepool.yaml` that the drivers for Kubernetes and OpenShift read, as their schemas have them.
//! `drivers.rs` has what only some of them accept.

use crate::decode::{
    Anything, Choice, Flag, Integer, Listed, Mapped, Raw, Shaped, Text, definition,
    kubernetes_types,
};
use crate::dialect::nodepool::node_label::{NodeType, WholePodSpec};
use crate::dialect::nodepool::node_pool::{Driver, Seconds};
use crate::workload::{Annotations, Labels};

kubernetes_types! {
    /// `nodeSelector` of a Pod.
    NodeSelector = "io.k8s.api.core.v1.PodSpec"."nodeSelector";
    /// `volumes` of a Pod.
    Volumes = "io.k8s.api.core.v1.PodSpec"."volumes";
    /// `volumeMounts` of a container.
    VolumeMounts = "io.k8s.api.core.v1.Container"."volumeMounts";
    /// `imagePullSecrets` of a Pod.
    ImagePullSecrets = "io.k8s.api.core.v1.PodSpec"."imagePullSecrets";
    /// `imagePullPolicy` of a container.
    ImagePullPolicy = "io.k8s.api.core.v1.Container"."imagePullPolicy";
}

definition! {
    /// A `nodepool.yaml`.
    pub(crate) struct ConfigurationFile in "nodepool.yaml" {
        /// Labels that requests can name.
        "labels" optional labels: Listed<GlobalLabel>,
        /// Providers of nodes, of any driver.
        "providers" optional providers: Listed<Anything>,
        /// Limits for the nodes of one tenant.
        "tenant-resource-limits" optional tenant_resource_limits: Listed<Mapped<Anything>>,
        /// The launcher's web server.
        "webapp" optional webapp: Anything,
        /// Images of other drivers.
        "diskimages" optional disk_images: Anything,
        /// Elements of disk images.
        "elements-dir" optional elements_dir: Text,
        /// Directory of disk images.
        "images-dir" optional images_dir: Text,
        /// Directory of build logs.
        "build-log-dir" optional build_log_dir: Text,
        /// Number of build logs to keep.
        "build-log-retention" optional build_log_retention: Integer,
        /// Maximum age of held nodes.
        "max-hold-age" optional max_hold_age: Integer,
        /// Servers of ZooKeeper.
        "zookeeper-servers" optional zookeeper_servers: Anything,
        /// Certificates for ZooKeeper.
        "zookeeper-tls" optional zookeeper_tls: Anything,
        /// Timeout of ZooKeeper.
        "zookeeper-timeout" optional zookeeper_timeout: Seconds,
    }
}

definition! {
    /// A label that requests can name.
    pub(crate) struct GlobalLabel in "labels[]" {
        /// Its name.
        "name" required name: Text,
        /// Number of nodes that are kept ready.
        "min-ready" optional min_ready: Integer,
        /// Age in seconds at which a ready node is replaced.
        "max-ready-age" optional max_ready_age: Integer,
    }
}

definition! {
    /// A provider of one of these drivers.
    pub(crate) struct FileProvider in "providers[]" {
        /// Its name.
        "name" required name: Text,
        /// The driver.
        "driver" required driver: Choice<Driver>,
        /// Number of launches at a time.
        "max-concurrency" optional max_concurrency: Integer,
        /// Priority of the provider.
        "priority" optional priority: Integer,
        /// Context of the kubeconfig.
        "context" optional context: Text,
        /// Number of attempts.
        "launch-retries" optional launch_retries: Integer,
        /// Nodes per pool; `kubernetes` ignores it.
        "max-servers" optional max_servers: Integer,
        /// Nodes per pool, for `openshift`.
        "max-projects" optional max_projects: Integer,
        /// Has no effect, for `openshiftpods`.
        "max-pods" optional max_pods: Integer,
        /// Cores per pool.
        "max-cores" optional max_cores: Integer,
        /// MiB per pool.
        "max-ram" optional max_ram: Integer,
        /// Other resources per pool.
        "max-resources" optional max_resources: Mapped<Integer>,
        /// Its pools.
        "pools" required pools: Listed<FilePool>,
    }
}

definition! {
    /// A pool of such a provider.
    pub(crate) struct FilePool in "providers[].pools[]" {
        /// Its name.
        "name" required name: Text,
        /// Priority of the pool.
        "priority" optional priority: Integer,
        /// Attributes of each node.
        "node-attributes" optional node_attributes: Mapped<Anything>,
        /// Number of nodes.
        "max-servers" optional max_servers: Integer,
        /// Number of cores.
        "max-cores" optional max_cores: Integer,
        /// MiB of memory.
        "max-ram" optional max_ram: Integer,
        /// Other resources.
        "max-resources" optional max_resources: Mapped<Integer>,
        /// Cores that a label requests by default.
        "default-label-cpu" optional default_cpu: Integer,
        /// MiB that a label requests by default.
        "default-label-memory" optional default_memory: Integer,
        /// MB that a label requests by default.
        "default-label-storage" optional default_storage: Integer,
        /// Limit of cores by default.
        "default-label-cpu-limit" optional default_cpu_limit: Integer,
        /// Limit of MiB by default.
        "default-label-memory-limit" optional default_memory_limit: Integer,
        /// Limit of MB by default.
        "default-label-storage-limit" optional default_storage_limit: Integer,
        /// Has no effect.
        "default-label-extra-resources" optional default_extra_resources: Mapped<Integer>,
        /// Labels that the pool has nodes for.
        "labels" required labels: Listed<FileLabel>,
    }
}

definition! {
    /// A label of such a pool.
    pub(crate) struct FileLabel in "providers[].pools[].labels[]" {
        /// Its name.
        "name" required name: Text,
        /// `pod`, `namespace` or `project`; always `pod` for `openshiftpods`.
        "type" optional node_type: Choice<NodeType>,
        /// Image of the container.
        "image" optional image: Text,
        /// Pull policy of the image.
        "image-pull" optional image_pull: Shaped<ImagePullPolicy>,
        /// Secrets with the credentials of the image, for OpenShift.
        "image-pull-secrets" optional image_pull_secrets: Shaped<ImagePullSecrets>,
        /// Path of Python.
        "python-path" optional python_path: Text,
        /// Type of the shell.
        "shell-type" optional shell_type: Text,
        /// Cores requested.
        "cpu" optional cpu: Integer,
        /// MiB requested.
        "memory" optional memory: Integer,
        /// MB requested.
        "storage" optional storage: Integer,
        /// Limit of cores.
        "cpu-limit" optional cpu_limit: Integer,
        /// Limit of MiB.
        "memory-limit" optional memory_limit: Integer,
        /// Limit of MB.
        "storage-limit" optional storage_limit: Integer,
        /// Number of GPUs.
        "gpu" optional gpu: Raw<Seconds>,
        /// Resource name of the GPUs.
        "gpu-resource" optional gpu_resource: Text,
        /// Environment variables.
        "env" optional env: Listed<FileVariable>,
        /// Labels of the Kubernetes node.
        "node-selector" optional node_selector: Shaped<NodeSelector>,
        /// Whether the container is privileged.
        "privileged" optional privileged: Flag,
        /// Scheduler of the Pod.
        "scheduler-name" optional scheduler_name: Text,
        /// Volumes of the Pod.
        "volumes" optional volumes: Shaped<Volumes>,
        /// Mounts of the container.
        "volume-mounts" optional volume_mounts: Shaped<VolumeMounts>,
        /// Labels of Namespace and Pod.
        "labels" optional labels: Shaped<Labels>,
        /// Labels with format strings.
        "dynamic-labels" optional dynamic_labels: Mapped<Text>,
        /// Annotations of the Pod.
        "annotations" optional annotations: Shaped<Annotations>,
        /// Quantities that only count for the quota.
        "extra-resources" optional extra_resources: Mapped<Integer>,
        /// The whole spec of the Pod.
        "spec" optional spec: Shaped<WholePodSpec>,
    }
}

definition! {
    /// An environment variable.
    pub(crate) struct FileVariable in "providers[].pools[].labels[].env[]" {
        /// Its name.
        "name" required name: Text,
        /// Its value.
        "value" required value: Text,
    }
}
