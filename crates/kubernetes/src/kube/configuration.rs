//! API groups whose kinds are files, not objects.

/// The API groups of configuration files, which programs read from disk: those of Kubernetes'
/// components and of kubeadm, and those of programs that create clusters or deploy to them.
const CONFIGURATION_GROUPS: [&str; 12] = [
    "apiserver.config.k8s.io",
    "audit.k8s.io",
    "client.authentication.k8s.io",
    "ctlptl.dev",
    "k3d.io",
    "kind.x-k8s.io",
    "kubeadm.k8s.io",
    "kubecontrollermanager.config.k8s.io",
    "kubelet.config.k8s.io",
    "kubeproxy.config.k8s.io",
    "kubescheduler.config.k8s.io",
    "skaffold",
];

/// Whether no API server has objects of this group, because its kinds are configuration files.
#[must_use]
pub fn is_configuration_group(group: &str) -> bool {
    CONFIGURATION_GROUPS.contains(&group)
}
