//! Expiration of sandboxes and claims, and the deletion of their volumes.

use super::blueprint::volume_claim_templates;
use super::fleet::{Claim, Fleet, Template};
use crate::diag::{CommonCause, Diagnostic, Repeated, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::names::VERSION;
use crate::kube::{Object, PodSpec};
use crate::scalar::Timestamp;
use crate::source::Span;
use crate::tree::{Entry, Node};

declare_rules! {
    TTL_NEVER_FIRES = "ttl-never-fires", Warning;
    RETAIN_DELETES_VOLUMES = "retain-deletes-volumes", Warning, follows = [Structure];
    SHUTDOWN_POLICY_UNUSED = "shutdown-policy-unused", Warning;
    SHUTDOWN_TIME_INVALID = "shutdown-time-invalid", Error;
    SHUTDOWN_TIME_PAST = "shutdown-time-past", Warning;
}

/// The date of the first release with `v1beta1`, agent-sandbox 0.5.0.
const FIRST_RELEASE: Timestamp = Timestamp { year: 2026, month: 6, day: 1 };

/// Checks Sandboxes and claims.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    for sandbox in &fleet.sandboxes {
        let Some(spec) = sandbox.root.get("spec") else { continue };
        check_time(spec, sandbox, "spec", sink);
        check_policy(spec, sandbox, "spec", sink);
    }
    // Computed once per template, however many claims it has.
    let restarts: Vec<_> = fleet.templates.iter().map(restarts_for_ever).collect();
    let mut endless = Repeated::default();
    for claim in &fleet.claims {
        let Some(lifecycle) = claim.object.root.at(&["spec", "lifecycle"]) else { continue };
        check_time(lifecycle, claim.object, "spec.lifecycle", sink);
        check_policy(lifecycle, claim.object, "spec.lifecycle", sink);
        let template = fleet.template_of(claim);
        let at = fleet.template_position(claim);
        let restarts = at.and_then(|at| restarts.get(at as usize)?.as_ref());
        if let Some((template, restarts)) = template.zip(restarts) {
            check_ttl(lifecycle, template, *restarts, &mut endless, sink);
        }
        let expires = lifecycle.get("shutdownTime").is_some() || restarts.is_none();
        if let Some(end) = end_of(lifecycle).filter(|_| expires) {
            check_retain(lifecycle, claim, template, end, sink);
        }
    }
}

/// The fields that make a claim expire.
fn end_of(lifecycle: &Node) -> Option<&Entry> {
    lifecycle.entry("shutdownTime").or_else(|| lifecycle.entry("ttlSecondsAfterFinished"))
}

/// Whether a `shutdownTime` is before the first release, and therefore always in the past.
pub(in crate::dialect::agent_sandbox) fn is_in_the_past(time: &str) -> bool {
    Timestamp::parse(time).is_some_and(|time| time < FIRST_RELEASE)
}

/// Whether the controller deletes a Sandbox as soon as it sees it.
pub(in crate::dialect::agent_sandbox) fn is_deleted(sandbox: &Node) -> bool {
    let spec = |field: &str| sandbox.str_at(&["spec", field]);
    spec("shutdownPolicy") == Some("Delete") && spec("shutdownTime").is_some_and(is_in_the_past)
}

fn check_time(node: &Node, object: &Object, path: &str, sink: &mut Sink) {
    let Some(time) = node.get("shutdownTime") else { return };
    let Some(text) = time.as_str() else { return };
    let path = || format!("{path}.shutdownTime");
    let Some(timestamp) = Timestamp::parse(text) else {
        let message = message!("invalid time `{text}` in `shutdownTime`");
        let finding = Diagnostic::new(&SHUTDOWN_TIME_INVALID, time.span(), message)
            .at("must be an RFC 3339 time")
            .path(&path())
            .help("write a time such as `2030-09-01T08:00:00Z` or `2030-09-01T10:00:00+02:00`");
        sink.report(finding);
        return;
    };
    if timestamp < FIRST_RELEASE && object.gvk.version == VERSION {
        let message = message!("`shutdownTime` `{text}` is in the past");
        let finding = Diagnostic::new(&SHUTDOWN_TIME_PAST, time.span(), message)
            .at("expires immediately")
            .path(&path())
            .note("this API version did not exist at that time")
            .help("write a future time, or remove `shutdownTime`");
        sink.report(finding);
    }
}

fn check_policy(node: &Node, object: &Object, path: &str, sink: &mut Sink) {
    let Some(entry) = node.entry("shutdownPolicy") else { return };
    // `Retain` is the default of the API server.
    let Some(policy) = entry.value.as_str().filter(|policy| *policy != "Retain") else { return };
    if end_of(node).is_some() {
        return;
    }
    let kind = &object.gvk.kind;
    let message = message!("`shutdownPolicy: {policy}` of a {kind} never takes effect");
    let help = if kind == "Sandbox" {
        "add `shutdownTime`, or remove `shutdownPolicy`"
    } else {
        "add `shutdownTime` or `ttlSecondsAfterFinished`, or remove `shutdownPolicy`"
    };
    let finding = Diagnostic::new(&SHUTDOWN_POLICY_UNUSED, entry.key_origin().span(), message)
        .at("no expiry time is set")
        .path(&format!("{path}.shutdownPolicy"))
        .note("the policy applies at expiry, but no expiry time is set")
        .help(help);
    sink.report(finding);
}

/// The span that makes Pods of a template never finish: a container that always restarts.
fn restarts_for_ever(template: &Template<'_>) -> Option<Span> {
    let pod = PodSpec::of(template.object)?;
    // The kubelet fails a Pod at its deadline, whatever its restart policy.
    if pod.spec.get("activeDeadlineSeconds").is_some() {
        return None;
    }
    let of_pod = pod.spec.get("restartPolicy");
    let mut containers = pod.containers().filter(|container| container.list == "containers");
    containers.find_map(|container| {
        // Since Kubernetes 1.34 a container can have its own policy.
        let policy = container.node.get("restartPolicy").or(of_pod);
        match policy.and_then(Node::as_str) {
            None | Some("") => Some(template.object.name_span()),
            Some("Always") => policy.map(Node::span),
            Some(_) => None,
        }
    })
}

fn check_ttl(
    lifecycle: &Node,
    template: &Template<'_>,
    restarts: Span,
    endless: &mut Repeated<Span>,
    sink: &mut Sink,
) {
    let Some(entry) = lifecycle.entry("ttlSecondsAfterFinished") else { return };
    let place = entry.key_origin().span();
    sink.report(endless.at(restarts, place, || never_fires_finding(place, template, restarts)));
}

fn never_fires_finding(place: Span, template: &Template<'_>, restarts: Span) -> Diagnostic {
    let name = template.object.shown_name();
    let message = message!(
        "`ttlSecondsAfterFinished` never fires: Pods of SandboxTemplate `{name}` never finish"
    );
    Diagnostic::new(&TTL_NEVER_FIRES, place, message)
        .at("starts when the Pod finishes")
        .label(restarts, "`restartPolicy` is `Always`, here or by default")
        .path(&"spec.lifecycle.ttlSecondsAfterFinished")
        .because_of(CommonCause::Value(restarts))
        .note("the kubelet restarts containers, so the Pod never becomes `Succeeded` or `Failed`")
        .help(
            "use `shutdownTime`, or set `restartPolicy: Never` in the template if its main process exits",
        )
}

fn check_retain(
    lifecycle: &Node,
    claim: &Claim<'_>,
    template: Option<&Template<'_>>,
    end: &Entry,
    sink: &mut Sink,
) {
    let policy = lifecycle.get("shutdownPolicy");
    if !matches!(policy.and_then(Node::as_str), None | Some("" | "Retain")) {
        return;
    }
    let own = volume_claim_templates(claim.object).first();
    let volume = own.map(Node::span).or_else(|| {
        let mut of_template = template?.blueprint.volume_claims.iter();
        of_template.next().map(|(_, name)| name.span())
    });
    let Some(volume) = volume else { return };
    let at = policy.map_or_else(|| end.key_origin().span(), Node::span);
    let message = "`shutdownPolicy: Retain` of a claim keeps the claim but deletes its volumes";
    let finding = Diagnostic::new(&RETAIN_DELETES_VOLUMES, at, message)
        .at(if policy.is_some() {
            "keeps only the claim"
        } else {
            "ends with `Retain`, the default"
        })
        .label(volume, "deleted with its data")
        .path(&"spec.lifecycle.shutdownPolicy")
        .note("the Sandbox is deleted when the claim expires, and its volume claims go with it")
        .help(
            "set `shutdownPolicy: Delete` if the data can be lost; otherwise use your own PersistentVolumeClaim, or a Sandbox without a claim, whose `Retain` keeps \
             its volumes",
        );
    sink.report(finding);
}
