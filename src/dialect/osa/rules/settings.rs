//! The settings of a Runner.

use crate::decode::{Choice, Integer, Text};
use crate::diag::{Diagnostic, Message, Reported, Sink, declare_rules, message};
use crate::dialect::osa::runner::{DEFAULT_JOB_TTL, DEFAULT_MOUNT_PATH, RunnerSpec};
use crate::dialect::osa::sub_path::{PathFault, check_mount_path};
use crate::lower::Frame;
use crate::scalar::check_dns_subdomain;
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    RUNNER_ACCOUNT_WITHOUT_TOKEN = "runner-account-without-token", Warning;
    RUNNER_NOT_COMPILED = "runner-not-compiled", Note;
    RUNNER_SETTING_INVALID = "runner-setting-invalid", Error;
    RUNNER_SETTING_MISSING = "runner-setting-missing", Error;
    RUNNER_SETTING_UNUSED = "runner-setting-unused", Warning;
    RUNNER_WITHOUT_CONTROLLER = "runner-without-controller", Warning;
}

/// A setting that the server requires with the backend `kubernetes`.
struct Required {
    field: &'static str,
    what: &'static str,
    example: &'static str,
    message: &'static str,
}

const CLAIM: Required = Required {
    field: "dataVolumeClaim",
    what: "the PersistentVolumeClaim with the archive's data",
    example: "dataVolumeClaim: osa-data",
    message: "runner.k8s.data_pvc_name is required when runner.backend == 'k8s'. Set OSA_RUNNER__K8S__DATA_PVC_NAME.",
};
const BUCKET: Required = Required {
    field: "s3.bucket",
    what: "the bucket of the object store",
    example: "s3: {bucket: osa-data}",
    message: "runner.k8s.s3_bucket is required when runner.backend == 'k8s'. Set OSA_RUNNER__K8S__S3_BUCKET.",
};

/// Checks the settings of a Runner in Kubernetes.
///
/// # Errors
/// If one is missing or invalid.
pub(in crate::dialect::osa) fn check(
    frame: &Frame,
    spec: &RunnerSpec,
    sink: &mut Sink,
) -> Result<(), Reported> {
    let bucket = spec.s3.as_ref().and_then(|s3| s3.bucket.as_ref());
    // The server only reports the first one.
    let missing = [(CLAIM, spec.data_volume_claim.as_ref()), (BUCKET, bucket)]
        .into_iter()
        .find(|(_, value)| value.is_none_or(|value| value.as_str().is_empty()));
    let mut outcome = Ok(());
    if let Some((required, value)) = missing {
        outcome = Err(sink.error(missing_setting(&required, value, frame)));
    }
    if let Some(claim) = &spec.data_volume_claim
        && !claim.as_str().is_empty()
        && let Err(fault) = check_dns_subdomain(claim.as_str())
    {
        let message = message!("invalid `dataVolumeClaim` `{}`: the name {fault}", claim.as_str());
        outcome = Err(sink.error(invalid_setting(
            claim.span(),
            message,
            "not the name of a volume claim",
        )));
    }
    if let Some(path) = &spec.data_mount_path
        && let Err(fault) = check_mount_path(path.as_str())
    {
        outcome = Err(sink.error(mount_path_finding(path, fault)));
    }
    if let Some(ttl) = &spec.job_ttl_seconds
        && ttl.as_i64() < 0
    {
        let message = message!("`jobTtlSeconds` {} must not be negative", ttl.as_i64());
        outcome = Err(sink.error(invalid_setting(ttl.span(), message, "must be at least 0")));
    }
    if let Some(account) = &spec.controller_service_account
        && account.namespace.is_none()
        && frame.namespace().is_empty()
    {
        outcome = Err(sink.error(
            Diagnostic::new(
                &RUNNER_SETTING_MISSING,
                account.name.span(),
                message!("`controllerServiceAccount` `{}` has no namespace", account.name.as_str()),
            )
            .at("`namespace` is not set")
            .note("the API server rejects a RoleBinding whose ServiceAccount has no namespace")
            .help("add `namespace` to it, or to `metadata`"),
        ));
    }
    outcome
}

/// Removes the settings that [`check`] reports as invalid.
pub(in crate::dialect::osa) fn remove_invalid(spec: &mut RunnerSpec) {
    spec.data_volume_claim.take_if(|claim| check_dns_subdomain(claim.as_str()).is_err());
    spec.data_mount_path.take_if(|path| check_mount_path(path.as_str()).is_err());
    spec.job_ttl_seconds.take_if(|seconds| seconds.as_i64() < 0);
}

fn missing_setting(required: &Required, value: Option<&Text>, frame: &Frame) -> Diagnostic {
    let Required { field, what, example, message } = required;
    let span = value.map_or_else(|| frame.name().span(), Text::span);
    let name = frame.metadata().name.as_str();
    Diagnostic::new(
        &RUNNER_SETTING_MISSING,
        span,
        message!("Runner `{name}` does not set `{field}`, {what}"),
    )
    .at(if value.is_some() { "empty".into() } else { message!("`{field}` is not set") })
    .note(message!("the server of the archive does not start: \"{message}\""))
    .help(message!("add `{example}`, or set `backend: oci`"))
}

fn invalid_setting(span: Span, message: Message, label: &'static str) -> Diagnostic {
    Diagnostic::new(&RUNNER_SETTING_INVALID, span, message).at(label)
}

fn mount_path_finding(path: &Text, fault: PathFault) -> Diagnostic {
    let text = path.as_str();
    let message = match fault {
        PathFault::Relative => message!("`dataMountPath` `{text}` is not an absolute path"),
        PathFault::Backstep => message!("`dataMountPath` `{text}` contains `..`"),
        PathFault::Character(control) => {
            message!("`dataMountPath` contains the control character U+{:04X}", u32::from(control))
        }
        PathFault::Outside | PathFault::MountPath => {
            message!("`dataMountPath` `{text}` is the root directory")
        }
    };
    invalid_setting(path.span(), message, "not a mount path")
        .note("directories of runs are found on the data volume by their path below the mount path")
        .help("write an absolute path such as `/data`")
}

/// Reports an account whose token is not mounted, and a server without permissions.
pub(in crate::dialect::osa) fn report_accounts(frame: &Frame, spec: &RunnerSpec, sink: &mut Sink) {
    if let Some(account) = &spec.service_account_name {
        let name = account.as_str();
        let message =
            message!("no token of the ServiceAccount `{name}` is mounted into the Jobs' Pods");
        sink.report(
            Diagnostic::new(&RUNNER_ACCOUNT_WITHOUT_TOKEN, account.span(), message)
                .at("only its pull secrets take effect")
                .note("a hook or source cannot call the API server, with any ServiceAccount")
                .help("remove `serviceAccountName` unless it provides `imagePullSecrets`"),
        );
    }
    if spec.controller_service_account.is_none() {
        let name = frame.metadata().name.as_str();
        let message = message!("no Role is compiled for the server of Runner `{name}`");
        sink.report(
            Diagnostic::new(&RUNNER_WITHOUT_CONTROLLER, frame.name().span(), message)
                .at("`controllerServiceAccount` is not set")
                .note(message!(
                    "without these permissions, the server does not start: \"K8s RBAC permission denied in namespace '{}'. \
                     Ensure the ServiceAccount can create/list/delete Jobs.\"",
                    frame.namespace()
                ))
                .help("add `controllerServiceAccount: {name: <ServiceAccount of the server>}`"),
        );
    }
}

/// Reports that a Runner with the backend `oci` has no objects, and that its settings have no
/// effect.
pub(in crate::dialect::osa) fn report_oci(frame: &Frame, spec: &RunnerSpec, sink: &mut Sink) {
    let name = frame.metadata().name.as_str();
    let backend = spec.backend.as_ref().map_or_else(|| frame.name().span(), Choice::span);
    let message = message!("Runner `{name}` and its hooks and sources compile to no objects");
    sink.report(
        Diagnostic::new(&RUNNER_NOT_COMPILED, backend, message)
            .at("runs containers with Docker")
            .note("the server starts the containers on its own machine"),
    );
    for (field, span) in unused_settings(spec) {
        let message = message!("`{field}` has no effect with `backend: oci`");
        sink.report(
            Diagnostic::new(&RUNNER_SETTING_UNUSED, span, message)
                .at("only used with `kubernetes`")
                .help("remove it, or set `backend: kubernetes`"),
        );
    }
}

/// The settings of Kubernetes that differ from their defaults.
fn unused_settings(spec: &RunnerSpec) -> Vec<(&'static str, Span)> {
    let text = |text: &Option<Text>| text.as_ref().map(Text::span);
    let path = spec.data_mount_path.as_ref().filter(|path| path.as_str() != DEFAULT_MOUNT_PATH);
    let ttl = spec.job_ttl_seconds.as_ref().filter(|seconds| seconds.as_i64() != DEFAULT_JOB_TTL);
    let secrets = spec.image_pull_secrets.as_ref().map(|it| &it.node);
    let store = spec.s3.as_ref();
    let account = spec.controller_service_account.as_ref();
    [
        ("dataVolumeClaim", text(&spec.data_volume_claim)),
        ("dataMountPath", path.map(Text::span)),
        ("serviceAccountName", text(&spec.service_account_name)),
        ("imagePullSecrets", secrets.filter(|list| !list.items().is_empty()).map(Node::span)),
        ("jobTtlSeconds", ttl.map(Integer::span)),
        ("s3.bucket", store.and_then(|store| text(&store.bucket))),
        ("s3.endpointUrl", store.and_then(|store| text(&store.endpoint_url))),
        ("controllerServiceAccount", account.map(|account| account.name.span())),
    ]
    .into_iter()
    .filter_map(|(field, span)| Some((field, span?)))
    .collect()
}
