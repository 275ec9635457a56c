//! Services and Pods of the input that have the name of one that the controller creates.

use super::fleet::Fleet;
use super::holders::{Holder, Holders};
use super::wording::title;
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::facts::has_service;
use crate::dialect::agent_sandbox::names::{ADOPTABLE, SANDBOX_NAME_HASH};
use crate::kube::Object;
use crate::scalar::name_hash;

declare_rules! {
    SANDBOX_POD_NAME_TAKEN = "sandbox-pod-name-taken", Error;
    SANDBOX_SERVICE_NAME_TAKEN = "sandbox-service-name-taken", Error;
}

/// Checks the Services and Pods of the input against the Sandboxes that are known by name.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let mut others =
        fleet.set.of_kind("", "Service").chain(fleet.set.of_kind("", "Pod")).peekable();
    if others.peek().is_none() {
        return;
    }
    let holders = Holders::new(fleet);
    for other in others {
        let Some(holder) = holders.get(&other.namespace, &other.name) else { continue };
        let finding = if other.gvk.kind == "Pod" {
            check_pod(other, holder)
        } else {
            check_service(other, holder)
        };
        if let Some(mut finding) = finding {
            finding.severity = holder.severity();
            sink.report(finding);
        }
    }
}

/// Whether the controller takes over an object that it did not create.
fn is_adoptable(object: &Object) -> bool {
    let label = |key| object.root.at(&["metadata", "labels"])?.get(key)?.as_str();
    label(ADOPTABLE) == Some("true")
        || label(SANDBOX_NAME_HASH) == Some(name_hash(&object.name).as_str())
}

fn check_pod(pod: &Object, holder: Holder<'_, '_>) -> Option<Diagnostic> {
    if is_adoptable(pod) {
        return None;
    }
    let message = message!("{} cannot create its Pod: this Pod has its name", title(holder.object));
    let finding = Diagnostic::new(&SANDBOX_POD_NAME_TAKEN, pod.name_span(), message)
        .at("not owned by the Sandbox")
        .label(holder.object.name_span(), "requires a Pod with this name")
        .path("metadata.name")
        .note("the controller keeps reporting `cannot adopt unowned pod`");
    Some(finding.help(message!("rename the Pod, or add the label `{ADOPTABLE}: \"true\"`")))
}

fn check_service(service: &Object, holder: Holder<'_, '_>) -> Option<Diagnostic> {
    let of_template = holder.template();
    let is_required = has_service(holder.object) || of_template.is_some_and(has_service);
    let is_headless = service.root.str_at(&["spec", "clusterIP"]) == Some("None");
    if !is_required || is_adoptable(service) && is_headless {
        return None;
    }
    let message =
        message!("{} cannot create its Service: this Service has its name", title(holder.object));
    let (note, help) = if is_adoptable(service) {
        (
            "the controller requires a headless Service, and `clusterIP` cannot be changed",
            "set `clusterIP: None`, or rename the Service".into(),
        )
    } else {
        (
            "the controller keeps reporting `cannot adopt unowned service`",
            message!(
                "rename the Service, or set `clusterIP: None` and the label `{ADOPTABLE}: \"true\"`"
            ),
        )
    };
    Some(
        Diagnostic::new(&SANDBOX_SERVICE_NAME_TAKEN, service.name_span(), message)
            .at("not owned by the Sandbox")
            .label(holder.object.name_span(), "requires a Service with this name")
            .path("metadata.name")
            .note(note)
            .help(help),
    )
}
