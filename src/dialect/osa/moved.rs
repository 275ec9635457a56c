//! Settings of the archive's configuration that definitions have in another form.

use crate::lower::Moved;

const IN_RUNTIME: &str = "write its fields directly in `spec`: `image`, `digest`, `config`";

/// Settings of the block `runner`.
pub(super) static OF_RUNNER: &[Moved] = &[
    Moved::new(
        "spec.k8s",
        "write its fields directly in `spec`: `dataVolumeClaim`, `jobTtlSeconds`, ...",
    ),
    Moved::new("spec.namespace", "write it in `metadata`"),
    Moved::new("spec.service_account", "write `serviceAccountName`"),
    Moved::new("spec.data_pvc_name", "write `dataVolumeClaim`"),
    Moved::new("spec.image_pull_secrets", "write `imagePullSecrets: [{name: <name>}]`"),
    Moved::new("spec.s3_bucket", "write `s3: {bucket: <name>}`"),
    Moved::new("spec.s3_endpoint_url", "write `s3: {endpointUrl: <url>}`"),
];

/// Fields of the definition of a hook.
pub(super) static OF_HOOK: &[Moved] = &[
    Moved { path: "spec.runtime", instead: IN_RUNTIME, replaced_by: Some("digest") },
    Moved::new("spec.name", "write `hookName`"),
];
