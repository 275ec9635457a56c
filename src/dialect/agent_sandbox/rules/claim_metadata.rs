//! `additionalPodMetadata` of a claim: the labels and annotations that it adds to its Pod.
//!
//! The controller checks them first, key by key, and stops at the first fault. Here every key is
//! checked, in the controller's order, up to its own first fault.

use super::fleet::{Claim, Fleet};
use super::wording::title;
use crate::diag::{Diagnostic, Rule, Sink, declare_rules};
use crate::dialect::agent_sandbox::names::SAFE_TO_EVICT;
use crate::kube::Object;
use crate::scalar::{check_label_value, check_qualified_name};
use crate::source::Span;
use crate::tree::{Entry, Node};

declare_rules! {
    CLAIM_METADATA_KEY_INVALID = "claim-metadata-key-invalid", Error;
    CLAIM_LABEL_ROUTER = "claim-label-router", Error;
    CLAIM_LABEL_UNPREFIXED = "claim-label-unprefixed", Error;
    CLAIM_LABEL_DOMAIN_FORBIDDEN = "claim-label-domain-forbidden", Error;
    CLAIM_ANNOTATION_DOMAIN_RESERVED = "claim-annotation-domain-reserved", Error;
    CLAIM_LABEL_VALUE_INVALID = "claim-label-value-invalid", Error;
    CLAIM_METADATA_CONFLICT = "claim-metadata-conflict", Error;
}

const RESERVED_DOMAINS: [&str; 3] = ["kubernetes.io", "k8s.io", "agents.x-k8s.io"];

/// Checks the metadata of all claims.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let domains = &fleet.settings.allowed_label_domains;
    for claim in &fleet.claims {
        let metadata = |field| {
            let keys = ["spec", "additionalPodMetadata", field];
            claim.object.root.at(&keys).map_or(&[][..], Node::entries)
        };
        for entry in metadata("labels") {
            match find_label_fault(entry, domains) {
                Some(fault) => fault.report(entry, "labels", sink),
                None => check_conflict(fleet, claim, entry, "labels", sink),
            }
        }
        for entry in metadata("annotations") {
            match find_annotation_fault(entry) {
                Some(fault) => fault.report(entry, "annotations", sink),
                None => check_conflict(fleet, claim, entry, "annotations", sink),
            }
        }
    }
}

/// The reason the controller rejects an entry.
struct Fault {
    rule: &'static Rule,
    at: Span,
    message: String,
    help: String,
}

impl Fault {
    fn report(self, entry: &Entry, field: &str, sink: &mut Sink) {
        let finding = Diagnostic::new(self.rule, self.at, self.message)
            .at("rejected by the controller")
            .path(&format!("spec.additionalPodMetadata.{field}[{}]", entry.key))
            .note("the claim fails with the reason `InvalidMetadata`, and the controller does not retry")
            .help(self.help);
        sink.report(finding);
    }
}

fn find_key_fault(entry: &Entry, noun: &str) -> Option<Fault> {
    let fault = check_qualified_name(&entry.key).err()?;
    Some(Fault {
        rule: &CLAIM_METADATA_KEY_INVALID,
        at: entry.key_origin.span(),
        message: format!("{noun} key `{}` {fault}", entry.key),
        help: "write `name` or `example.com/name`".to_owned(),
    })
}

/// The controller's checks of a label, in its order.
fn find_label_fault(entry: &Entry, domains: &[String]) -> Option<Fault> {
    if let Some(fault) = find_key_fault(entry, "label") {
        return Some(fault);
    }
    let (key, at) = (entry.key.as_str(), entry.key_origin.span());
    let value = entry.value.as_str().unwrap_or_default();
    let allowed = domains.first().map_or("", String::as_str);
    if key.eq_ignore_ascii_case("app") && value.eq_ignore_ascii_case("sandbox-router") {
        return Some(Fault {
            rule: &CLAIM_LABEL_ROUTER,
            at: entry.value.span(),
            message: "claim sets the label of the sandbox router".to_owned(),
            help: "remove the label".to_owned(),
        });
    }
    let Some((domain, name)) = key.split_once('/') else {
        return Some(Fault {
            rule: &CLAIM_LABEL_UNPREFIXED,
            at,
            message: format!("claim label `{key}` has no domain"),
            help: format!("write `{allowed}/{key}`"),
        });
    };
    if !domains.iter().any(|allowed| is_within(domain, allowed)) {
        let all: Vec<_> = domains.iter().map(|domain| format!("`{domain}`")).collect();
        return Some(Fault {
            rule: &CLAIM_LABEL_DOMAIN_FORBIDDEN,
            at,
            message: format!(
                "label domain `{domain}` is not allowed on claims; allowed: {}",
                all.join(", ")
            ),
            help: format!("write `{allowed}/{name}`, or have the controller's operator allow it"),
        });
    }
    let fault = check_label_value(value).err()?;
    Some(Fault {
        rule: &CLAIM_LABEL_VALUE_INVALID,
        at: entry.value.span(),
        message: format!("value `{value}` of label `{key}` {fault}"),
        help: "change it, or use an annotation, which accepts any string".to_owned(),
    })
}

/// The controller's checks of an annotation, in its order.
fn find_annotation_fault(entry: &Entry) -> Option<Fault> {
    if let Some(fault) = find_key_fault(entry, "annotation") {
        return Some(fault);
    }
    let key = entry.key.as_str();
    let (domain, name) = key.split_once('/')?;
    RESERVED_DOMAINS.iter().find(|reserved| is_within(domain, reserved))?;
    if key == SAFE_TO_EVICT {
        return None;
    }
    Some(Fault {
        rule: &CLAIM_ANNOTATION_DOMAIN_RESERVED,
        at: entry.key_origin.span(),
        message: format!("claim sets the reserved annotation `{key}`"),
        help: format!("use your own domain, such as `example.com/{name}`"),
    })
}

/// Whether a domain equals another one or is a subdomain of it.
fn is_within(domain: &str, other: &str) -> bool {
    domain.strip_suffix(other).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

fn check_conflict(
    fleet: &Fleet<'_, '_>,
    claim: &Claim<'_>,
    entry: &Entry,
    field: &str,
    sink: &mut Sink,
) {
    let Some(template) = fleet.template_of(claim) else { return };
    let defined = match field {
        "labels" => &template.blueprint.labels,
        _ => &template.blueprint.annotations,
    };
    let Some(defined) = defined.get(&entry.key) else { return };
    let (Some(ours), Some(theirs)) = (entry.value.as_str(), defined.value.as_str()) else { return };
    if ours != theirs {
        report_conflict(template.object, entry, defined, field, sink);
    }
}

fn report_conflict(
    template: &Object,
    entry: &Entry,
    defined: &Entry,
    field: &str,
    sink: &mut Sink,
) {
    let value = |entry: &Entry| entry.value.as_str().unwrap_or_default().to_owned();
    let message = format!(
        "{} `{}` is `{}` in {}, but `{}` in the claim",
        field.trim_end_matches('s'),
        entry.key,
        value(defined),
        title(template),
        value(entry)
    );
    let finding = Diagnostic::new(&CLAIM_METADATA_CONFLICT, entry.value.span(), message)
        .at("differs from the template")
        .label(defined.value.span(), "defined here")
        .path(&format!("spec.additionalPodMetadata.{field}[{}]", entry.key))
        .note("the claim keeps failing with `ReconcilerError`")
        .help("use another key, or remove it from the template");
    sink.report(finding);
}

#[cfg(test)]
mod tests {
    use super::is_within;

    #[test]
    fn a_domain_holds_itself_and_what_lies_below_it() {
        assert!(is_within("k8s.io", "k8s.io"));
        assert!(is_within("x.k8s.io", "k8s.io"));
        assert!(is_within("agents.x-k8s.io", "agents.x-k8s.io"));
        assert!(!is_within("agents.x-k8s.io", "k8s.io"));
        assert!(!is_within("io", "k8s.io"));
    }
}
