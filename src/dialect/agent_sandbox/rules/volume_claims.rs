//! `volumeClaimTemplates` of Sandboxes, templates and claims, one list at a time.

use super::blueprint::{Blueprint, volume_claim_templates};
use super::fleet::{Fleet, Template};
use super::wording::title;
use crate::diag::{About, Diagnostic, Message, Rule, Severity, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::names::volume_claim_name;
use crate::kube::Object;
use crate::scalar::{Fault, SUBDOMAIN_LIMIT, check_dns_label};
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    VOLUME_CLAIM_NAME_MISSING = "volume-claim-name-missing", Error, follows = [Misplaced];
    VOLUME_CLAIM_DUPLICATE = "volume-claim-duplicate", Error;
    VOLUME_CLAIM_NAME_INVALID = "volume-claim-name-invalid", Error;
    VOLUME_CLAIM_NAME_LONG = "volume-claim-name-long", Error;
    VOLUME_REPLACED_BY_CLAIM = "volume-replaced-by-claim", Warning;
    VOLUME_CLAIM_UNMOUNTED = "volume-claim-unmounted", Warning, follows = [Structure];
}

const NOT_READY: &str =
    "claims fail with `VolumeClaimTemplatesError`, and pool members never become Ready";

/// Checks the lists of all templates, Sandboxes and claims.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    for template in &fleet.templates {
        check_list(template.object, Some(&template.blueprint), sink);
    }
    for sandbox in &fleet.sandboxes {
        check_list(sandbox, Some(&Blueprint::new(sandbox)), sink);
        check_lengths(sandbox, None, || Severity::Error, sink);
    }
    for claim in &fleet.claims {
        let template = fleet.template_of(claim);
        check_list(claim.object, template.map(|template| &template.blueprint), sink);
        check_lengths(claim.object, template, || fleet.severity(claim), sink);
    }
}

fn check_list(object: &Object, pod: Option<&Blueprint<'_>>, sink: &mut Sink) {
    let mut seen: SortedMap<&str, Span> = SortedMap::new();
    for (index, entry) in volume_claim_templates(object).iter().enumerate() {
        let path = format!("spec.volumeClaimTemplates[{index}]");
        let Some(node) = entry.at(&["metadata", "name"]) else {
            report_missing(entry, &path, sink);
            continue;
        };
        let Some(name) = node.as_str() else { continue };
        match check_dns_label(name) {
            Err(Fault::Empty) => report_missing(node, &path, sink),
            Err(fault) => report_name(node, name, fault, &path, sink),
            Ok(()) => {}
        }
        if name.is_empty() {
            continue;
        }
        if let Some(first) = seen.get(name) {
            report_duplicate(node, name, *first, &path, sink);
            continue;
        }
        seen.insert(name, node.span());
        if let Some(pod) = pod {
            check_use(object, pod, name, node, &path, sink);
        }
    }
}

fn finding_at(
    rule: &'static Rule,
    at: Span,
    message: Message,
    label: impl Into<Message>,
    path: &str,
) -> Diagnostic {
    Diagnostic::new(rule, at, message).at(label).path(&path)
}

fn report_missing(node: &Node, path: &str, sink: &mut Sink) {
    let message = "entry of `volumeClaimTemplates` has no name".into();
    let finding = finding_at(&VOLUME_CLAIM_NAME_MISSING, node.span(), message, "no name", path)
        .note(NOT_READY)
        .about(About::UnnamedVolumeClaim(None))
        .help("add `metadata: {name: ...}`, the volume name that containers mount");
    sink.report(finding);
}

fn report_name(node: &Node, name: &str, fault: Fault, path: &str, sink: &mut Sink) {
    let message = message!("invalid volume name `{name}`: it {fault}");
    let label = "becomes a volume name";
    let path = format!("{path}.metadata.name");
    let right = name.to_lowercase().replace(['_', ' '], "-");
    let right = check_dns_label(&right).is_ok().then(|| right.into());
    let finding = finding_at(&VOLUME_CLAIM_NAME_INVALID, node.span(), message, label, &path)
        .about(About::UnnamedVolumeClaim(right))
        .help("use at most 63 lowercase letters, digits and `-`");
    sink.report(finding);
}

fn report_duplicate(node: &Node, name: &str, first: Span, path: &str, sink: &mut Sink) {
    let message = message!("duplicate name `{name}` in `volumeClaimTemplates`");
    let path = format!("{path}.metadata.name");
    let finding = finding_at(&VOLUME_CLAIM_DUPLICATE, node.span(), message, "the second", &path)
        .label(first, "the first")
        .note(NOT_READY)
        .help("rename or remove one of the two");
    sink.report(finding);
}

fn check_use(
    object: &Object,
    pod: &Blueprint<'_>,
    name: &str,
    node: &Node,
    path: &str,
    sink: &mut Sink,
) {
    let path = format!("{path}.metadata.name");
    if let Some(volume) = pod.volumes.get(name) {
        let message = message!("volume claim `{name}` replaces the volume of the same name");
        let label = "replaces the volume";
        let finding = finding_at(&VOLUME_REPLACED_BY_CLAIM, node.span(), message, label, &path)
            .label(volume.span(), "this volume is discarded")
            .help("remove the volume, or rename one of the two");
        sink.report(finding);
    }
    // A volume that a claim replaces is checked with its template.
    let is_templates = pod.volume_claims.get(name).is_some_and(|own| own.origin() != node.origin());
    if !pod.mounted.contains(name) && !is_templates {
        let message = message!("no container of {} mounts volume `{name}`", title(object));
        let finding =
            finding_at(&VOLUME_CLAIM_UNMOUNTED, node.span(), message, "never used", &path)
                .note("the volume is still provisioned")
                .help(message!("mount it: `volumeMounts: [{{name: {name}, mountPath: ...}}]`"));
        sink.report(finding);
    }
}

/// Checks the length of the names of a Sandbox's volume claims. Only names near the limit are
/// checked in detail.
fn check_lengths(
    object: &Object,
    template: Option<&Template<'_>>,
    severity: impl FnOnce() -> Severity,
    sink: &mut Sink,
) {
    let own = volume_claim_templates(object)
        .iter()
        .filter_map(|entry| entry.str_at(&["metadata", "name"]));
    let of_template = template.and_then(|template| template.longest_volume_claim());
    let Some(longest) = own.chain(of_template).max_by_key(|name| name.len()) else { return };
    let name = volume_claim_name(longest, &object.name);
    if name.len() <= SUBDOMAIN_LIMIT || object.name.len() > SUBDOMAIN_LIMIT {
        return;
    }
    let message = message!(
        "name of volume claim `{longest}` of {} has {} characters",
        title(object),
        name.len()
    );
    let label = message!("must be at most {SUBDOMAIN_LIMIT} characters");
    let mut finding =
        finding_at(&VOLUME_CLAIM_NAME_LONG, object.name_span(), message, label, "metadata.name")
            .note("the name is the entry, `-` and the name of the Sandbox")
            .help("shorten the name of the entry or the object");
    finding.severity = severity();
    sink.report(finding);
}
