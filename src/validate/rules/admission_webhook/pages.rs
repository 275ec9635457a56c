//! What the rules of admission webhooks are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a webhook that the API server could not ask: with neither a URL nor a Service, or both,
    /// a URL that is not of the form `https://host[:port][/path]`, a path of a Service with other
    /// parts than DNS names, or `admissionReviewVersions` without `v1` and `v1beta1`.
    ///
    /// ## Why
    /// The API server refuses the configuration.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: admissionregistration.k8s.io/v1
    /// kind: ValidatingWebhookConfiguration
    /// metadata: {name: pods}
    /// webhooks:
    /// - name: pods.example.com
    ///   clientConfig: {url: "http://hook.example.com"}
    ///   rules:
    ///   - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
    ///   admissionReviewVersions: [v1]
    ///   sideEffects: None
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: admissionregistration.k8s.io/v1
    /// kind: ValidatingWebhookConfiguration
    /// metadata: {name: pods}
    /// webhooks:
    /// - name: pods.example.com
    ///   clientConfig: {url: "https://hook.example.com"}
    ///   rules:
    ///   - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
    ///   admissionReviewVersions: [v1]
    ///   sideEffects: None
    /// ```
    WEBHOOK_CLIENT_INVALID = "webhook-client-invalid", Error;

    /// ## What it does
    /// Refuses more than 64 conditions of a webhook, two of one name, and one with a blank expression.
    ///
    /// ## Why
    /// The API server refuses the configuration.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: admissionregistration.k8s.io/v1
    /// kind: ValidatingWebhookConfiguration
    /// metadata: {name: pods}
    /// webhooks:
    /// - name: pods.example.com
    ///   clientConfig: {service: {namespace: web, name: hook, path: /check}}
    ///   rules:
    ///   - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
    ///   admissionReviewVersions: [v1]
    ///   sideEffects: None
    ///   matchConditions:
    ///   - {name: mine, expression: "true"}
    ///   - {name: mine, expression: "object.spec.hostNetwork"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: admissionregistration.k8s.io/v1
    /// kind: ValidatingWebhookConfiguration
    /// metadata: {name: pods}
    /// webhooks:
    /// - name: pods.example.com
    ///   clientConfig: {service: {namespace: web, name: hook, path: /check}}
    ///   rules:
    ///   - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
    ///   admissionReviewVersions: [v1]
    ///   sideEffects: None
    ///   matchConditions:
    ///   - {name: mine, expression: "true"}
    ///   - {name: host, expression: "object.spec.hostNetwork"}
    /// ```
    WEBHOOK_CONDITION_INVALID = "webhook-condition-invalid", Error;

    /// ## What it does
    /// Refuses a name of a webhook that is no DNS name of at least three parts, and two webhooks of
    /// one name.
    ///
    /// ## Why
    /// The API server refuses the configuration: the name has to tell whose the webhook is.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: admissionregistration.k8s.io/v1
    /// kind: ValidatingWebhookConfiguration
    /// metadata: {name: pods}
    /// webhooks:
    /// - name: pods
    ///   clientConfig: {service: {namespace: web, name: hook, path: /check}}
    ///   rules:
    ///   - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
    ///   admissionReviewVersions: [v1]
    ///   sideEffects: None
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: admissionregistration.k8s.io/v1
    /// kind: ValidatingWebhookConfiguration
    /// metadata: {name: pods}
    /// webhooks:
    /// - name: pods.example.com
    ///   clientConfig: {service: {namespace: web, name: hook, path: /check}}
    ///   rules:
    ///   - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
    ///   admissionReviewVersions: [v1]
    ///   sideEffects: None
    /// ```
    WEBHOOK_NAME_INVALID = "webhook-name-invalid", Error;

    /// ## What it does
    /// Refuses a rule of a webhook without operations, groups, versions or resources, with an empty
    /// one, and with `*` beside what it stands for.
    ///
    /// ## Why
    /// The API server refuses the configuration. The empty text in `apiGroups` is the group of Pods
    /// and Services.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: admissionregistration.k8s.io/v1
    /// kind: ValidatingWebhookConfiguration
    /// metadata: {name: pods}
    /// webhooks:
    /// - name: pods.example.com
    ///   clientConfig: {service: {namespace: web, name: hook, path: /check}}
    ///   rules:
    ///   - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: ["*", pods]}
    ///   admissionReviewVersions: [v1]
    ///   sideEffects: None
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: admissionregistration.k8s.io/v1
    /// kind: ValidatingWebhookConfiguration
    /// metadata: {name: pods}
    /// webhooks:
    /// - name: pods.example.com
    ///   clientConfig: {service: {namespace: web, name: hook, path: /check}}
    ///   rules:
    ///   - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods, pods/exec]}
    ///   admissionReviewVersions: [v1]
    ///   sideEffects: None
    /// ```
    WEBHOOK_RULE_INVALID = "webhook-rule-invalid", Error;
}
