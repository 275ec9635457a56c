//! `APIService`, after `ValidateAPIService` of kube-aggregator's `pkg/apis/apiregistration/validation`.
//! The server drops the status.

use super::judge::{Absence, Judge, filled_text, is_true, text_at};
use super::names::{NameForm, needed_name};
use super::port::check_number;
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::check_dns_subdomain;
use crate::source::Span;
use crate::tree::{Entry, Node};

declare_rules! {
    API_SERVICE_INVALID = "api-service-invalid", Error;
}

/// The only version of the core group.
const CORE: &str = "v1";
const SKIPS: &str = "insecureSkipTLSVerify";

/// Checks one registration.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let Some(spec) = judge.needed_map(&object.root, "spec") else { return };
    let (group, version) = (text_at(spec, &["group"]), spec.str_at(&["version"]));
    let name = format!("{}.{group}", version.unwrap_or(""));
    if version.is_some() && !object.name.is_empty() && object.name != name.as_str() {
        let text = (
            message!("APIService name `{}` is not `<version>.<group>`", object.name),
            match check_dns_subdomain(&name) {
                Ok(()) => message!("write `{name}`"),
                Err(_) => "write the version and the group, with a dot between them".into(),
            },
        );
        judge.refuse(
            &API_SERVICE_INVALID,
            (object.name_span(), (&judge.object.root, "metadata.name")),
            text,
        );
    }
    // The server validates a generated name like a written one.
    if let (Some(_), Some(entry)) = (version, generate_name(&object.root)) {
        let text = (
            "an APIService has `generateName`: its name must be `<version>.<group>`",
            message!("write `name: {name}` instead"),
        );
        let at = entry.key_origin().span();
        judge.refuse(
            &API_SERVICE_INVALID,
            (at, (&judge.object.root, "metadata.generateName")),
            text,
        );
    }
    if version != Some(CORE) || !group.is_empty() {
        needed_name(judge, spec, "group", Absence::Here, NameForm::OBJECT);
    }
    needed_name(judge, spec, "version", Absence::Here, NameForm::OLD_SERVICE);
    judge.ranged(spec, "groupPriorityMinimum", 1..=20_000);
    judge.ranged(spec, "versionPriority", 1..=1000);
    let has_bundle = filled_text(spec, "caBundle").is_some();
    let Some(service) = spec.get("service") else {
        check_local(judge, spec, has_bundle);
        return;
    };
    check_service(judge, service);
    if has_bundle && is_true(spec, SKIPS) {
        let text = (
            "`insecureSkipTLSVerify: true` is set together with `caBundle`, which it disables",
            "remove one of the two",
        );
        judge.refuse(&API_SERVICE_INVALID, (span_of_field(spec, SKIPS), (spec, SKIPS)), text);
    }
}

fn generate_name(object: &Node) -> Option<&Entry> {
    let entry = object.get("metadata")?.entry("generateName")?;
    entry.value.as_str().is_some_and(|it| !it.is_empty()).then_some(entry)
}

fn check_service(judge: &mut Judge<'_>, service: &Node) {
    for field in ["namespace", "name"] {
        judge.needed(service, field, Absence::Here);
    }
    if let Some(node) = service.get("port")
        && let Some(number) = node.as_i64()
    {
        check_number(judge, node, number, "port");
    }
}

/// Checks an APIService without a Service: the API server itself serves it, without a certificate.
fn check_local(judge: &mut Judge<'_>, spec: &Node, has_bundle: bool) {
    for (field, is_set) in [("caBundle", has_bundle), (SKIPS, is_true(spec, SKIPS))] {
        if is_set {
            let message = message!("`{field}` is set without `service`");
            let finding =
                Diagnostic::new(&API_SERVICE_INVALID, span_of_field(spec, field), message)
                    .at("requires `service`")
                    .help(message!(
                        "add `service: {{namespace: ..., name: ...}}`, or remove `{field}`"
                    ));
            judge.report(judge.missing(finding, spec, &["service"]), (spec, field));
        }
    }
}

fn span_of_field(spec: &Node, field: &str) -> Span {
    spec.entry(field).map_or_else(|| spec.span(), |entry| entry.key_origin().span())
}
