//! Values that the server's models reject, although a definition with them would be valid: they mean
//! the default.

use super::environment::FREE;
use crate::diag::{Diagnostic, Sink, message};
use crate::schema::WRONG_TYPE;
use crate::tree::{Node, Path, Value};

/// Fields that cannot be `null`, except those whose absence is an error too.
const NOT_NULL: &[&str] = &[
    "backend",
    "config",
    "cpu",
    "data_mount_path",
    "data_pvc_name",
    "hooks",
    "image_pull_secrets",
    "job_ttl_seconds",
    "k8s",
    "limits",
    "memory",
    "namespace",
    "runner",
    "s3_bucket",
    "source_ref",
    "timeout_seconds",
    "type",
];
/// Those that can be `null` in an ingester.
const NULLABLE_OF_INGESTERS: &[&str] = &["config", "source_ref"];
/// The parts of a document that the models read.
const PARTS: &[&str] = &["conventions", "hooks", "ingester", "ingesters", "runner"];

/// Reports the values that the server rejects.
pub(super) fn check(root: &Node, sink: &mut Sink) {
    for entry in root.entries().iter().filter(|entry| PARTS.contains(&entry.key.as_str())) {
        let root = Path::root();
        check_field(&entry.key, &entry.value, &root.field(&entry.key), false, sink);
    }
}

fn check_field(key: &str, value: &Node, path: &Path<'_>, is_in_ingester: bool, sink: &mut Sink) {
    let is_of_ingester = match key {
        "ingester" | "ingesters" => true,
        "release" => false,
        _ => is_in_ingester,
    };
    let is_nullable =
        !NOT_NULL.contains(&key) || is_of_ingester && NULLABLE_OF_INGESTERS.contains(&key);
    if value.is_null() && !is_nullable {
        let fault = "must not be null";
        sink.report(
            Diagnostic::new(&WRONG_TYPE, value.span(), message!("`{path}` {fault}"))
                .at(fault)
                .path(path)
                .note("the server of the archive rejects it")
                .help(message!("remove `{key}`")),
        );
    }
    match &value.value {
        Value::Map(map) if key != "run" && !FREE.contains(&key) => {
            for entry in map.entries() {
                let path = path.field(&entry.key);
                check_field(&entry.key, &entry.value, &path, is_of_ingester, sink);
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                check_field(key, item, &path.index(index), is_of_ingester, sink);
            }
        }
        _ => {}
    }
}
