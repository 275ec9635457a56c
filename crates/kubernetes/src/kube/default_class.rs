//! Default classes.

use super::{Object, ObjectSet};
use crate::tree::Node;

/// Whether a StorageClass, an `IngressClass` or a PriorityClass is the default of its kind.
///
/// Source: `IsDefaultAnnotation` in `pkg/apis/storage/v1/util`, `AnnotationIsDefaultIngressClass` in
/// `k8s.io/api/networking/v1`, `plugin/pkg/admission/priority`.
pub fn is_default_class(class: &Object) -> bool {
    let annotations: &[&str] = match class.gvk.kind.as_str() {
        "StorageClass" => &[
            "storageclass.kubernetes.io/is-default-class",
            "storageclass.beta.kubernetes.io/is-default-class",
        ],
        "IngressClass" => &["ingressclass.kubernetes.io/is-default-class"],
        _ => return class.root.is_true("globalDefault"),
    };
    let own = class.root.at(&["metadata", "annotations"]);
    annotations.iter().any(|key| own.and_then(|it| it.str_at(&[key])) == Some("true"))
}

/// The default PriorityClass: if there are several, one with the lowest value.
///
/// Source: `getDefaultPriorityClass` in `plugin/pkg/admission/priority`.
pub fn default_priority_class<'o>(set: &ObjectSet<'o>) -> Option<&'o Object> {
    let value = |class: &&Object| class.root.get("value").and_then(Node::as_i64);
    let all = set.of_kind("scheduling.k8s.io", "PriorityClass");
    all.filter(|class| is_default_class(class)).min_by_key(value)
}
