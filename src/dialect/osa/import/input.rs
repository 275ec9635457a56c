//! The configuration of an archive with its hooks and ingesters, as the server reads it.

use crate::decode::{Anything, Choice, Integer, Listed, Mapped, Text, choice, definition};

choice! {
    /// The runtime of containers, by the server's names.
    pub(crate) enum ServerBackend {
        /// Docker.
        Oci = "oci",
        /// Kubernetes Jobs.
        K8s = "k8s",
    }
}

definition! {
    /// Settings of Jobs.
    pub(crate) struct K8sConfig in "runner.k8s" {
        /// Namespace of the Jobs.
        "namespace" optional namespace: Text,
        /// ServiceAccount of the Jobs' Pods.
        "service_account" optional service_account: Text,
        /// Name of the volume claim with the archive's data.
        "data_pvc_name" optional data_pvc_name: Text,
        /// Path at which the server mounts the volume claim.
        "data_mount_path" optional data_mount_path: Text,
        /// Names of Secrets to pull images with.
        "image_pull_secrets" optional image_pull_secrets: Listed<Text>,
        /// Seconds after which a finished Job is deleted.
        "job_ttl_seconds" optional job_ttl_seconds: Integer,
        /// Bucket of the object store.
        "s3_bucket" optional s3_bucket: Text,
        /// Address of the object store.
        "s3_endpoint_url" optional s3_endpoint_url: Text,
    }
}

definition! {
    /// Runtime of containers.
    pub(crate) struct RunnerConfig in "runner" {
        /// The backend.
        "backend" optional backend: Choice<ServerBackend>,
        /// Settings of the backend `k8s`.
        "k8s" optional k8s: K8sConfig,
    }
}

definition! {
    /// Limits of a container.
    pub(crate) struct ContainerLimits in "limits" {
        /// Maximum running time, in seconds.
        "timeout_seconds" optional timeout_seconds: Integer,
        /// Memory, in Docker's units.
        "memory" optional memory: Text,
        /// CPU.
        "cpu" optional cpu: Text,
    }
}

definition! {
    /// A built image.
    pub(crate) struct Release in "release" {
        /// The image.
        "image" required image: Text,
        /// Its digest.
        "digest" required digest: Text,
        /// Reference to its source code.
        "source_ref" optional source_ref: Text,
    }
}

choice! {
    /// The kind of a runtime.
    pub(crate) enum RuntimeType {
        /// A container image.
        Oci = "oci",
    }
}

choice! {
    /// The number of rows that a hook writes for each record.
    pub(crate) enum Cardinality {
        /// One row.
        One = "one",
        /// Any number of rows.
        Many = "many",
    }
}

choice! {
    /// The kind of a feature.
    pub(crate) enum FeatureKind {
        /// A table.
        Table = "table",
    }
}

definition! {
    /// The output of a hook. No Job depends on it.
    pub(crate) struct Feature in "hooks[].feature" {
        /// `table`.
        "kind" optional kind: Choice<FeatureKind>,
        /// Rows for each record.
        "cardinality" required cardinality: Choice<Cardinality>,
        /// Columns of the table.
        "columns" required columns: Listed<Anything>,
    }
}

definition! {
    /// A built image with its limits and configuration.
    pub(crate) struct Runtime in "hooks[].runtime" {
        /// `oci`.
        "type" optional kind: Choice<RuntimeType>,
        /// The image.
        "image" required image: Text,
        /// Its digest.
        "digest" required digest: Text,
        /// Configuration of the container.
        "config" optional config: Mapped<Anything>,
        /// Limits of the container.
        "limits" optional limits: ContainerLimits,
    }
}

definition! {
    /// One run of a hook.
    pub(crate) struct HookRunInput in "hooks[].run" {
        /// Resource name of the validated deposition.
        "deposition" optional deposition: Text,
        /// Id of the ingest run, without a deposition. `<id>_b<n>` is batch `n` of the run `<id>`.
        "runId" optional run_id: Text,
        /// Index of the batch.
        "batch" optional batch: Integer,
        /// Directory of the run.
        "workDir" required work_dir: Text,
        /// Directory of the files of each record, by record ID. The container gets the parent of
        /// the first.
        "filesDirs" optional files_dirs: Mapped<Text>,
        /// Configuration, merged over that of the hook.
        "config" optional config: Mapped<Anything>,
    }
}

definition! {
    /// A hook, with `release` or with `runtime`.
    pub(crate) struct HookInput in "hooks[]" {
        /// Name of the hook.
        "name" required name: Text,
        /// Output of the hook. No Job depends on it.
        "feature" optional feature: Feature,
        /// Configuration of the container.
        "config" optional config: Mapped<Anything>,
        /// Limits of the container.
        "limits" optional limits: ContainerLimits,
        /// The built image.
        "release" optional release: Release,
        /// The built image with its limits and configuration.
        "runtime" optional runtime: Runtime,
        /// The run.
        "run" optional run: HookRunInput,
    }
}

definition! {
    /// One run of an ingester.
    pub(crate) struct IngesterRunInput in "ingesters[].run" {
        /// Slug of the convention.
        "convention" optional convention: Text,
        /// Id of the ingest run.
        "runId" optional run_id: Text,
        /// Index of the batch.
        "batch" optional batch: Integer,
        /// Time since which records must have changed.
        "since" optional since: Text,
        /// Maximum number of records.
        "limit" optional limit: Integer,
        /// Number of records to skip.
        "offset" optional offset: Integer,
        /// State of an earlier run.
        "session" optional session: Mapped<Anything>,
        /// Configuration, merged over that of the ingester.
        "config" optional config: Mapped<Anything>,
        /// Directory of the run.
        "workDir" required work_dir: Text,
        /// Directory of the record files.
        "filesDir" required files_dir: Text,
    }
}

definition! {
    /// An ingester, with `release` or with `image` and `digest`.
    pub(crate) struct IngesterInput in "ingesters[]" {
        /// Name of the ingester.
        "name" optional name: Text,
        /// The image.
        "image" optional image: Text,
        /// Its digest.
        "digest" optional digest: Text,
        /// The built image.
        "release" optional release: Release,
        /// Configuration of the container.
        "config" optional config: Mapped<Anything>,
        /// Limits of the container.
        "limits" optional limits: ContainerLimits,
        /// Schedule.
        "schedule" optional schedule: Anything,
        /// Settings of the first run.
        "initial_run" optional initial_run: Anything,
        /// Reference to its source code.
        "source_ref" optional source_ref: Text,
        /// The run.
        "run" optional run: IngesterRunInput,
    }
}

definition! {
    /// A deployed convention.
    pub(crate) struct ConventionInput in "conventions[]" {
        /// Title, from which the server derives the slug.
        "title" required title: Text,
        /// Description.
        "description" optional description: Anything,
        /// Schema of the records.
        "schema" optional schema: Anything,
        /// Required files of records.
        "file_requirements" optional file_requirements: Anything,
        /// Documentation.
        "docs" optional docs: Anything,
        /// Hooks.
        "hooks" optional hooks: Listed<HookInput>,
        /// The ingester.
        "ingester" optional ingester: IngesterInput,
    }
}

definition! {
    /// The configuration of an archive with its hooks and ingesters.
    pub(crate) struct Archive in "configuration" {
        /// Runtime of containers.
        "runner" optional runner: RunnerConfig,
        /// Environment variables of the server. They take precedence over `runner`.
        "environment" optional environment: Mapped<Anything>,
        /// Conventions with their hooks and ingesters.
        "conventions" optional conventions: Listed<ConventionInput>,
        /// Hooks of all conventions.
        "hooks" optional hooks: Listed<HookInput>,
        /// Ingesters of all conventions.
        "ingesters" optional ingesters: Listed<IngesterInput>,
        /// Name of the archive.
        "name" optional name: Anything,
        /// Version of the server.
        "version" optional version: Anything,
        /// Description of the archive.
        "description" optional description: Anything,
        /// Domain of the archive.
        "domain" optional domain: Anything,
        /// Address of the server.
        "base_url" optional base_url: Anything,
        /// Whether the server is for development.
        "dev_mode" optional dev_mode: Anything,
        /// Web interface.
        "frontend" optional frontend: Anything,
        /// Database.
        "database" optional database: Anything,
        /// Log.
        "logging" optional logging: Anything,
        /// Background worker.
        "worker" optional worker: Anything,
        /// Authentication.
        "auth" optional auth: Anything,
        /// Read interface.
        "data" optional data: Anything,
        /// Model Context Protocol.
        "mcp" optional mcp: Anything,
        /// Telemetry.
        "observability" optional observability: Anything,
        /// Directory of the data on the host.
        "host_data_dir" optional host_data_dir: Anything,
    }
}
