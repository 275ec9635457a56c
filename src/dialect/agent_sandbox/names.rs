//! Groups, kinds, versions, and the label and annotation keys that the controllers own.

/// The group of Sandbox.
pub(crate) const AGENTS_GROUP: &str = "agents.x-k8s.io";
/// The group of SandboxTemplate, SandboxWarmPool and SandboxClaim.
pub(crate) const EXTENSIONS_GROUP: &str = "extensions.agents.x-k8s.io";
/// The version that is stored, and that the rules describe.
pub(crate) const VERSION: &str = "v1beta1";
/// The version before it, which a webhook converts: claims name a template instead of a pool.
pub(crate) const OLD_VERSION: &str = "v1alpha1";

/// A Pod with a stable name, in [`AGENTS_GROUP`].
pub(crate) const SANDBOX: &str = "Sandbox";
/// A blueprint of Sandboxes, in [`EXTENSIONS_GROUP`].
pub(crate) const SANDBOX_TEMPLATE: &str = "SandboxTemplate";
/// A number of Sandboxes created in advance, in [`EXTENSIONS_GROUP`].
pub(crate) const SANDBOX_WARM_POOL: &str = "SandboxWarmPool";
/// A request for one Sandbox of a pool, in [`EXTENSIONS_GROUP`].
pub(crate) const SANDBOX_CLAIM: &str = "SandboxClaim";

/// Label on Pod, Service and PVC: the hash of the Sandbox's name.
pub(crate) const SANDBOX_NAME_HASH: &str = "agents.x-k8s.io/sandbox-name-hash";
/// Label on Sandboxes and Pods made from a template: the hash of its name.
pub(crate) const TEMPLATE_REF_HASH: &str = "agents.x-k8s.io/sandbox-template-ref-hash";
/// Label on idle Sandboxes and Pods of a pool: the hash of its name. Removed at adoption.
pub(crate) const WARM_POOL: &str = "agents.x-k8s.io/warm-pool-sandbox";
/// Label on pool Sandboxes: the hash of the blueprint. Never on Pods.
pub(crate) const TEMPLATE_HASH: &str = "agents.x-k8s.io/sandbox-template-hash";
/// Label on pool Sandboxes: the hash of the pod template. Never on Pods.
pub(crate) const POD_TEMPLATE_HASH: &str = "agents.x-k8s.io/sandbox-pod-template-hash";
/// Label on claimed Sandboxes: the claim's UID. On Pods since line 1.0.
pub(crate) const CLAIM_UID: &str = "agents.x-k8s.io/claim-uid";
/// Label on Sandbox and Pod: the client that created it.
pub(crate) const CREATED_BY: &str = "agents.x-k8s.io/created-by";
/// Label on Sandboxes of pools and claims: `warm` or `cold`.
pub(crate) const LAUNCH_TYPE: &str = "agents.x-k8s.io/launch-type";
/// Annotation on Sandboxes made from a template: its name.
pub(crate) const TEMPLATE_REF: &str = "agents.x-k8s.io/sandbox-template-ref";
/// Annotation on Sandboxes: the name of the Pod. Only set by controllers before line 1.0.
pub(crate) const POD_NAME: &str = "agents.x-k8s.io/pod-name";
/// Annotation on Pods: the labels that came from the Pod template.
pub(crate) const PROPAGATED_LABELS: &str = "agents.x-k8s.io/propagated-labels";
/// Annotation on Pods: the annotations that came from the Pod template.
pub(crate) const PROPAGATED_ANNOTATIONS: &str = "agents.x-k8s.io/propagated-annotations";
/// The values of [`CREATED_BY`] that reach the Pod; any other becomes `unknown`.
pub(crate) const KNOWN_CREATORS: &[&str] = &["go-client", "python-client", "controller"];
/// Label set by users: `"true"` lets a Sandbox adopt an object that it does not own.
pub(crate) const ADOPTABLE: &str = "agents.x-k8s.io/adoptable";
/// Annotation with tracing data, reserved although it is outside the reserved prefixes.
pub(crate) const TRACE_CONTEXT: &str = "opentelemetry.io/trace-context";
/// Annotation of the cluster autoscaler; pool members get `"true"` if the template does not set it.
pub(crate) const SAFE_TO_EVICT: &str = "cluster-autoscaler.kubernetes.io/safe-to-evict";

/// The namespace in which agent-sandbox is installed.
pub(crate) const INSTALL_NAMESPACE: &str = "agent-sandbox-system";
/// The label domain that claims can use by default.
pub(crate) const DEFAULT_LABEL_DOMAIN: &str = "sandbox.users.io";

/// Whether the controllers remove a podTemplate label from the Pod.
pub(crate) fn is_reserved_label(key: &str) -> bool {
    key.split_once('/')
        .is_some_and(|(prefix, _)| prefix == AGENTS_GROUP || prefix == EXTENSIONS_GROUP)
}

/// Whether the controllers remove a podTemplate annotation from the Pod.
pub(crate) fn is_reserved_annotation(key: &str) -> bool {
    is_reserved_label(key) || key == TRACE_CONTEXT
}

/// The name of the NetworkPolicy that the controller creates for a template.
pub(crate) fn network_policy_name(template: &str) -> String {
    format!("{template}-network-policy")
}

/// The name of the warm pool that the webhook sets in a `v1alpha1` claim without a pool.
pub(crate) fn shadow_pool_name(template: &str) -> String {
    format!("shadow-pool-{template}")
}

/// The name of the PersistentVolumeClaim that the controller creates for an entry of
/// `volumeClaimTemplates`.
pub(crate) fn volume_claim_name(entry: &str, sandbox: &str) -> String {
    format!("{entry}-{sandbox}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_two_reserved_prefixes() {
        assert!(is_reserved_label("agents.x-k8s.io/run"));
        assert!(is_reserved_label("extensions.agents.x-k8s.io/run"));
        assert!(!is_reserved_label("api.agents.x-k8s.io/v1alpha1-sandbox-state"));
        assert!(!is_reserved_label("agents.x-k8s.io"));
        assert!(!is_reserved_label(TRACE_CONTEXT));
        assert!(is_reserved_annotation(TRACE_CONTEXT));
    }
}
