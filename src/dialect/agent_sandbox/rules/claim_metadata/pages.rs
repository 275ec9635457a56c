//! The rules and their pages: `additionalPodMetadata` of a claim: the labels and annotations it may put on its Pod.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses label keys and annotation keys in `additionalPodMetadata` that Kubernetes does not
    /// take.
    ///
    /// ## Why
    /// A key is a name, or a lower-case domain, `/` and a name; the name has at most 63 letters,
    /// digits, `-`, `_` and `.`. The claim ends with the reason `InvalidMetadata`, which is not tried
    /// again.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {annotations: {"owner:": alice}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {annotations: {owner: alice}}
    /// ```
    CLAIM_METADATA_KEY_INVALID = "claim-metadata-key-invalid", Error;

    /// ## What it does
    /// Refuses `app: sandbox-router`, in any case, as a label that a claim puts on its Pod.
    ///
    /// ## Why
    /// The network policies of templates let Pods with that label in. The claim ends with the reason
    /// `InvalidMetadata`, which is not tried again.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {app: sandbox-router}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {sandbox.users.io/app: router}}
    /// ```
    CLAIM_LABEL_ROUTER = "claim-label-router", Error;

    /// ## What it does
    /// Refuses labels without a domain in `additionalPodMetadata`.
    ///
    /// ## Why
    /// A label such as `app` could bring the Pod under network policies and Services that were not
    /// made for it, so the controller takes labels with an allowed domain only. The claim ends with
    /// the reason `InvalidMetadata`, which is not tried again. Annotations need no domain.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {user: alice}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {sandbox.users.io/user: alice}}
    /// ```
    CLAIM_LABEL_UNPREFIXED = "claim-label-unprefixed", Error;

    /// ## What it does
    /// Refuses labels in `additionalPodMetadata` whose domain is not allowed.
    ///
    /// ## Why
    /// The controller allows `sandbox.users.io` and its sub-domains, or what its operator put in
    /// place of it. The claim ends with the reason `InvalidMetadata`, which is not tried again.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {example.com/user: alice}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {team-a.sandbox.users.io/user: alice}}
    /// ```
    CLAIM_LABEL_DOMAIN_FORBIDDEN = "claim-label-domain-forbidden", Error;

    /// ## What it does
    /// Refuses annotations under `kubernetes.io`, `k8s.io` and `agents.x-k8s.io`, sub-domains
    /// included, in `additionalPodMetadata`.
    ///
    /// ## Why
    /// Such annotations steer the system. The only one that a claim may set is
    /// `cluster-autoscaler.kubernetes.io/safe-to-evict`. The claim ends with the reason
    /// `InvalidMetadata`, which is not tried again.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {annotations: {foo.k8s.io/x: v}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {annotations: {example.com/x: v}}
    /// ```
    CLAIM_ANNOTATION_DOMAIN_RESERVED = "claim-annotation-domain-reserved", Error;

    /// ## What it does
    /// Refuses label values in `additionalPodMetadata` that Kubernetes does not take.
    ///
    /// ## Why
    /// A value has at most 63 characters: letters, digits, `-`, `_` and `.`, with a letter or a digit
    /// at both ends. The claim ends with the reason `InvalidMetadata`, which is not tried again.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {sandbox.users.io/user: "alice@example.com"}}
    /// ```
    ///
    /// ## Use instead
    /// An annotation takes any text:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {annotations: {user: "alice@example.com"}}
    /// ```
    CLAIM_LABEL_VALUE_INVALID = "claim-label-value-invalid", Error;

    /// ## What it does
    /// Refuses a claim's label or annotation that its template has with another value.
    ///
    /// ## Why
    /// The controller does not choose between the two. The claim reports `ReconcilerError` and is
    /// tried again for ever; where a member of the pool was chosen already, it keeps trying that one
    /// and never gets another.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     metadata: {labels: {sandbox.users.io/tier: free}}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {sandbox.users.io/tier: paid}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   additionalPodMetadata: {labels: {sandbox.users.io/tier: paid}}
    /// ```
    CLAIM_METADATA_CONFLICT = "claim-metadata-conflict", Error;
}
