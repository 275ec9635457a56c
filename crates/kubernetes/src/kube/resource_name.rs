//! The names of resources.

/// The resource of a built-in kind, or of a custom one whose definition was generated: `pods` for `Pod`.
///
/// Source: `meta.UnsafeGuessKindToResource` in `k8s.io/apimachinery/pkg/api/meta/restmapper.go`. No built-in
/// kind ends in `x`, `ch` or `sh`: for those, `flect.Pluralize`, as controller-gen uses it.
pub fn resource_of(kind: &str) -> String {
    let singular = kind.to_ascii_lowercase();
    match singular.as_bytes() {
        b"endpoints" => singular,
        [.., b's' | b'x'] | [.., b'c' | b's', b'h'] => format!("{singular}es"),
        [stem @ .., b'y'] => format!("{}ies", String::from_utf8_lossy(stem)),
        _ => format!("{singular}s"),
    }
}

/// The short names of built-in resources, each with its kind.
///
/// Source: `ShortNames` of the storages in `k8s.io/kubernetes/pkg/registry`.
const SHORT_NAMES: [(&str, &str); 30] = [
    ("cm", "ConfigMap"),
    ("cj", "CronJob"),
    ("crd", "CustomResourceDefinition"),
    ("crds", "CustomResourceDefinition"),
    ("cs", "ComponentStatus"),
    ("csr", "CertificateSigningRequest"),
    ("deploy", "Deployment"),
    ("ds", "DaemonSet"),
    ("ep", "Endpoints"),
    ("ev", "Event"),
    ("hpa", "HorizontalPodAutoscaler"),
    ("ing", "Ingress"),
    ("ip", "IPAddress"),
    ("limits", "LimitRange"),
    ("netpol", "NetworkPolicy"),
    ("no", "Node"),
    ("ns", "Namespace"),
    ("pc", "PriorityClass"),
    ("pdb", "PodDisruptionBudget"),
    ("po", "Pod"),
    ("pv", "PersistentVolume"),
    ("pvc", "PersistentVolumeClaim"),
    ("quota", "ResourceQuota"),
    ("rc", "ReplicationController"),
    ("rs", "ReplicaSet"),
    ("sa", "ServiceAccount"),
    ("sc", "StorageClass"),
    ("sts", "StatefulSet"),
    ("svc", "Service"),
    ("vac", "VolumeAttributesClass"),
];

/// Whether kubectl takes a word for the name of a kind: in any case, in the plural, or short.
pub fn is_name_of_kind(word: &str, kind: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_short = |(short, of): &(&str, &str)| *short == word && *of == kind;
    kind.eq_ignore_ascii_case(&word)
        || resource_of(kind) == word
        || SHORT_NAMES.iter().any(is_short)
}

#[cfg(test)]
mod tests {
    use super::*;

    // From the discovery of an API server.
    #[test]
    fn resources_are_plurals() {
        for (kind, resource) in [
            ("ComponentStatus", "componentstatuses"),
            ("Deployment", "deployments"),
            ("Endpoints", "endpoints"),
            ("IPAddress", "ipaddresses"),
            ("Ingress", "ingresses"),
            ("NetworkPolicy", "networkpolicies"),
            ("Pod", "pods"),
            // From the definitions of agent-sandbox.
            ("Sandbox", "sandboxes"),
            ("SandboxClaim", "sandboxclaims"),
            ("StorageClass", "storageclasses"),
        ] {
            assert_eq!(resource_of(kind), resource);
        }
    }

    #[test]
    fn a_kind_has_the_names_of_kubectl() {
        for (word, kind) in [
            ("job", "Job"),
            ("Jobs", "Job"),
            ("deploy", "Deployment"),
            ("networkpolicies", "NetworkPolicy"),
            ("Sandbox", "Sandbox"),
            ("sandboxes", "Sandbox"),
        ] {
            assert!(is_name_of_kind(word, kind), "{word}");
        }
        assert!(!is_name_of_kind("cm", "CronJob") && !is_name_of_kind("jo", "Job"));
    }
}
