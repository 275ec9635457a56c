//! The drivers of providers: which are imported, and what each of them accepts.

use super::{Diagnostic, NODEPOOL_FILE_INVALID, NODEPOOL_PART_NOT_IMPORTED, file_fault};
use crate::diag::{Sink, headlined, message, nearest};
use crate::source::Span;
use crate::tree::{Entry, Node, items};

const KUBERNETES: &str = "kubernetes";
const OPENSHIFT: &str = "openshift";
/// The driver whose Pods are in one Project.
pub(super) const OPENSHIFT_PODS: &str = "openshiftpods";
/// The driver of a provider that names none.
pub(super) const DEFAULT: &str = "openstack";
/// The drivers whose providers are imported.
pub(super) const IMPORTED: [&str; 3] = [KUBERNETES, OPENSHIFT, OPENSHIFT_PODS];
/// The other drivers of nodepool 11.0.0, the folders of `nodepool/driver`.
const OTHERS: [&str; 10] = [
    "aws",
    "azure",
    "example",
    "fake",
    "gce",
    "ibmvpc",
    "metastatic",
    "openstack",
    "static",
    "test",
];

/// Whether definitions are made from a provider.
pub(super) fn is_imported(provider: &Node) -> bool {
    provider.str_at(&["driver"]).is_some_and(|driver| IMPORTED.contains(&driver))
}

/// Reports a provider whose driver the launcher does not have, or whose driver is missing although its labels are
/// those of Pods.
pub(super) fn check(provider: &Node, sink: &mut Sink) {
    let Some(driver) = provider.get("driver") else { return check_missing(provider, sink) };
    let name = driver.as_str().unwrap_or_default();
    if IMPORTED.contains(&name) || OTHERS.contains(&name) {
        return;
    }
    let finding = file_fault(driver, message!("unknown driver `{}`", shown_driver(driver)))
        .note("the launcher cannot load the file: `unknown driver`");
    let lowered = name.to_lowercase();
    let near = if lowered == "k8s" {
        Some(KUBERNETES)
    } else {
        nearest(&lowered, sink.near(IMPORTED.into_iter().chain(OTHERS)))
    };
    sink.report(match near {
        Some(near) => finding.suggest(driver.span(), near, message!("did you mean `{near}`?")),
        None => finding.help(message!("write {}", headlined(IMPORTED))),
    });
}

/// The driver as it is written.
fn shown_driver(driver: &Node) -> String {
    driver.as_str().map_or_else(|| driver.to_json().to_string(), str::to_owned)
}

fn check_missing(provider: &Node, sink: &mut Sink) {
    let mut labels = items(provider, "pools").iter().flat_map(|pool| items(pool, "labels"));
    if labels.any(|label| matches!(label.str_at(&["type"]), Some("pod" | "namespace" | "project")))
    {
        sink.report(
            file_fault(
                provider.get("name").unwrap_or(provider),
                "a provider of Pods names no `driver`",
            )
            .note(message!("without one the launcher takes it for `{DEFAULT}`"))
            .help("add `driver: kubernetes`"),
        );
    }
}

/// Checks the options that only some of the drivers accept, or require (`getSchema` in nodepool
/// `driver/*/config.py`). Returns the values of those that it does not accept.
pub(super) fn check_options(provider: &Node, sink: &mut Sink) -> Vec<Span> {
    let driver = provider.text_at(&["driver"]);
    let mut values = Vec::new();
    let mut refused = |node: &Node, keys: &[&str], sink: &mut Sink| {
        for entry in node.entries().iter().filter(|entry| keys.contains(&entry.key.as_str())) {
            sink.report(foreign_option(driver, entry));
            values.push(entry.value.span());
        }
    };
    let (of_provider, of_label): (&[&str], &[&str]) = match driver {
        OPENSHIFT => (&["max-servers", "max-pods"], &[]),
        OPENSHIFT_PODS => (&["max-servers", "max-projects"], &["type"]),
        _ => (&["max-projects", "max-pods"], &["image-pull-secrets"]),
    };
    refused(provider, of_provider, sink);
    if driver != KUBERNETES && provider.get("context").is_none() {
        sink.report(missing_option(provider, "provider", "context", driver));
    }
    for label in items(provider, "pools").iter().flat_map(|pool| items(pool, "labels")) {
        refused(label, of_label, sink);
        if driver != OPENSHIFT_PODS && label.entry("type").is_none() {
            sink.report(missing_option(label, "label", "type", driver));
        }
    }
    if let Some(entry) = provider.entry("max-pods").filter(|_| driver == OPENSHIFT_PODS) {
        sink.report(
            Diagnostic::new(
                &NODEPOOL_PART_NOT_IMPORTED,
                entry.key_origin().span(),
                "`max-pods` not imported",
            )
            .at("not imported")
            .note("the schema of the driver accepts it, but the driver never reads it")
            .help("write `max-servers` in each pool"),
        );
    }
    values
}

fn foreign_option(driver: &str, entry: &Entry) -> Diagnostic {
    let message = message!("the driver `{driver}` has no option `{}`", entry.key);
    Diagnostic::new(&NODEPOOL_FILE_INVALID, entry.key_origin().span(), message)
        .at("not accepted by the launcher")
        .help("remove it")
}

fn missing_option(owner: &Node, what: &str, key: &str, driver: &str) -> Diagnostic {
    let place = owner.get("name").unwrap_or(owner);
    let name = place.as_str().unwrap_or_default();
    file_fault(place, message!("{what} `{name}` has no `{key}`"))
        .note(message!("the driver `{driver}` requires it"))
        .help(message!("add `{key}`"))
}
