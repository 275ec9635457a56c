//! What the rules of ConfigMaps and Secrets are documented to do.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Refuses a key that no ConfigMap and no Secret can have, in one or in a reference to one: at most
    /// 253 letters, digits, `-`, `_` and `.`, and neither `.` nor something that starts with `..`.
    ///
    /// ## Why
    /// The API server refuses the object. Keys become names of files.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: web}
    /// spec:
    ///   containers:
    ///   - name: main
    ///     image: python:3.13
    ///     env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: log level, optional: true}}}]
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
    ///     env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: log-level, optional: true}}}]
    /// ```
    DATA_KEY_INVALID = "data-key-invalid", Error;

    /// ## What it does
    /// Refuses a key of a ConfigMap that stands both in `data` and in `binaryData`.
    ///
    /// ## Why
    /// The API server refuses the ConfigMap: both become the same file.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// data: {logo: none}
    /// binaryData: {logo: iVBORw0K}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// data: {logo-name: none}
    /// binaryData: {logo: iVBORw0K}
    /// ```
    DATA_KEY_DUPLICATE = "data-key-duplicate", Error;

    /// ## What it does
    /// Refuses a ConfigMap or a Secret whose values have more than 1048576 bytes together. Of base64
    /// texts the bytes count that they stand for; keys do not count.
    ///
    /// ## Why
    /// The API server refuses the object.
    ///
    /// ## Example
    /// ```text
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: model}
    /// data:
    ///   weights.json: ... 2 MiB of text ...
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: model}
    /// data:
    ///   url: https://models.example.com/weights.json
    /// ```
    DATA_TOO_LARGE = "data-too-large", Error;

    /// ## What it does
    /// Refuses a Secret without what its type asks for: `tls.crt` and `tls.key`, `ssh-privatekey`,
    /// `username` or `password`, `.dockerconfigjson`, `.dockercfg`, or the annotation that names the
    /// account of a token.
    ///
    /// ## Why
    /// The API server refuses the Secret. Types that it does not know are free.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: web-tls}
    /// type: kubernetes.io/tls
    /// stringData: {tls.crt: "-----BEGIN CERTIFICATE-----"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: web-tls}
    /// type: kubernetes.io/tls
    /// stringData:
    ///   tls.crt: "-----BEGIN CERTIFICATE-----"
    ///   tls.key: "-----BEGIN PRIVATE KEY-----"
    /// ```
    SECRET_INCOMPLETE = "secret-incomplete", Error;

    /// ## What it does
    /// Refuses credentials of registries that are no JSON object.
    ///
    /// ## Why
    /// The API server refuses the Secret. The credentials are the file that `docker login` makes, whole.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: registry}
    /// type: kubernetes.io/dockerconfigjson
    /// stringData: {.dockerconfigjson: "user:password"}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: registry}
    /// type: kubernetes.io/dockerconfigjson
    /// stringData: {.dockerconfigjson: '{"auths": {"registry.example.com": {"auth": "dXNlcjpwYXNzd29yZA=="}}}'}
    /// ```
    DOCKER_CONFIG_INVALID = "docker-config-invalid", Error;
}
