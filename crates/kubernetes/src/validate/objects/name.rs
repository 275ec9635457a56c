//! Names and namespaces, by kind.

use super::{
    NAME_INVALID, NAME_MISSING, NAMESPACE_INVALID, NAMESPACE_ON_CLUSTER_SCOPED, ObjectContext,
};
use crate::diag::{About, Diagnostic, Message, ObjectName, Safety, Sink, message};
use crate::kube::{Object, sample_name};
use crate::scalar::{
    Fault, RELAXED_SERVICE_NAMES, check_dns_label, check_dns_subdomain, check_path_segment,
    check_path_segment_prefix, check_service_name, nearest_dns_subdomain, parse_ip_address,
};
use crate::schema::KubernetesVersion;
use crate::tree::{Entry, Node};
use crate::validate::rules::reviews::is_review;

/// The version from which some kinds no longer check `generateName` by itself.
const PREFIX_UNCHECKED_MINOR: u8 = 36;

/// The grammar of a name: its description in messages, and the check.
struct Grammar {
    what: &'static str,
    check: fn(&str) -> Result<(), Fault>,
    /// The check of `generateName`.
    check_prefix: fn(&str) -> Result<(), Fault>,
    /// The maximum length in bytes, if the kind allows less than the grammar, and the reason.
    limit: Option<(usize, &'static str)>,
}

impl Grammar {
    const fn new(what: &'static str, check: fn(&str) -> Result<(), Fault>) -> Self {
        Self { what, check, check_prefix: check, limit: None }
    }
}

const SUBDOMAIN: Grammar = Grammar::new("a DNS subdomain", check_dns_subdomain);
const SEGMENT: Grammar = Grammar::new("a valid URL path segment", check_path_segment);
/// That of the registry, for kinds whose validation leaves the metadata to it.
const STORED: Grammar = Grammar { check_prefix: check_path_segment_prefix, ..SEGMENT };

/// The grammar of a kind's names (the `ValidateName` of each registry strategy).
fn grammar_of_kind(kind: Named<'_>, root: &Node, target: KubernetesVersion) -> Grammar {
    match (kind.group, kind.kind) {
        ("", "Service") if target.minor() < RELAXED_SERVICE_NAMES => {
            Grammar::new("a DNS label that starts with a letter", check_service_name)
        }
        ("", "Service" | "Namespace") | ("apps", "StatefulSet") => {
            Grammar::new("a DNS label", check_dns_label)
        }
        ("batch", "CronJob") => {
            Grammar { limit: Some((52, "the controller appends 11 characters to name its Jobs")), ..SUBDOMAIN }
        }
        ("batch", "Job")
            if root.at(&["spec", "manualSelector"]).and_then(Node::as_bool) != Some(true) =>
        {
            Grammar { limit: Some((63, "it becomes a label value")), ..SUBDOMAIN }
        }
        ("rbac.authorization.k8s.io" | "internal.apiserver.k8s.io", _)
        // The name must match the version and group, which another rule checks.
        | ("apiregistration.k8s.io", "APIService") => SEGMENT,
        // Another rule checks the name of a bundle, which depends on its signer.
        ("certificates.k8s.io", "ClusterTrustBundle" | "CertificateSigningRequest")
        // The older Event leaves the metadata to the registry (`legacyValidateEvent`).
        | ("", "Event")
        // `ValidatePodDisruptionBudget` leaves the metadata to the registry, which requires no
        // more.
        | ("policy", "PodDisruptionBudget") => STORED,
        ("networking.k8s.io", "IPAddress") => {
            Grammar::new("an IP address in canonical form", check_address)
        }
        _ => SUBDOMAIN,
    }
}

/// Checks that the name of an `IPAddress` is its address, as the API server writes it.
fn check_address(text: &str) -> Result<(), Fault> {
    let is_canonical = parse_ip_address(text).is_some_and(|address| address.to_string() == text);
    if is_canonical { Ok(()) } else { Err(Fault::NotAddress) }
}

/// The kind of a named object.
#[derive(Clone, Copy)]
pub(super) struct Named<'n> {
    /// `apps`; empty for the core group.
    pub(super) group: &'n str,
    /// `Deployment`.
    pub(super) kind: &'n str,
    /// Whether its objects are namespaced.
    pub(super) is_namespaced: bool,
}

pub(super) fn check(cx: ObjectContext<'_>, object: &Object, kind: Named<'_>, sink: &mut Sink) {
    let metadata = object.root.get("metadata");
    let entry = |key: &str| metadata.and_then(|it| it.entry(key));
    let is_review = is_review(kind.group);
    if !is_review && metadata.is_none_or(|metadata| metadata.as_map().is_some()) {
        check_name(cx, object, kind, entry("name"), entry("generateName"), sink);
    }
    let Some(namespace) = entry("namespace") else { return };
    let Some(text) = namespace.value.as_str().filter(|text| !text.is_empty()) else { return };
    if kind.is_namespaced {
        if let Err(fault) = check_dns_label(text) {
            let message = message!("namespace `{}` {fault}", text.escape_debug());
            let near = nearest_dns_subdomain(text).replace('.', "-");
            let finding = Diagnostic::new(&NAMESPACE_INVALID, namespace.value.span(), message)
                .at("must be a DNS label")
                .path(&"metadata.namespace");
            sink.report(if check_dns_label(&near).is_ok() {
                // References use the intended namespace.
                let group = &object.gvk.group;
                let meant = ObjectName::new(group, kind.kind, &near, &object.name);
                finding.about(About::InvalidName(meant)).write_instead(
                    namespace.value.span(),
                    text,
                    &near,
                    Safety::Unsafe,
                )
            } else {
                finding
            });
        }
    } else {
        let message = message!("cluster-scoped {} has a namespace", object.title());
        sink.report(
            Diagnostic::new(&NAMESPACE_ON_CLUSTER_SCOPED, namespace.key_origin().span(), message)
                .at("not allowed for this kind")
                .help("remove `namespace`")
                .path(&"metadata.namespace"),
        );
    }
}

fn check_name<'o>(
    cx: ObjectContext<'_>,
    object: &'o Object,
    kind: Named<'_>,
    name: Option<&'o Entry>,
    prefix: Option<&'o Entry>,
    sink: &mut Sink,
) {
    // A name that is not a string is reported by the schema.
    let is_text = |entry: Option<&Entry>| entry.is_none_or(|entry| entry.value.as_str().is_some());
    if !is_text(name) || !is_text(prefix) {
        return;
    }
    let given = |entry: Option<&'o Entry>| {
        let text = entry?.value.as_str().filter(|it| !it.is_empty())?;
        Some((entry?, text))
    };
    let (given_name, given_prefix) = (given(name), given(prefix));
    if given_name.is_none() && given_prefix.is_none() {
        if needs_name(kind) {
            sink.report(missing_name(object, kind, name));
        }
        return;
    }
    let grammar = grammar_of_kind(kind, &object.root, cx.target);
    if let Some((entry, text)) = given_name {
        report(&grammar, entry, text, object, kind, Field::Name, sink);
    }
    if let Some((entry, text)) = given_prefix {
        let prefix = Grammar { limit: None, check: grammar.check_prefix, ..grammar };
        let is_checked = checks_prefix(kind, cx.target);
        if is_checked && (prefix.check)(&mask_numbers(text.to_owned())).is_err() {
            report(
                &prefix,
                entry,
                &mask_numbers(text.to_owned()),
                object,
                kind,
                Field::Prefix,
                sink,
            );
        } else if !is_checked && check_path_segment(text).is_err() {
            report(&SEGMENT, entry, text, object, kind, Field::Prefix, sink);
        } else if given_name.is_none() {
            report(&grammar, entry, &sample_name(text), object, kind, Field::Generated, sink);
        }
    }
}

/// Whether an object needs a name: the server generates one for a `LimitRange`
/// (`pkg/registry/core/limitrange/strategy.go`).
fn needs_name(kind: Named<'_>) -> bool {
    (kind.group, kind.kind) != ("", "LimitRange")
}

/// Whether the API server checks a prefix by itself. Kinds whose names are validated with
/// `ValidateObjectMetaWithOpts` only check the generated name.
fn checks_prefix(kind: Named<'_>, target: KubernetesVersion) -> bool {
    let is_generated_only = matches!(
        (kind.group, kind.kind),
        ("", "ReplicationController") | ("resource.k8s.io", "DeviceClass")
    );
    !is_generated_only || target.minor() < PREFIX_UNCHECKED_MINOR
}

/// The prefix as the API server checks it: a trailing dash represents the generated part (apimachinery,
/// `api/validation/generic.go`).
fn mask_numbers(prefix: String) -> String {
    match prefix.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => {
            let mut masked = rest.to_owned();
            masked.pop();
            masked.push('a');
            masked
        }
        _ => prefix,
    }
}

fn missing_name(object: &Object, kind: Named<'_>, name: Option<&Entry>) -> Diagnostic {
    let metadata = object.root.entry("metadata").map(|entry| entry.key_origin().span());
    let key = name.map(|entry| entry.key_origin().span()).or(metadata);
    let at = key.or_else(|| object.root.get("kind").map(Node::span));
    Diagnostic::new(
        &NAME_MISSING,
        at.unwrap_or_else(|| object.document.start_point()),
        message!("{} has no name", kind.kind),
    )
    .at("`metadata.name` is required")
    .help("add `metadata: {name: ...}`")
    .path(&"metadata.name")
    .about(About::MissingName)
}

/// The field that is checked against the grammar of names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Name,
    /// `generateName`, as written.
    Prefix,
    /// The name that the API server generates from it.
    Generated,
}

/// The help for a name with an expression whose braces are incomplete: `web-{ index }}`.
fn expression_in(written: &str) -> Option<Message> {
    let enclosed = written.get(written.find('{')?..=written.rfind('}')?)?;
    let inside = enclosed.trim_matches(['{', '}']).trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    (!inside.is_empty() && inside.chars().all(is_name))
        .then(|| message!("write two braces on both sides of the expression: `{{{{ {inside} }}}}`"))
}

fn report(
    grammar: &Grammar,
    entry: &Entry,
    text: &str,
    object: &Object,
    kind: Named<'_>,
    field: Field,
    sink: &mut Sink,
) {
    let (what, key) = match field {
        Field::Name => ("name", "name"),
        Field::Prefix => ("`generateName`", "generateName"),
        Field::Generated => ("name generated from", "generateName"),
    };
    let fault = (grammar.check)(text).err();
    let limit = grammar.limit.filter(|(limit, _)| text.len() > *limit);
    if fault.is_none() && limit.is_none() {
        return;
    }
    let written = entry.value.as_str().unwrap_or(text).escape_debug();
    let subject = format!("{} {what} `{written}`", kind.kind);
    let finding = |message| {
        Diagnostic::new(&NAME_INVALID, entry.value.span(), message).path(&format!("metadata.{key}"))
    };
    if let Some(fault) = fault {
        let finding =
            finding(message!("{subject} {fault}")).at(message!("must be {}", grammar.what));
        let dashed = text.to_lowercase().replace(['_', ' '], "-");
        let bare = dashed.replace(['“', '”', '„', '‘', '’', '"', '\'', ',', ';'], "");
        let meant = bare.trim_matches(['-', '.']).to_owned();
        let is_short = grammar.limit.is_none_or(|(limit, _)| meant.len() <= limit);
        let is_valid = is_short && (grammar.check)(&meant).is_ok();
        let finding = if is_valid && field == Field::Name {
            let namespace = if kind.is_namespaced { object.namespace.as_str() } else { "" };
            let right = ObjectName::new(kind.group, kind.kind, namespace, &meant);
            let finding = finding.about(About::InvalidName(right));
            finding.write_instead(entry.value.span(), text, &meant, Safety::Unsafe)
        } else {
            finding.help_if(expression_in(&written.to_string()))
        };
        sink.report(finding);
    } else if let Some((limit, reason)) = limit {
        let length = text.len();
        let message = message!("{subject} has {length} characters, more than {limit}");
        sink.report(finding(message).at("too long").note(reason));
    }
}
