//! The names of resources.

/// The resource of a built-in kind: `pods` for `Pod`.
///
/// Source: `meta.UnsafeGuessKindToResource` in `k8s.io/apimachinery/pkg/api/meta/restmapper.go`.
pub fn resource_of(kind: &str) -> String {
    let singular = kind.to_ascii_lowercase();
    match singular.as_bytes() {
        b"endpoints" => singular,
        [.., b's'] => format!("{singular}es"),
        [stem @ .., b'y'] => format!("{}ies", String::from_utf8_lossy(stem)),
        _ => format!("{singular}s"),
    }
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
            ("StorageClass", "storageclasses"),
        ] {
            assert_eq!(resource_of(kind), resource);
        }
    }
}
