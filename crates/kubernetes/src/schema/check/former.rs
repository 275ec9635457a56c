//! Fields of API versions that are gone, and what replaced them.

use super::hints::instead;
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
}

const FIELDS: &[(&str, &str, Former)] = &[
    ("io.k8s.api.networking.v1.IngressBackend", "serviceName", Former::BackendService),
    ("io.k8s.api.networking.v1.IngressBackend", "servicePort", Former::BackendService),
    ("io.k8s.api.networking.v1.IngressSpec", "backend", Former::Renamed("defaultBackend")),
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
    let foreign = || FOREIGN.iter().find(|it| it.0 == key && has(it.1) && has(it.2));
    former.map(|it| it.2).or_else(|| foreign().map(|it| Former::Renamed(it.1)))
}

/// Reports what to write instead of `entry`.
pub(super) fn explain(finding: Diagnostic, former: Former, entry: &Entry, map: &Map) -> Diagnostic {
    match former {
        Former::Renamed(name) => instead(finding, entry, map, name),
        Former::BackendService => backend_service(finding, entry, map),
    }
}

fn backend_service(finding: Diagnostic, entry: &Entry, map: &Map) -> Diagnostic {
    let both = ["serviceName", "servicePort"].map(|key| map.entry(key));
    let finding = finding.about(About::UnknownField(Some(Meant::Inside("service".into()))));
    // One message is enough for both fields.
    let places = || both.into_iter().flatten().map(|it| it.key_origin().span());
    if let Some(first) = places().min().filter(|it| *it != entry.key_origin().span()) {
        return finding.same_mistake_as(first);
    }
    let text = |node: Option<&Entry>| node.and_then(|it| shown(&it.value));
    let name = text(both[0]).unwrap_or_else(|| "...".to_owned());
    let port = both[1].map(|it| &it.value);
    let field = if port.is_some_and(|it| it.as_str().is_some()) { "name" } else { "number" };
    let port = text(both[1]).unwrap_or_else(|| "80".to_owned());
    finding
        .note("`serviceName` and `servicePort` belong to API versions that were removed in 1.22")
        .help(message!("write `service: {{name: {name}, port: {{{field}: {port}}}}}`"))
}

fn shown(node: &Node) -> Option<String> {
    let text = node.as_str().map(str::to_owned).or_else(|| node.as_i64().map(|it| it.to_string()));
    text.filter(|it| it.len() <= 63)
}
