//! Values that idegym's models reject, although a definition with them would be valid: they mean
//! the default, or the API server accepts them.

use super::super::rules::START_REQUEST_INVALID;
use crate::diag::{Diagnostic, Message, Sink, message};
use crate::scalar::check_dns_subdomain;
use crate::source::Span;
use crate::tree::{Node, Path};

/// Fields of a request in which `null` counts as absent.
const NULLABLE: [&str; 7] = [
    "node_selector",
    "resources",
    "runtime_class_name",
    "server_id",
    "service_account_name",
    "snapshot",
    "snapshot_id",
];

/// The maps of strings of a request.
const STRING_MAPS: [&str; 3] = ["annotations", "labels", "node_selector"];

/// Reports the values that idegym rejects.
pub(super) fn check(request: &Node, sink: &mut Sink) {
    let root = Path::root();
    for entry in request.entries() {
        let (key, value) = (entry.key.as_str(), &entry.value);
        let path = root.field(key);
        if value.is_null() && !NULLABLE.contains(&key) {
            sink.report(null_finding(value, &path));
        }
        if STRING_MAPS.contains(&key) {
            check_strings(value, &path, sink);
        }
        if key == "annotations" {
            check_prefixes(value, &path, sink);
        }
    }
    if let Some(selector) = request.at(&["pod_overrides", "nodeSelector"]) {
        check_strings(selector, &root.field("pod_overrides").field("nodeSelector"), sink);
    }
    let volumes = request.get("volumes").map_or(&[][..], Node::items);
    for (index, volume) in volumes.iter().enumerate() {
        let size = volume.at(&["emptyDir", "sizeLimit"]);
        if let Some(size) = size.filter(|size| size.as_number().is_some()) {
            let (volumes, source) = (root.field("volumes"), "emptyDir");
            let volume = volumes.index(index);
            let path = volume.field(source);
            sink.report(rejected(size.span(), &path.field("sizeLimit"), "must be a string"));
        }
    }
}

/// Reports the nulls of a map of strings.
fn check_strings(map: &Node, path: &Path<'_>, sink: &mut Sink) {
    for entry in map.entries().iter().filter(|entry| entry.value.is_null()) {
        sink.report(null_finding(&entry.value, &path.key(&entry.key)));
    }
}

/// Reports keys of annotations whose prefix is not in lowercase, which the API server accepts.
fn check_prefixes(annotations: &Node, path: &Path<'_>, sink: &mut Sink) {
    for entry in annotations.entries() {
        let Some((prefix, _)) = entry.key.rsplit_once('/') else { continue };
        let is_accepted = check_dns_subdomain(&prefix.to_ascii_lowercase()).is_ok();
        if is_accepted && check_dns_subdomain(prefix).is_err() {
            let path = path.key(&entry.key);
            sink.report(rejected(entry.key_origin().span(), &path, "must have a lowercase prefix"));
        }
    }
}

fn null_finding(value: &Node, path: &Path<'_>) -> Diagnostic {
    rejected(value.span(), path, "must not be null").help(message!("remove `{path}`"))
}

fn rejected(place: Span, path: &Path<'_>, fault: impl Into<Message>) -> Diagnostic {
    let fault = fault.into();
    Diagnostic::new(
        &START_REQUEST_INVALID,
        place,
        message!("`{path}` of an idegym request {}", &fault),
    )
    .at(fault)
    .path(path)
    .note("the API of idegym rejects the request")
}
