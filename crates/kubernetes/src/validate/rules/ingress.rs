//! `Ingress`, after `ValidateIngressCreate` of Kubernetes' `pkg/apis/networking/validation`.

mod backend;

use super::judge::{
    Absence, Judge, Spot, filled, is_empty_list, items, shown, text_of, value_or_owner,
};
use super::names::{NameForm, check_name};
use crate::diag::{declare_rules, message};
use crate::scalar::{Fault, check_dns_subdomain, is_ip_address};
use crate::tree::Node;

declare_rules! {
    INGRESS_BACKEND_INVALID = "ingress-backend-invalid", Error;
    INGRESS_CLASS_CONFLICT = "ingress-class-conflict", Error;
    INGRESS_HOST_INVALID = "ingress-host-invalid", Error;
    INGRESS_PATH_INVALID = "ingress-path-invalid", Error;
    INGRESS_WITHOUT_BACKEND = "ingress-without-backend", Error, follows = [Misplaced];
}

const CLASS_ANNOTATION: &str = "kubernetes.io/ingress.class";
/// Parts of a path that readers interpret differently.
const ODD_PARTS: [&str; 5] = ["//", "/./", "/../", "%2f", "%2F"];
const ODD_ENDS: [&str; 2] = ["/..", "/."];

/// Checks one Ingress.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    check_class_conflict(judge);
    let Some(spec) = object.root.get("spec") else {
        let spot = (object.name_span(), (judge.root(), "spec")).into();
        check_without_backend(judge, &object.describe(), spot, "has no `spec`");
        return;
    };
    let rules = items(spec, "rules");
    let default = spec.get("defaultBackend");
    if rules.is_empty() && default.is_none() {
        let at = value_or_owner(spec, "rules").span();
        check_without_backend(judge, &object.describe(), (at, spec).into(), "has no backend");
    }
    if let Some(backend) = default {
        backend::check(judge, backend);
    }
    for rule in rules {
        check_rule(judge, rule);
    }
    for tls in items(spec, "tls") {
        check_tls(judge, tls);
    }
    check_name(judge, spec.get("ingressClassName"), NameForm::OBJECT);
}

fn check_without_backend(judge: &mut Judge<'_>, what: &str, spot: Spot<'_>, label: &'static str) {
    let message = message!("{what} routes requests to no Service");
    let text = (message, label, "add `rules` with paths and their backends, or a `defaultBackend`");
    judge.fault(&INGRESS_WITHOUT_BACKEND, (spot.span, spot.place), text);
}

fn check_class_conflict(judge: &mut Judge<'_>) {
    let object = &judge.object.root;
    let annotation = object.at(&["metadata", "annotations", CLASS_ANNOTATION]);
    let (Some(annotation), Some(class)) = (annotation, object.at(&["spec", "ingressClassName"]))
    else {
        return;
    };
    if annotation.as_str() == class.as_str() {
        return;
    }
    let message = "the Ingress has two different classes";
    let texts = (
        message,
        "differs from `ingressClassName`",
        message!("remove the annotation `{CLASS_ANNOTATION}`"),
    );
    judge.conflict(&INGRESS_CLASS_CONFLICT, annotation, texts, (class, "the field for the class"));
}

fn check_rule(judge: &mut Judge<'_>, rule: &Node) {
    if let Some(host) = filled(rule, "host") {
        if host.as_str().is_some_and(is_ip_address) {
            let text = ("`host` is an IP address", "write a DNS name, or remove `host`");
            judge.refuse(&INGRESS_HOST_INVALID, host, text);
        } else {
            check_host(judge, host);
        }
    }
    let Some(http) = rule.get("http") else { return };
    if let Some(paths) = http.get("paths").filter(|paths| is_empty_list(paths)) {
        let what = "a rule";
        check_without_backend(judge, what, paths.into(), "has no paths");
    }
    for entry in items(http, "paths") {
        check_path(judge, entry);
    }
}

fn check_tls(judge: &mut Judge<'_>, tls: &Node) {
    for host in items(tls, "hosts") {
        check_host(judge, host);
    }
    check_name(judge, filled(tls, "secretName"), NameForm::OBJECT);
}

/// Checks a DNS name, whose first label can be `*`.
fn check_host(judge: &mut Judge<'_>, host: &Node) {
    let check: fn(&str) -> Result<(), Fault> =
        |text| check_dns_subdomain(text.strip_prefix("*.").unwrap_or(text));
    let help = |text: &str| {
        if text.contains('*') {
            "write `*.` in place of the first label: `*.example.com`".into()
        } else {
            "write a lowercase DNS name, without scheme, port or path".into()
        }
    };
    judge.form(host, (&INGRESS_HOST_INVALID, "host"), check, help);
}

fn check_path(judge: &mut Judge<'_>, entry: &Node) {
    judge.needed(entry, "pathType", Absence::BySchema);
    if let Some(backend) = entry.get("backend") {
        backend::check(judge, backend);
    }
    let node = entry.get("path");
    let text = node.map_or("", text_of);
    let is_literal = match entry.str_at(&["pathType"]) {
        Some("Exact" | "Prefix") => true,
        Some("ImplementationSpecific") if !text.is_empty() => false,
        _ => return,
    };
    let part = ODD_PARTS.into_iter().find(|part| text.contains(part));
    let odd = part.or_else(|| ODD_ENDS.into_iter().find(|end| text.ends_with(end)));
    let (message, help) = match odd.filter(|_| is_literal) {
        _ if text.is_empty() => ("backend has no `path`".into(), "write `path: /` for all paths"),
        _ if !text.starts_with('/') => (
            message!("path `{}` does not start with `/`", shown(text)),
            "write the URL path that follows the host",
        ),
        Some(odd) => {
            (message!("path `{}` contains `{odd}`", shown(text)), "write the normalized path")
        }
        None => return,
    };
    let at = node.or_else(|| entry.get("pathType")).unwrap_or(entry).span();
    let text = (message, "matches no request", help);
    judge.fault(&INGRESS_PATH_INVALID, (at, (entry, "path")), text);
}
