//! Fields of API versions that are gone, and what replaced them.

use super::hints::suggest_name;
use crate::diag::{About, Diagnostic, Meant, message};
use crate::schema::Object;
use crate::tree::{Entry, Map, Node};

/// A field that an earlier version of the object had.
#[derive(Clone, Copy)]
pub(super) enum Former {
    /// It has another name.
    Renamed(&'static str),
    /// `serviceName` and `servicePort` of an Ingress backend became `service`.
    BackendService,
    /// `backend` of an Ingress became `defaultBackend`, whose fields have other names.
    DefaultBackend,
    /// It belongs to this version, from which `sandboxc migrate` converts.
    OfVersion(&'static str),
}

/// The type of `spec` of a CustomResourceDefinition.
const DEFINITION: &str =
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec";
const BETA_DEFINITION: Former = Former::OfVersion("apiextensions.k8s.io/v1beta1");

/// Type, field, and what replaced it.
const FIELDS: &[(&str, &str, Former)] = &[
    ("io.k8s.api.networking.v1.IngressBackend", "serviceName", Former::BackendService),
    ("io.k8s.api.networking.v1.IngressBackend", "servicePort", Former::BackendService),
    ("io.k8s.api.networking.v1.IngressSpec", "backend", Former::DefaultBackend),
    (DEFINITION, "additionalPrinterColumns", BETA_DEFINITION),
    (DEFINITION, "subresources", BETA_DEFINITION),
    (DEFINITION, "validation", BETA_DEFINITION),
    (DEFINITION, "version", BETA_DEFINITION),
];

/// What other tools call fields of containers and Pods, and another field of their types.
const FOREIGN: &[(&str, &str, &str)] = &[
    ("cmd", "command", "args"),
    ("entrypoint", "command", "args"),
    ("environment", "env", "env"),
    ("restart", "restartPolicy", "nodeSelector"),
    ("healthcheck", "livenessProbe", "readinessProbe"),
];

/// Returns the replacement of a removed field, or of one that only other tools have.
pub(super) fn of(object: &Object<'_>, key: &str) -> Option<Former> {
    let mut fields = FIELDS.iter();
    let former = fields.find(|(owner, field, _)| (*owner, *field) == (object.name, key));
    let has = |field: &str| object.property(field).is_some();
    let foreign =
        || FOREIGN.iter().find(|(foreign, own, other)| *foreign == key && has(own) && has(other));
    former.map(|(.., former)| *former).or_else(|| foreign().map(|(_, own, _)| Former::Renamed(own)))
}

/// Reports what to write instead of `entry`.
pub(super) fn explain(
    finding: Diagnostic,
    former: Former,
    entry: &Entry,
    map: &Map,
    object: &Object<'_>,
) -> Diagnostic {
    match former {
        Former::Renamed(name) => suggest_name(finding, entry, map, object, name),
        Former::BackendService => backend_service(finding, entry, map),
        Former::DefaultBackend => {
            if ["serviceName", "servicePort"].iter().any(|key| entry.value.get(key).is_some()) {
                of_version(finding, "networking.k8s.io/v1beta1")
            } else {
                suggest_name(finding, entry, map, object, "defaultBackend")
            }
        }
        Former::OfVersion(version) => of_version(finding, version),
    }
}

fn of_version(finding: Diagnostic, version: &str) -> Diagnostic {
    finding
        .about(About::UnknownField(Some(Meant::Elsewhere)))
        .note(message!("it is a field of `{version}`, which was removed in 1.22"))
        .help(message!("write `apiVersion: {version}`, and run `sandboxc migrate`"))
}

fn backend_service(finding: Diagnostic, entry: &Entry, map: &Map) -> Diagnostic {
    let [name, port] = ["serviceName", "servicePort"].map(|key| map.entry(key));
    let finding = finding.about(About::UnknownField(Some(Meant::Inside("service".into()))));
    // One message is enough for both fields.
    let places = [name, port].into_iter().flatten().map(|field| field.key_origin().span());
    if let Some(first) = places.min().filter(|place| *place != entry.key_origin().span()) {
        return finding.same_mistake_as(first);
    }
    let text_or = |field: Option<&Entry>, default: &str| {
        field.and_then(|entry| short_text(&entry.value)).unwrap_or_else(|| default.to_owned())
    };
    let is_named = port.is_some_and(|port| port.value.as_str().is_some());
    let field = if is_named { "name" } else { "number" };
    let (name, port) = (text_or(name, "..."), text_or(port, "80"));
    finding
        .note("`serviceName` and `servicePort` belong to API versions that were removed in 1.22")
        .help(message!("write `service: {{name: {name}, port: {{{field}: {port}}}}}`"))
}

fn short_text(node: &Node) -> Option<String> {
    let text = node.as_str().map(str::to_owned).or_else(|| node.as_i64().map(|it| it.to_string()));
    text.filter(|text| text.len() <= 63)
}
