//! The rules of the envelope: `apiVersion`, `kind`, name and namespace.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports an `apiVersion` that Kubernetes has deprecated, and what took its place.
    ///
    /// ## Why
    /// A later version of Kubernetes no longer serves it, and the object then fails to apply.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Endpoints
    /// metadata: {name: database}
    /// subsets:
    ///   - addresses: [{ip: 10.0.0.5}]
    ///     ports: [{port: 5432}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: discovery.k8s.io/v1
    /// kind: EndpointSlice
    /// metadata: {name: database-1, labels: {kubernetes.io/service-name: database}}
    /// addressType: IPv4
    /// endpoints: [{addresses: [10.0.0.5]}]
    /// ports: [{port: 5432}]
    /// ```
    API_VERSION_DEPRECATED = "api-version-deprecated", Warning;

    /// ## What it does
    /// Reports an object without `apiVersion`.
    ///
    /// ## Why
    /// Together with `kind` it says what the object is.
    ///
    /// ## Example
    /// ```yaml
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    API_VERSION_MISSING = "api-version-missing", Error;

    /// ## What it does
    /// Reports an alpha or beta version of a built-in kind.
    ///
    /// ## Why
    /// Since Kubernetes 1.24 API servers serve new ones only where the administrator has asked for it.
    /// Elsewhere the object fails to apply.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: certificates.k8s.io/v1beta1
    /// kind: ClusterTrustBundle
    /// metadata: {name: roots}
    /// spec: {trustBundle: "..."}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: roots}
    /// data: {ca.crt: "..."}
    /// ```
    API_VERSION_NOT_SERVED = "api-version-not-served", Warning;

    /// ## What it does
    /// Reports an `apiVersion` that the target version of Kubernetes no longer has, and what took its
    /// place.
    ///
    /// ## Why
    /// The API server does not know the kind under this version.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: policy/v1beta1
    /// kind: PodDisruptionBudget
    /// metadata: {name: web}
    /// spec:
    ///   minAvailable: 1
    ///   selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata: {name: web}
    /// spec:
    ///   minAvailable: 1
    ///   selector: {matchLabels: {app: web}}
    /// ```
    API_VERSION_REMOVED = "api-version-removed", Error;

    /// ## What it does
    /// Reports an `apiVersion` that does not have the kind, where another one has.
    ///
    /// ## Why
    /// Each kind belongs to a group, and only the core group is written without one.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: NetworkPolicy
    /// metadata: {name: deny}
    /// spec: {podSelector: {}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: networking.k8s.io/v1
    /// kind: NetworkPolicy
    /// metadata: {name: deny}
    /// spec: {podSelector: {}}
    /// ```
    API_VERSION_WRONG = "api-version-wrong", Error;

    /// ## What it does
    /// Reports an object without `kind`.
    ///
    /// ## Why
    /// Together with `apiVersion` it says what the object is.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// metadata: {name: settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    KIND_MISSING = "kind-missing", Error;

    /// ## What it does
    /// Reports a kind that Kubernetes has only after the target version.
    ///
    /// ## Why
    /// A server of the target version does not know it.
    ///
    /// ## Example
    /// ```yaml
    /// # kubernetes: 1.33
    /// apiVersion: resource.k8s.io/v1
    /// kind: DeviceClass
    /// metadata: {name: gpu}
    /// spec: {}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// # kubernetes: 1.34
    /// apiVersion: resource.k8s.io/v1
    /// kind: DeviceClass
    /// metadata: {name: gpu}
    /// spec: {}
    /// ```
    KIND_NOT_IN_VERSION = "kind-not-in-version", Error;

    /// ## What it does
    /// Reports a kind that no version of Kubernetes has under this `apiVersion` or another.
    ///
    /// ## Why
    /// It is most likely misspelt; kinds begin with a capital.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Configmap
    /// metadata: {name: settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    KIND_UNKNOWN = "kind-unknown", Error;

    /// ## What it does
    /// Reports a name that the API server refuses for the kind.
    ///
    /// ## Why
    /// Most names are DNS subdomains: lower-case letters, digits, `-` and `.`, at most 253 characters.
    /// Namespaces, Services and `StatefulSet`s have at most 63 and no dot, `CronJob`s 52, Jobs 63.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: My_Settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: my-settings}
    /// ```
    NAME_INVALID = "name-invalid", Error;

    /// ## What it does
    /// Reports an object with neither `name` nor `generateName`.
    ///
    /// ## Why
    /// The API server refuses it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {labels: {app: web}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings, labels: {app: web}}
    /// ```
    NAME_MISSING = "name-missing", Error;

    /// ## What it does
    /// Reports a namespace that cannot exist.
    ///
    /// ## Why
    /// The name of a namespace is a DNS label: lower-case letters, digits and `-`, at most 63.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings, namespace: team.web}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings, namespace: team-web}
    /// ```
    NAMESPACE_INVALID = "namespace-invalid", Error;

    /// ## What it does
    /// Reports a namespace on an object that belongs to the whole cluster.
    ///
    /// ## Why
    /// The API server drops the namespace without a word: what was meant for one team holds for the
    /// whole cluster, and two such objects of one name are the same object.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: ClusterRole
    /// metadata: {name: reader, namespace: web}
    /// rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: rbac.authorization.k8s.io/v1
    /// kind: Role
    /// metadata: {name: reader, namespace: web}
    /// rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
    /// ```
    NAMESPACE_ON_CLUSTER_SCOPED = "namespace-on-cluster-scoped", Warning;

    /// ## What it does
    /// Reports a document that is a list or a scalar.
    ///
    /// ## Why
    /// A Kubernetes object is a map with `apiVersion`, `kind` and `metadata`.
    ///
    /// ## Example
    /// ```yaml
    /// - apiVersion: v1
    ///   kind: ConfigMap
    ///   metadata: {name: settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    NOT_AN_OBJECT = "not-an-object", Error;

    /// ## What it does
    /// Reports a custom resource whose definition is not in the input.
    ///
    /// ## Why
    /// It is printed as it is: nothing is known of its fields, so a misspelt one is found by the API
    /// server only.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: example.com/v1
    /// kind: Widget
    /// metadata: {name: blue}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: blue}
    /// ```
    SCHEMA_UNKNOWN = "schema-unknown", Warning;
}
