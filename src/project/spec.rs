//! The fields of a `Project`.

use super::Applier;
use crate::decode::{Anything, Choice, Listed, Mapped, NameOr, Text, choice, definition};
use crate::pod_security::Profile;

definition! {
    /// An object that already exists in the cluster, so that references to it are not errors.
    pub(crate) struct External in "Project.spec.external[]" {
        /// `apiVersion` of the object. Defaults to `v1`.
        "apiVersion" optional api_version: Text,
        /// Kind of the object: `Secret`, `ConfigMap`, `RuntimeClass`, ...
        "kind" required kind: Text,
        /// Name of the object.
        "name" required name: Text,
        /// Namespace of the object. Defaults to the namespace of the Project. Omit it for
        /// cluster-scoped kinds.
        "namespace" optional namespace: Text,
        /// Keys of a Secret or ConfigMap. Only required if the output depends on them, as for
        /// `envFrom` of an MCP server.
        "keys" optional keys: Listed<Text>,
        /// Explanation for readers: who creates the object.
        "because" optional because: Text,
    }
}

definition! {
    /// Allowed findings of a rule, optionally limited to some objects or files.
    pub(crate) struct Allowed in "Project.spec.allow[]" {
        /// Name of the rule. Errors cannot be allowed, except violations of a Pod Security level
        /// that you chose.
        "rule" required rule: Text,
        /// Kind of the objects or definitions that contain the findings.
        "kind" optional kind: Text,
        /// Name of the objects or definitions that contain the findings. `*` matches any part of a
        /// name.
        "name" optional name: Text,
        /// File that contains the findings, relative to the directory of the Project. `*` matches a
        /// part of a name, `**` matches any directories.
        "file" optional file: Text,
        /// Reason for the exception.
        "because" required because: Text,
    }
}

definition! {
    /// Settings of one environment, which take precedence over those of the Project.
    pub(crate) struct Environment in "Project.spec.environments" {
        /// Values that are merged over the values of the Project: maps are merged, all other values
        /// are replaced.
        "values" optional values: Anything,
        /// Version of Kubernetes, or several, as `kubernetes` of the Project.
        "kubernetes" optional kubernetes: Text,
        /// Namespace of definitions that do not set one.
        "namespace" optional namespace: Text,
        /// Objects that already exist in the cluster of this environment, and files with such objects,
        /// in addition to those of the Project.
        "external" optional external: Listed<NameOr<External>>,
    }
}

definition! {
    /// Pod Security Standard that all Pods and Pod templates must satisfy. The labels of a
    /// Namespace in the input also apply to its objects in the input.
    pub(crate) struct PodSecuritySettings in "Project.spec.podSecurity" {
        /// Level of the standard. `--policy` takes precedence.
        "enforce" optional enforce: Choice<Profile>,
        /// Version of the standard: `v1.30`, or `latest`. Defaults to the target version of
        /// Kubernetes.
        "enforceVersion" optional enforce_version: Text,
        /// Names of namespaces whose Pods are exempt.
        "exemptNamespaces" optional exempt_namespaces: Listed<Text>,
        /// Names of RuntimeClasses whose Pods are exempt.
        "exemptRuntimeClasses" optional exempt_runtime_classes: Listed<Text>,
    }
}

choice! {
    /// The documents whose expressions are evaluated.
    pub(crate) enum Evaluated {
        /// Definitions.
        Definitions = "definitions",
        /// Also ordinary objects.
        All = "all",
    }
}

choice! {
    /// An IP family.
    pub(crate) enum IpFamily {
        /// IPv4.
        V4 = "IPv4",
        /// IPv6.
        V6 = "IPv6",
    }
}

definition! {
    /// Network of the cluster. Services are checked against it as the API server allocates their
    /// addresses.
    pub(crate) struct ClusterNetwork in "Project.spec.cluster" {
        /// Address ranges of Services: the option `--service-cluster-ip-range` of the API server,
        /// and the ServiceCIDRs of the cluster.
        "serviceCIDRs" optional service_cidrs: Listed<Text>,
        /// IP families of Services. Defaults to those of `serviceCIDRs`.
        "ipFamilies" optional ip_families: Listed<Choice<IpFamily>>,
    }
}

choice! {
    /// The program that applies the output.
    pub(crate) enum AppliedWith {
        /// `kubectl apply`, which makes its patch from the last applied form.
        Kubectl = "kubectl",
        /// `kubectl apply --server-side`.
        KubectlServerSide = "kubectl-server-side",
        /// Helm. Helm 3 merges as `kubectl apply` does, Helm 4 applies on the side of the server.
        Helm = "helm",
        /// Argo CD, which applies as `kubectl apply` does by default.
        ArgoCd = "argocd",
        /// Flux, which applies on the side of the server.
        Flux = "flux",
    }
}

impl From<AppliedWith> for Applier {
    fn from(program: AppliedWith) -> Self {
        match program {
            AppliedWith::Kubectl => Self::Client,
            AppliedWith::KubectlServerSide => Self::Server,
            AppliedWith::Helm => Self::Helm,
            AppliedWith::ArgoCd => Self::ArgoCd,
            AppliedWith::Flux => Self::Flux,
        }
    }
}

definition! {
    /// How the output is applied.
    pub(crate) struct ApplySettings in "Project.spec.apply" {
        /// The program that applies it. Defaults to `kubectl`.
        "with" required with: Choice<AppliedWith>,
    }
}

definition! {
    /// Settings for all definitions of a run. Each system adds its own block.
    pub(crate) struct ProjectSpec in "Project.spec" {
        /// Version of Kubernetes whose API server must accept the output: `"1.36"`, or several:
        /// `"1.34,1.36"`, `"1.34..1.37"`. `--kubernetes` takes precedence.
        "kubernetes" optional kubernetes: Text,
        /// Namespace of definitions that do not set one.
        "namespace" optional namespace: Text,
        /// Values that expressions can use as `values`.
        "values" optional values: Anything,
        /// Settings of each environment, selected by `--environment`. Expressions can use its name as
        /// `environment`.
        "environments" optional environments: Mapped<Environment>,
        /// Documents whose expressions are evaluated: `definitions`, or `all`, which also evaluates
        /// those in ordinary Kubernetes objects. Defaults to `definitions`.
        "expressions" optional expressions: Choice<Evaluated>,
        /// Pod Security Standard that all Pods must satisfy.
        "podSecurity" optional pod_security: PodSecuritySettings,
        /// How the output is applied: what only client-side `kubectl apply` loses or rejects is reported if
        /// that applies it.
        "apply" optional apply: ApplySettings,
        /// Network of the cluster, which is not checked by default.
        "cluster" optional cluster: ClusterNetwork,
        /// Allowed findings, with a reason for each.
        "allow" optional allow: Listed<Allowed>,
        /// Rules whose findings are errors, and `warnings` if all warnings fail a run. `--deny` adds
        /// others.
        "deny" optional deny: Listed<Text>,
        /// Rules whose findings are warnings, also if they are notes by default. `--warn` adds
        /// others.
        "warn" optional warn: Listed<Text>,
        /// Files and directories with CustomResourceDefinitions that are not part of the output, as
        /// with `--crd`. Relative to the directory of the Project.
        "crds" optional crds: Listed<Text>,
        /// Objects that already exist in the cluster. `secret/creds` is a short form for built-in kinds:
        /// the kind with its plural or short names, optionally the namespace, and the name. A path
        /// that ends in `.yaml`, `.yml` or `.json` is a file with such objects, such as the output of
        /// `kubectl get -o yaml`, relative to the directory of the Project.
        "external" optional external: Listed<NameOr<External>>,
    }
}
