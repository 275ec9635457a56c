//! `Namespace`, after `ValidateNamespace` of Kubernetes' `pkg/apis/core/validation`. Its Pod
//! Security labels are checked in `pod_security`.

use super::judge::Judge;
use super::metadata::check_finalizer;

/// Checks one namespace: the finalizers in `spec`, in addition to those of every object.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let finalizers = object.root.items_at(&["spec", "finalizers"]);
    for finalizer in finalizers {
        check_finalizer(judge, finalizer, true);
    }
}
