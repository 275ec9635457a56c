//! Default classes.

use super::Object;
use crate::tree::Node;

/// Whether a StorageClass, an `IngressClass` or a PriorityClass is the default of its kind.
///
/// Source: `IsDefaultAnnotation` in `pkg/apis/storage/v1/util`, `AnnotationIsDefaultIngressClass` in
/// `k8s.io/api/networking/v1`, `plugin/pkg/admission/priority`.
pub(crate) fn is_default_class(class: &Object) -> bool {
    let annotations: &[&str] = match class.gvk.kind.as_str() {
        "StorageClass" => &[
            "storageclass.kubernetes.io/is-default-class",
            "storageclass.beta.kubernetes.io/is-default-class",
        ],
        "IngressClass" => &["ingressclass.kubernetes.io/is-default-class"],
        _ => return class.root.get("globalDefault").and_then(Node::as_bool) == Some(true),
    };
    let own = class.root.at(&["metadata", "annotations"]);
    annotations.iter().any(|key| own.and_then(|it| it.str_at(&[key])) == Some("true"))
}
