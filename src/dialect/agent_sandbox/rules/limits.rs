//! Length and format of names, for the objects that are created from them.

use super::fleet::{Fleet, Template};
use super::wording::title;
use crate::diag::{Diagnostic, Severity, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::facts::has_service;
use crate::dialect::agent_sandbox::names::network_policy_name;
use crate::kube::{LONGEST_PREFIX, Object};
use crate::scalar::{
    Fault, KubernetesVersion, RELAXED_SERVICE_NAMES, SUBDOMAIN_LIMIT, service_name_check,
};

declare_rules! {
    SANDBOX_SERVICE_NAME_INVALID = "sandbox-service-name-invalid", Error;
    WARM_POOL_NAME_LONG = "warm-pool-name-long", Warning;
    SANDBOX_NAME_LONG = "sandbox-name-long", Warning;
    TEMPLATE_NAME_LONG = "template-name-long", Error;
}

/// The maximum length of a host name.
const HOSTNAME_LIMIT: usize = 63;

/// Checks the names of all objects.
pub(super) fn check(fleet: &Fleet<'_, '_>, target: KubernetesVersion, sink: &mut Sink) {
    for template in &fleet.templates {
        check_template(template.object, sink);
    }
    for pool in &fleet.pools {
        let template = fleet.template_of_pool(pool);
        if pool.replicas > 0 && template.is_some_and(Template::has_service) {
            let finding = find_service_fault(pool.object, LONGEST_PREFIX, target);
            report_found(finding, Severity::Error, sink);
        }
        check_pool(pool.object, sink);
    }
    for sandbox in &fleet.sandboxes {
        let fault = service_fault(sandbox, has_service(sandbox), target);
        check_sandbox(sandbox, fault, Severity::Error, sink);
    }
    for claim in &fleet.claims {
        let has_service = fleet.template_of(claim).is_some_and(Template::has_service);
        let fault = service_fault(claim.object, has_service, target);
        let severity = fault.as_ref().map_or(Severity::Error, |_| fleet.severity(claim));
        check_sandbox(claim.object, fault, severity, sink);
    }
}

fn report_found(finding: Option<Diagnostic>, severity: Severity, sink: &mut Sink) {
    if let Some(mut finding) = finding {
        finding.severity = severity;
        sink.report(finding);
    }
}

fn check_template(object: &Object, sink: &mut Sink) {
    let length = network_policy_name(&object.name).len();
    let is_managed = object.root.str_at(&["spec", "networkPolicyManagement"]) != Some("Unmanaged");
    if length <= SUBDOMAIN_LIMIT || !is_managed {
        return;
    }
    let limit = SUBDOMAIN_LIMIT - (length - object.name.len());
    let message = message!(
        "template name is {} characters long, too long for its NetworkPolicy",
        object.name.len()
    );
    let finding = Diagnostic::new(&TEMPLATE_NAME_LONG, object.name_span(), message)
        .at(message!("must be at most {limit} characters"))
        .path(&"metadata.name")
        .note("the policy name is the template name and `-network-policy`")
        .help("shorten the name");
    sink.report(finding);
}

fn check_pool(object: &Object, sink: &mut Sink) {
    let limit = LONGEST_PREFIX - 1;
    if object.name.len() <= limit {
        return;
    }
    let message = message!(
        "pool name is {} characters long and is truncated in the names of its members",
        object.name.len()
    );
    let finding = Diagnostic::new(&WARM_POOL_NAME_LONG, object.name_span(), message)
        .at(message!("{limit} characters are kept"))
        .path(&"metadata.name")
        .help("shorten the name");
    sink.report(finding);
}

fn service_fault(
    object: &Object,
    has_service: bool,
    target: KubernetesVersion,
) -> Option<Diagnostic> {
    if has_service { find_service_fault(object, usize::MAX, target) } else { None }
}

fn check_sandbox(object: &Object, fault: Option<Diagnostic>, severity: Severity, sink: &mut Sink) {
    if fault.is_none() && object.name.len() > HOSTNAME_LIMIT {
        let message = message!(
            "name is {} characters long and is truncated in the Pod's host name",
            object.name.len()
        );
        let finding = Diagnostic::new(&SANDBOX_NAME_LONG, object.name_span(), message)
            .at(message!("{HOSTNAME_LIMIT} characters are kept"))
            .path(&"metadata.name")
            .help("shorten the name");
        sink.report(finding);
    }
    report_found(fault, severity, sink);
}

/// What keeps a Service from having this name, of which the first `limit` bytes count. Faults that
/// no object's name may have are found elsewhere.
fn find_service_fault(
    object: &Object,
    limit: usize,
    target: KubernetesVersion,
) -> Option<Diagnostic> {
    let name = object.name.get(..limit).unwrap_or(&object.name);
    let fault = service_name_check(target)(name).err()?;
    let is_own = match fault {
        Fault::TooLong { length, .. } => length <= SUBDOMAIN_LIMIT,
        Fault::Start { character, .. } => character.is_ascii_digit(),
        Fault::Character { character, .. } => character == '.',
        _ => false,
    };
    if !is_own {
        return None;
    }
    let message = message!("no Service can be named after {}: its name {fault}", title(object));
    let finding = Diagnostic::new(&SANDBOX_SERVICE_NAME_INVALID, object.name_span(), message)
        .at("invalid Service name")
        .path(&"metadata.name")
        .note("`service: true` creates a Service with the name of the Sandbox")
        .help(if target.minor() < RELAXED_SERVICE_NAMES {
            "use at most 63 lowercase letters, digits and `-`, starting with a letter"
        } else {
            "use at most 63 lowercase letters, digits and `-`"
        });
    Some(finding)
}
