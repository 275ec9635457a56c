//! A label of a pool: what one node of it is made of.

use crate::decode::{
    Choice, Flag, Mapped, Quantity, Shaped, Text, choice, definition, kubernetes_types,
};
use crate::workload::{Annotations, Labels, PodFields};

kubernetes_types! {
    /// A whole PodSpec.
    WholePodSpec = "io.k8s.api.core.v1.PodSpec";
}

choice! {
    /// What a node is.
    pub(crate) enum NodeType {
        /// A Namespace with a Pod in it; jobs run in the first container.
        Pod = "pod",
        /// A Namespace alone, for jobs that create objects in it.
        Namespace = "namespace",
    }
}

definition! {
    /// A label of a pool: what one node of it is made of.
    pub(crate) struct NodeLabel in "NodePool.spec.pools[].labels[]" {
        flatten pod: PodFields,
        /// Name of the label; also the name of the Pod, and of its container without `spec`.
        "name" required name: Text,
        /// `pod` for a Namespace with a Pod, or `namespace` for a Namespace alone.
        "type" required node_type: Choice<NodeType>,
        /// Labels of the Namespace and the Pod.
        "labels" optional labels: Shaped<Labels>,
        /// Annotations of the Pod.
        "annotations" optional annotations: Shaped<Annotations>,
        /// Labels of the Namespace and the Pod whose values are format strings over the request:
        /// `{request.tenant_name}`.
        "dynamicLabels" optional dynamic_labels: Mapped<Text>,
        /// Amounts that count against `maxResources` and never reach the Pod: licenses, for example.
        "extraResources" optional extra_resources: Mapped<Quantity>,
        /// Whether the container is privileged.
        "privileged" optional privileged: Flag,
        /// Path of Python on the node, for Ansible. Compiled to an annotation of the Namespace.
        "pythonPath" optional python_path: Text,
        /// Type of the shell on the node, for Ansible: `csh`, `fish`, `cmd`, `powershell`. Compiled to an
        /// annotation of the Namespace.
        "shellType" optional shell_type: Text,
        /// The whole spec of the Pod, used as it is. Allowed with `name`, `type`, `labels`, `dynamicLabels`,
        /// `annotations` and `security` only.
        "spec" optional spec: Shaped<WholePodSpec>,
    }
}
