//! Settings of the archive's configuration that definitions have in another form.

use crate::lower::Moved;

const fn moved(path: &'static str, instead: &'static str) -> Moved {
    Moved { path, instead, replaced_by: None }
}

const IN_RUNTIME: &str = "write its fields directly in `spec`: `image`, `digest`, `config`";

/// Settings of the block `runner`.
pub(super) static OF_RUNNER: &[Moved] = &[
    moved(
        "spec.k8s",
        "write its fields directly in `spec`: `dataVolumeClaim`, `jobTtlSeconds`, ...",
    ),
    moved("spec.namespace", "write it in `metadata`"),
    moved("spec.service_account", "write `serviceAccountName`"),
    moved("spec.data_pvc_name", "write `dataVolumeClaim`"),
    moved("spec.image_pull_secrets", "write `imagePullSecrets: [{name: <name>}]`"),
    moved("spec.s3_bucket", "write `s3: {bucket: <name>}`"),
    moved("spec.s3_endpoint_url", "write `s3: {endpointUrl: <url>}`"),
];

/// Fields of the definition of a hook.
pub(super) static OF_HOOK: &[Moved] = &[
    Moved { path: "spec.runtime", instead: IN_RUNTIME, replaced_by: Some("digest") },
    moved("spec.name", "write `hookName`"),
];
