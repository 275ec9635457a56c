//! The rules and their pages: variables that a claim injects into the containers of its template.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses variables on a claim whose template does not let claims inject any.
    ///
    /// ## Why
    /// `envVarsInjectionPolicy` is `Disallowed` unless the template says otherwise. The claim ends
    /// with the reason `EnvVarsInjectionRejected`, which is not tried again; a later change of the
    /// template does not wake it.
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
    ///   env: [{name: MODE, value: test}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
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
    ///   env: [{name: MODE, value: test}]
    /// ```
    CLAIM_ENV_DISALLOWED = "claim-env-disallowed", Error;

    /// ## What it does
    /// Refuses a claim's variable that the target container has already, under the policy `Allowed`.
    ///
    /// ## Why
    /// `Allowed` lets claims add variables, not replace them. The claim reports `ReconcilerError`
    /// and is tried again for ever.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///       - {name: main, image: "python:3.13", env: [{name: MODE, value: prod}]}
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
    ///   env: [{name: MODE, value: test}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Overrides
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///       - {name: main, image: "python:3.13", env: [{name: MODE, value: prod}]}
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
    ///   env: [{name: MODE, value: test}]
    /// ```
    CLAIM_ENV_OVERRIDES_TEMPLATE = "claim-env-overrides-template", Error;

    /// ## What it does
    /// Refuses the same variable twice for one container of a claim, under the policy `Allowed`.
    ///
    /// ## Why
    /// The second one counts as an override of the first, and `Allowed` forbids overrides. The claim
    /// reports `ReconcilerError` and is tried again for ever. Under `Overrides` the last one stands.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
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
    ///   env:
    ///   - {name: MODE, value: test}
    ///   - {name: MODE, value: prod}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
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
    ///   env:
    ///   - {name: MODE, value: test}
    /// ```
    CLAIM_ENV_DUPLICATE = "claim-env-duplicate", Error;

    /// ## What it does
    /// Refuses variables of a claim for a container that has `envFrom`, under the policy `Allowed`.
    ///
    /// ## Why
    /// The controller cannot know which names `envFrom` brings, so it cannot tell an addition from
    /// an override, and refuses both with `EnvVarsInjectionRejected`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///       - {name: main, image: "python:3.13", envFrom: [{configMapRef: {name: settings}}]}
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
    ///   env: [{name: MODE, value: test}]
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Overrides
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///       - {name: main, image: "python:3.13", envFrom: [{configMapRef: {name: settings}}]}
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
    ///   env: [{name: MODE, value: test}]
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    CLAIM_ENV_BESIDE_ENV_FROM = "claim-env-beside-env-from", Error;

    /// ## What it does
    /// Refuses a claim's variable for a container that the template does not have.
    ///
    /// ## Why
    /// Targets are init and regular containers, by name; without a name it is the first regular one.
    /// An unknown name ends in `ReconcilerError`, tried again for ever.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
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
    ///   env: [{name: MODE, value: test, containerName: mian}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
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
    ///   env: [{name: MODE, value: test, containerName: main}]
    /// ```
    CLAIM_ENV_CONTAINER_UNKNOWN = "claim-env-container-unknown", Error;

    /// ## What it does
    /// Refuses `valueFrom` on a claim's variable.
    ///
    /// ## Why
    /// A claim's variable has a name, a literal value and a container, nothing else. `valueFrom` is
    /// refused by strict clients and dropped by others. Secrets reach a sandbox through its template.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
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
    ///   env:
    ///   - {name: TOKEN, value: "", valueFrom: {secretKeyRef: {name: api, key: token}}}
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
    ///       containers:
    ///       - name: main
    ///         image: python:3.13
    ///         env:
    ///         - {name: TOKEN, valueFrom: {secretKeyRef: {name: api, key: token}}}
    /// ---
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: api}
    /// stringData: {token: example}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec: {warmPoolRef: {name: python}}
    /// ```
    CLAIM_ENV_VALUE_FROM = "claim-env-value-from", Error;

    /// ## What it does
    /// Warns when a claim replaces a variable that the template takes from a Secret, a ConfigMap or
    /// a field.
    ///
    /// ## Why
    /// Under `Overrides` the whole variable is replaced by a literal. What was a reference to a
    /// Secret is then plain text in the claim, readable by everyone who may read claims.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Overrides
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///       - name: main
    ///         image: python:3.13
    ///         env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: api, key: token}}}]
    /// ---
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: api}
    /// stringData: {token: example}
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
    ///   env: [{name: TOKEN, value: mine}]
    /// ```
    ///
    /// ## Use instead
    /// Leave the variable to the template:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Overrides
    ///   podTemplate:
    ///     spec:
    ///       containers:
    ///       - name: main
    ///         image: python:3.13
    ///         env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: api, key: token}}}]
    /// ---
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: api}
    /// stringData: {token: example}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 0, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec: {warmPoolRef: {name: python}}
    /// ```
    CLAIM_ENV_REPLACES_REFERENCE = "claim-env-replaces-reference", Warning;

    /// ## What it does
    /// Warns when a claim on a pool with members has `env` or `volumeClaimTemplates`.
    ///
    /// ## Why
    /// Variables and volumes cannot be added to a running Pod, so such a claim never gets a member
    /// of the pool: it always starts cold, and the pool's capacity is paid for and not used.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
    ///   podTemplate:
    ///     metadata:
    ///       annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "true"}
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec: {replicas: 2, sandboxTemplateRef: {name: python}}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    ///   env: [{name: MODE, value: test}]
    /// ```
    ///
    /// ## Use instead
    /// Put the variable into the template, or use a pool that keeps no members:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   envVarsInjectionPolicy: Allowed
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
    ///   env: [{name: MODE, value: test}]
    /// ```
    CLAIM_BYPASSES_WARM_POOL = "claim-bypasses-warm-pool", Warning;
}
