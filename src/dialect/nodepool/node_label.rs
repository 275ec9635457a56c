//! A label of a pool: the configuration of its nodes. The main container has the name of the label.

use crate::decode::{
    Choice, Flag, Mapped, Quantity, Shaped, Text, choice, definition, kubernetes_types,
};
use crate::workload::{Annotations, Labels, PodFields};

kubernetes_types! {
    /// A whole PodSpec.
    WholePodSpec = "io.k8s.api.core.v1.PodSpec";
}

choice! {
    /// The type of a node.
    pub(crate) enum NodeType {
        /// A Namespace with a Pod; jobs run in the first container.
        Pod = "pod",
        /// Only a Namespace, for jobs that create objects in it.
        Namespace = "namespace",
        /// Only a Project of OpenShift, for jobs that create objects in it.
        Project = "project",
    }
}

impl NodeType {
    /// Whether the node is a Pod, and not only the Namespace or Project.
    pub(super) const fn is_pod(self) -> bool {
        matches!(self, Self::Pod)
    }

    /// The words for the label in messages.
    pub(super) const fn without_pod(self) -> &'static str {
        match self {
            Self::Project => "a Project without a Pod",
            Self::Pod | Self::Namespace => "a Namespace without a Pod",
        }
    }
}

definition! {
    /// A label of a pool: the configuration of its nodes. The main container has the name of the
    /// label.
    pub(crate) struct NodeLabel in "NodePool.spec.pools[].labels[]" {
        flatten pod: PodFields,
        /// Name of the label; also the name of the Pod, and of its container without `spec`.
        "name" required name: Text,
        /// Type of the nodes: `pod` for a Namespace with a Pod, or `namespace` for only a
        /// Namespace; `project` for only a Project, with the driver `openshift`.
        "type" required node_type: Choice<NodeType>,
        /// Labels of the Namespace and the Pod.
        "labels" optional labels: Shaped<Labels>,
        /// Annotations of the Pod.
        "annotations" optional annotations: Shaped<Annotations>,
        /// Labels of the Namespace and the Pod whose values are format strings over the request:
        /// `{request.tenant_name}`.
        "dynamicLabels" optional dynamic_labels: Mapped<Text>,
        /// Quantities that count against `maxResources` but are not requested by the Pod: licenses,
        /// for example.
        "extraResources" optional extra_resources: Mapped<Quantity>,
        /// Whether the container is privileged.
        "privileged" optional privileged: Flag,
        /// Path of Python on the node, for Ansible. Compiled to an annotation of the Namespace.
        "pythonPath" optional python_path: Text,
        /// Type of the shell on the node, for Ansible: `csh`, `fish`, `cmd`, `powershell`. Compiled to an
        /// annotation of the Namespace.
        "shellType" optional shell_type: Text,
        /// The complete spec of the Pod, used unchanged. Only allowed with `name`, `type`,
        /// `labels`, `dynamicLabels`, `annotations` and `security`.
        "spec" optional spec: Shaped<WholePodSpec>,
    }
}
