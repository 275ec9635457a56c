//! `additionalPodMetadata` of a claim: the labels and annotations that it adds to its Pod.
//!
//! The controller checks them first, key by key, and stops at the first fault. Here every key is
//! checked, in the controller's order, up to its own first fault.

use super::fleet::{Claim, Fleet};
use super::wording::title;
use crate::diag::{Diagnostic, Message, Rule, Sink, brief, declare_rules, headlined, message};
use crate::dialect::agent_sandbox::domains::Domains;
use crate::dialect::agent_sandbox::names::SAFE_TO_EVICT;
use crate::kube::Object;
use crate::scalar::{check_label_value, check_qualified_name, nearest_label_value};
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
    message: Message,
    help: Message,
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

/// Why the controller rejects an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::dialect::agent_sandbox) enum Refusal {
    /// The key is not a qualified name.
    Key(Message),
    /// The label of the sandbox router.
    Router,
    /// A label without a domain.
    Unprefixed,
    /// The domain of a label is not among those that are allowed.
    Domain,
    /// The domain of an annotation belongs to Kubernetes or agent-sandbox.
    Reserved,
    /// The value is not a label value.
    Value(Message),
}

fn key_refusal(entry: &Entry) -> Option<Refusal> {
    check_qualified_name(&entry.key).err().map(|fault| Refusal::Key(message!("{fault}")))
}

/// The controller's checks of a label, in its order.
pub(in crate::dialect::agent_sandbox) fn label_refusal(
    entry: &Entry,
    domains: &Domains,
) -> Option<Refusal> {
    if let Some(refusal) = key_refusal(entry) {
        return Some(refusal);
    }
    let value = entry.value.as_str().unwrap_or_default();
    let is_app = entry.key.eq_ignore_ascii_case("app");
    if is_app && value.eq_ignore_ascii_case("sandbox-router") {
        return Some(Refusal::Router);
    }
    let Some((domain, _)) = entry.key.split_once('/') else { return Some(Refusal::Unprefixed) };
    if !domains.contain(domain) {
        return Some(Refusal::Domain);
    }
    check_label_value(value).err().map(|fault| Refusal::Value(message!("{fault}")))
}

/// The controller's checks of an annotation, in its order.
pub(in crate::dialect::agent_sandbox) fn annotation_refusal(entry: &Entry) -> Option<Refusal> {
    if let Some(refusal) = key_refusal(entry) {
        return Some(refusal);
    }
    let (domain, _) = entry.key.split_once('/')?;
    let is_reserved = RESERVED_DOMAINS.iter().any(|reserved| is_within(domain, reserved));
    (is_reserved && entry.key != SAFE_TO_EVICT).then_some(Refusal::Reserved)
}

fn find_label_fault(entry: &Entry, domains: &Domains) -> Option<Fault> {
    Some(label_refusal(entry, domains)?.into_fault(entry, "label", domains))
}

fn find_annotation_fault(entry: &Entry) -> Option<Fault> {
    Some(annotation_refusal(entry)?.into_fault(entry, "annotation", &Domains::default()))
}

impl Refusal {
    fn into_fault(self, entry: &Entry, noun: &str, domains: &Domains) -> Fault {
        let (key, at) = (entry.key.as_str(), entry.key_origin().span());
        let (domain, name) = key.split_once('/').unwrap_or(("", key));
        let value = entry.value.as_str().unwrap_or_default();
        let allowed = domains.listed().next().unwrap_or_default();
        match self {
            Self::Key(fault) => Fault {
                rule: &CLAIM_METADATA_KEY_INVALID,
                at,
                message: message!("{noun} key `{key}` {fault}"),
                help: "write `name` or `example.com/name`".into(),
            },
            Self::Router => Fault {
                rule: &CLAIM_LABEL_ROUTER,
                at: entry.value.span(),
                message: "claim sets the label of the sandbox router".into(),
                help: "remove the label".into(),
            },
            Self::Unprefixed => Fault {
                rule: &CLAIM_LABEL_UNPREFIXED,
                at,
                message: message!("claim label `{key}` has no domain"),
                help: write_within(allowed, key),
            },
            Self::Domain => {
                let all = headlined(domains.listed());
                Fault {
                    rule: &CLAIM_LABEL_DOMAIN_FORBIDDEN,
                    at,
                    message: message!(
                        "label domain `{domain}` is not allowed on claims; allowed: {all}"
                    ),
                    help: message!(
                        "{}, or have the controller's operator allow it",
                        write_within(allowed, name)
                    ),
                }
            }
            Self::Reserved => Fault {
                rule: &CLAIM_ANNOTATION_DOMAIN_RESERVED,
                at,
                message: message!("claim sets the reserved annotation `{key}`"),
                help: message!("use your own domain, such as `example.com/{name}`"),
            },
            Self::Value(fault) => Fault {
                rule: &CLAIM_LABEL_VALUE_INVALID,
                at: entry.value.span(),
                message: message!("value `{value}` of label `{key}` {fault}"),
                help: "change it, or use an annotation, which accepts any string".into(),
            },
        }
    }
}

/// Help with the key in an allowed domain.
fn write_within(domain: &str, name: &str) -> Message {
    match nearest_label_value(name) {
        Some(name) => message!("write `{domain}/{name}`"),
        None => message!("write a key in the domain `{domain}`"),
    }
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
    let value = |entry: &Entry| brief(entry.value.as_str().unwrap_or_default()).to_owned();
    let message = message!(
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
    fn a_domain_contains_itself_and_its_subdomains() {
        assert!(is_within("k8s.io", "k8s.io"));
        assert!(is_within("x.k8s.io", "k8s.io"));
        assert!(is_within("agents.x-k8s.io", "agents.x-k8s.io"));
        assert!(!is_within("agents.x-k8s.io", "k8s.io"));
        assert!(!is_within("io", "k8s.io"));
    }
}
