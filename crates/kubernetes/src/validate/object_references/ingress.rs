//! The Services that an Ingress sends requests to, and their ports.

use super::{Check, Reference, SERVICE_NOT_FOUND, SERVICE_PORT_NOT_FOUND};
use crate::diag::{Diagnostic, brief, message};
use crate::kube::Object;
use crate::sorted::SortedSet;
use crate::tree::{Node, Path, items};
use crate::validate::fields::{items_at, text_of};

/// The port for which the AWS Load Balancer Controller reads the name not as that of a Service, but as that of
/// an action: the annotation `alb.ingress.kubernetes.io/actions.<name>`.
const OF_ANNOTATION: &str = "use-annotation";

pub(super) fn check<'o>(check: &mut Check<'_, 'o>, object: &'o Object) {
    let Some(spec) = object.root.get("spec") else { return };
    let root = Path::root();
    let path = root.field("spec");
    if let Some(backend) = spec.get("defaultBackend") {
        check_service(check, object, backend, &path.field("defaultBackend"));
    }
    let rules = path.field("rules");
    for (index, rule) in items(spec, "rules").iter().enumerate() {
        let path = rules.index(index);
        let http = path.field("http");
        let field = http.field("paths");
        let entries = items_at(rule, &["http", "paths"]);
        for (index, entry) in entries.iter().enumerate() {
            if let Some(backend) = entry.get("backend") {
                check_service(check, object, backend, &field.index(index).field("backend"));
            }
        }
    }
}

fn check_service<'o>(
    check: &mut Check<'_, 'o>,
    object: &'o Object,
    backend: &'o Node,
    path: &Path<'_>,
) {
    let Some(service) = backend.get("service") else { return };
    let Some(node) = service.get("name") else { return };
    if service.str_at(&["port", "name"]) == Some(OF_ANNOTATION) {
        return;
    }
    let path = path.field("service");
    let namespace = object.namespace.as_str();
    let reference = Reference {
        rule: &SERVICE_NOT_FOUND,
        group: "",
        kind: "Service",
        namespace,
        node,
        consequence: "the ingress controller answers requests with an error until the Service exists",
    };
    check.look_up(object, &reference, &path.field("name"));
    let found =
        node.as_str().and_then(|name| check.set.find_from(object, "", "Service", namespace, name));
    if let (Some(found), Some(port)) = (found, service.get("port")) {
        service_port(check, found, port, &path.field("port"));
    }
}

/// The values of a field of the ports of a Service, and the first ports for messages.
pub(super) struct Ports<'o> {
    numbers: SortedSet<i64>,
    names: SortedSet<&'o str>,
    listed: String,
}

impl<'o> Ports<'o> {
    fn of(ports: &'o [Node], field: &str) -> Self {
        let values = || ports.iter().filter_map(|it| it.get(field));
        Self {
            numbers: values().filter_map(Node::as_i64).collect(),
            names: values().filter_map(Node::as_str).collect(),
            listed: list_ports(ports),
        }
    }
}

fn list_ports(ports: &[Node]) -> String {
    let shown = ports.iter().filter_map(|port| {
        let number = port.get("port").and_then(Node::as_i64)?;
        Some(match port.str_at(&["name"]) {
            Some(name) => format!("`{}` ({number})", brief(name)),
            None => format!("`{number}`"),
        })
    });
    shown.take(8).collect::<Vec<_>>().join(", ")
}

fn service_port<'o>(check: &mut Check<'_, 'o>, service: &'o Object, port: &Node, path: &Path<'_>) {
    let ports = items_at(&service.root, &["spec", "ports"]);
    // A DNS alias needs no ports.
    if ports.is_empty() {
        return;
    }
    let given = ["number", "name"].into_iter().find_map(|field| {
        let node = port.get(field)?;
        let is_unset = node.as_i64() == Some(0) || node.as_str() == Some("");
        (!is_unset).then_some((field, node))
    });
    let Some((field, node)) = given else { return };
    let key = if field == "number" { "port" } else { "name" };
    // Thousands of paths can refer to a Service with thousands of ports.
    let known =
        check.ports.entry((service.name_span(), key)).or_insert_with(|| Ports::of(ports, key));
    let is_known = match (node.as_i64(), node.as_str()) {
        (Some(number), _) => known.numbers.contains(&number),
        (None, Some(name)) => known.names.contains(name),
        (None, None) => true,
    };
    if is_known {
        return;
    }
    let shown = node.as_i64().map_or_else(|| text_of(node).to_owned(), |number| number.to_string());
    let message = message!("{} has no port `{shown}`", service.describe());
    let finding = Diagnostic::new(&SERVICE_PORT_NOT_FOUND, node.span(), message)
        .at("no such port")
        .label(service.name_span(), message!("has {}", known.listed))
        .path(&path.field(field))
        .help("use a port of the Service");
    let finding = match field {
        "number" => finding.note("the number is the Service port, not the container port"),
        _ => finding,
    };
    check.sink.report(finding);
}
