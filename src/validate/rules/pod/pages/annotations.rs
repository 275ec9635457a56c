//! What the rules of annotations are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses annotations of a Pod or a template that the API server reads, and that it cannot make
    /// sense of: the cost of deleting a Pod, profiles of seccomp and AppArmor, tolerations, and
    /// `kubernetes.io/config.mirror` on a Pod without a node.
    ///
    /// ## Why
    /// The API server refuses the object. All but the cost have become fields long ago.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web
    ///   annotations: {controller.kubernetes.io/pod-deletion-cost: high}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web
    ///   annotations: {controller.kubernetes.io/pod-deletion-cost: "1000"}
    /// spec:
    ///   containers: [{name: main, image: "python:3.13"}]
    /// ```
    POD_ANNOTATION_INVALID = "pod-annotation-invalid", Error;

    /// ## What it does
    /// Refuses an annotation with a profile of seccomp or AppArmor that differs from the field of the
    /// security context.
    ///
    /// ## Why
    /// The API server refuses the Pod: it does not choose between the two.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web
    ///   annotations: {container.apparmor.security.beta.kubernetes.io/main: unconfined}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     securityContext: {appArmorProfile: {type: RuntimeDefault}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     securityContext: {appArmorProfile: {type: RuntimeDefault}}
    /// ```
    PROFILE_ANNOTATION_CONFLICT = "profile-annotation-conflict", Error;
}
