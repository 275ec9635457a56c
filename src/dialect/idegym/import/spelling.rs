//! The two spellings of fields: for the fields that it knows, idegym accepts `mount_path` for
//! `mountPath`.

use super::super::rules::START_REQUEST_INVALID;
use crate::diag::{Diagnostic, Sink, message};
use crate::source::Span;
use crate::tree::{Entry, Node, Path, Value};

/// A field that idegym knows.
struct Known {
    /// The name in Kubernetes.
    name: &'static str,
    /// The other name that idegym accepts.
    alias: &'static str,
    /// The fields of its value, or of the items of its value.
    inner: &'static [Known],
}

const fn known(name: &'static str, alias: &'static str, inner: &'static [Known]) -> Known {
    Known { name, alias, inner }
}

const DEFAULT_MODE: Known = known("defaultMode", "default_mode", &[]);
const READ_ONLY: Known = known("readOnly", "read_only", &[]);

static REQUEST: &[Known] = &[
    known(
        "volumes",
        "volumes",
        &[
            known("secret", "secret", &[known("secretName", "secret_name", &[]), DEFAULT_MODE]),
            known("configMap", "config_map", &[DEFAULT_MODE]),
            known("emptyDir", "empty_dir", &[known("sizeLimit", "size_limit", &[])]),
            known(
                "persistentVolumeClaim",
                "persistent_volume_claim",
                &[known("claimName", "claim_name", &[]), READ_ONLY],
            ),
        ],
    ),
    known(
        "volume_mounts",
        "volume_mounts",
        &[
            known("mountPath", "mount_path", &[]),
            READ_ONLY,
            known("subPath", "sub_path", &[]),
            known("subPathExpr", "sub_path_expr", &[]),
            known("mountPropagation", "mount_propagation", &[]),
        ],
    ),
    known(
        "env_from",
        "env_from",
        &[known("secretRef", "secret_ref", &[]), known("configMapRef", "config_map_ref", &[])],
    ),
    known(
        "pod_overrides",
        "pod_overrides",
        &[
            known(
                "tolerations",
                "tolerations",
                &[known("tolerationSeconds", "toleration_seconds", &[])],
            ),
            known("hostAliases", "host_aliases", &[]),
            known("nodeSelector", "node_selector", &[]),
            known("runtimeClassName", "runtime_class_name", &[]),
            known("priorityClassName", "priority_class_name", &[]),
            known("schedulerName", "scheduler_name", &[]),
            known("terminationGracePeriodSeconds", "termination_grace_period_seconds", &[]),
            known("automountServiceAccountToken", "automount_service_account_token", &[]),
            known("restartPolicy", "restart_policy", &[]),
            known("dnsPolicy", "dns_policy", &[]),
        ],
    ),
];

/// Renames the known fields of a request to their names in Kubernetes; reports a field in both
/// spellings.
pub(super) fn unify(request: &mut Node, sink: &mut Sink) {
    unify_fields(request, REQUEST, &Path::root(), sink);
}

fn unify_fields(node: &mut Node, fields: &[Known], path: &Path<'_>, sink: &mut Sink) {
    match &mut node.value {
        Value::List(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                unify_fields(item, fields, &path.index(index), sink);
            }
        }
        Value::Map(map) => {
            for known in fields {
                let other = map.entry(known.name).map(|entry| entry.key_origin().span());
                if known.alias != known.name
                    && let Some(alias) = map.remove(known.alias)
                {
                    match other {
                        Some(other) => sink.report(duplicate_finding(known, &alias, other, path)),
                        None => map.insert(known.name, alias.key_origin(), alias.value),
                    }
                }
                if let Some(value) = map.get_mut(known.name) {
                    unify_fields(value, known.inner, &path.field(known.name), sink);
                }
            }
        }
        _ => {}
    }
}

fn duplicate_finding(known: &Known, alias: &Entry, other: Span, path: &Path<'_>) -> Diagnostic {
    let Known { name, alias: spelling, .. } = known;
    let message = message!("`{spelling}` and `{name}` are the same field");
    Diagnostic::new(&START_REQUEST_INVALID, alias.key_origin().span(), message)
        .at("duplicate field")
        .label(other, "first defined here")
        .path(&path.field(spelling))
        .note("idegym loses one of the two values")
        .help(message!("remove `{spelling}`"))
}
