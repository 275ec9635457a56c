//! Faults of a `nodepool.yaml` beyond the types of its options.

use super::{Diagnostic, drivers, file_fault};
use crate::diag::{Sink, message};
use crate::scalar::SUBDOMAIN_LIMIT;
use crate::source::Span;
use crate::tree::{Entry, Node, Number, Path, Value, items};

/// The prefix of a placeholder that the launcher replaces with an environment variable.
const VARIABLE: &str = "%(NODEPOOL_";
/// Options that are maps of any values, in which nulls are allowed.
const FREE: [&str; 5] = ["annotations", "labels", "node-attributes", "node-selector", "spec"];

/// Checks the whole file.
pub(super) fn check(root: &Node, sink: &mut Sink) {
    check_variables(root, sink);
    check_nulls(root, sink);
    for label in items(root, "labels") {
        check_nulls(label, sink);
    }
    check_declared(root, sink);
    for tenant in items(root, "tenant-resource-limits") {
        check_tenant(tenant, sink);
    }
}

/// Reports a file that declares no labels. A label that is missing from the declared ones is
/// reported by the checks of the definition.
fn check_declared(root: &Node, sink: &mut Sink) {
    if root.get("labels").is_some() {
        return;
    }
    let mut labels = items(root, "providers")
        .iter()
        .filter(|provider| drivers::is_imported(provider))
        .flat_map(|provider| items(provider, "pools"))
        .flat_map(|pool| items(pool, "labels"));
    if let Some(name) = labels.find_map(|it| it.get("name")) {
        let message = message!("label `{}` is not declared", name.as_str().unwrap_or_default());
        sink.report(
            file_fault(name, message)
                .at("not in `labels` of the file")
                .note("the launcher stops with `KeyError`")
                .help("add `labels` with the names of all labels to the top of the file"),
        );
    }
}

/// Reports a placeholder in a key or string, whose value is unknown here.
fn check_variables(node: &Node, sink: &mut Sink) {
    match &node.value {
        Value::String(text) if text.contains(VARIABLE) => {
            sink.report(unresolved_variable(node.span(), text));
        }
        Value::List(items) => items.iter().for_each(|item| check_variables(item, sink)),
        Value::Map(map) => {
            for entry in map.entries() {
                if entry.key.contains(VARIABLE) {
                    sink.report(unresolved_variable(entry.key_origin().span(), &entry.key));
                }
                check_variables(&entry.value, sink);
            }
        }
        _ => {}
    }
}

fn unresolved_variable(place: Span, text: &str) -> Diagnostic {
    let message = message!("environment variable in `{text}` is not resolved");
    Diagnostic::new(&super::NODEPOOL_FILE_INVALID, place, message)
        .at("has no value here")
        .note("the launcher replaces `%(NODEPOOL_...)` before it parses the file")
        .help("write the value, or replace it before the import")
}

/// Reports an option without a value, which the driver's schema rejects.
fn check_nulls(map: &Node, sink: &mut Sink) {
    for entry in map.entries().iter().filter(|entry| entry.value.is_null()) {
        sink.report(missing_value(entry));
    }
}

fn missing_value(entry: &Entry) -> Diagnostic {
    let message = message!("`{}` has no value", entry.key);
    Diagnostic::new(&super::NODEPOOL_FILE_INVALID, entry.key_origin().span(), message)
        .at("not accepted by the launcher")
        .help("write a value, or remove the option")
}

/// Checks a tenant, whose options are numbers except for the name.
fn check_tenant(tenant: &Node, sink: &mut Sink) {
    if tenant.str_at(&["tenant-name"]).is_none() {
        sink.report(
            file_fault(tenant, "a limit of a tenant has no `tenant-name`")
                .help("add `tenant-name`"),
        );
    }
    for entry in tenant.entries().iter().filter(|entry| entry.key != "tenant-name") {
        if entry.value.as_i64().is_none() {
            let message = message!("`{}` of a tenant is {}", entry.key, entry.value.describe());
            sink.report(file_fault(&entry.value, message).help("write a whole number"));
        }
    }
}

/// Checks a provider of an imported driver.
pub(super) fn check_provider(provider: &Node, sink: &mut Sink) {
    check_nulls(provider, sink);
    check_numbers(provider, sink);
    for pool in items(provider, "pools") {
        check_nulls(pool, sink);
        check_numbers(pool, sink);
        check_name(pool, sink);
        for label in items(pool, "labels") {
            check_nulls(label, sink);
            check_numbers(label, sink);
            check_gpu(label, sink);
        }
    }
}

/// Reports a name that no Namespace can begin with: each node would repeat it. Other invalid names are
/// reported by the checks of the definition.
fn check_name(pool: &Node, sink: &mut Sink) {
    let Some(name) = pool.get("name") else { return };
    let length = name.as_str().map_or(0, str::len);
    if length > SUBDOMAIN_LIMIT {
        sink.report(
            file_fault(name, message!("the name of a pool has {length} characters"))
                .note("the Namespace of a node is named after the pool")
                .help("shorten it"),
        );
    }
}

/// Reports negative numbers, which the driver's schema accepts and the launcher counts.
fn check_numbers(owner: &Node, sink: &mut Sink) {
    let entries = owner.entries().iter().filter(|entry| !FREE.contains(&entry.key.as_str()));
    for entry in entries {
        let below = entry.value.entries().iter();
        for Entry { key, value } in below.chain([entry]) {
            let is_negative = value.as_i64().is_some_and(|number| number < 0);
            if is_negative && !["max-concurrency", "priority"].contains(&key.as_str()) {
                let finding = file_fault(value, message!("`{key}` is negative"));
                sink.report(finding.at("out of range").help("write 0 or more"));
            }
        }
    }
}

/// Checks that both options or neither are set, and that the number of devices is an integer.
fn check_gpu(label: &Node, sink: &mut Sink) {
    let (gpu, resource) = (label.get("gpu"), label.get("gpu-resource"));
    let root = Path::root();
    let alone = |node: &Node, has: &str, lacks: &'static str| {
        file_fault(node, message!("`{has}` without `{lacks}`"))
            .at("ignored by the launcher")
            .path(&root.field(lacks))
            .help(message!("add `{lacks}`, or remove `{has}`"))
    };
    match (gpu, resource) {
        (Some(gpu), None) => sink.report(alone(gpu, "gpu", "gpu-resource")),
        (None, Some(resource)) => sink.report(alone(resource, "gpu-resource", "gpu")),
        (None, None) => {}
        (Some(gpu), Some(resource)) => {
            let count = match gpu.as_number() {
                Some(Number::Int(value)) => Some(value >= 1),
                Some(Number::Float(value)) => Some(value >= 1.0 && value.fract() == 0.0),
                _ => None,
            };
            if count == Some(false) {
                sink.report(
                    file_fault(
                        gpu,
                        message!("`gpu` {} is not a whole number of at least 1", gpu.to_json()),
                    )
                    .at("not a number of devices")
                    .note(
                        "the API server rejects a fraction of a device, and the launcher ignores 0",
                    )
                    .help("write a whole number such as `1.0`"),
                );
            }
            match resource.as_str().and_then(|name| name.split_once('/')) {
                Some((domain, _))
                    if domain == "kubernetes.io" || domain.ends_with(".kubernetes.io") =>
                {
                    sink.report(
                        file_fault(resource, "`gpu-resource` is in a domain of Kubernetes")
                            .at("no device has this domain")
                            .note("the kubelet rejects a device plugin with such a name")
                            .help("write the name of the vendor, such as `nvidia.com/gpu`"),
                    );
                }
                Some(_) => {}
                None => sink.report(
                    file_fault(resource, "`gpu-resource` is not the name of a device")
                        .at("has no domain")
                        .note("a name without a domain is another resource, or a key of the quota")
                        .help("write a name such as `nvidia.com/gpu`"),
                ),
            }
        }
    }
}
