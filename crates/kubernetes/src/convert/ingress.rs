//! Ingress of `extensions/v1beta1` and `networking.k8s.io/v1beta1`.

use super::edits::{Edits, Refused, check_list, check_map, insert, items_mut, rename};
use crate::tree::{Entry, Map, Node, Origin, Value};

pub(super) fn ingress(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_map(edits.root, &["spec"])?;
    check_list(edits.root, &["spec", "rules"])?;
    let origin = edits.origin;
    if let Some(spec) = edits.root.get_mut("spec").and_then(Node::as_map_mut) {
        rename(spec, "backend", "defaultBackend");
        if let Some(node) = spec.get_mut("defaultBackend") {
            convert_backend(node, origin)?;
        }
    }
    let mut writes_type = false;
    for rule in items_mut(edits.root, &["spec", "rules"]) {
        check_list(rule, &["http", "paths"])?;
        for path in items_mut(rule, &["http", "paths"]) {
            let Some(map) = path.as_map_mut() else {
                return Err(Refused::not(path, "spec.rules[].http.paths[]", "a map"));
            };
            writes_type |= write_path_type(map, origin);
            if let Some(node) = map.get_mut("backend") {
                convert_backend(node, origin)?;
            }
        }
    }
    if writes_type {
        let kept = "spec.rules[].http.paths[].pathType".to_owned();
        edits.kept.push((kept, "\"ImplementationSpecific\"".to_owned()));
    }
    Ok(())
}

/// Writes the type of a path, which the new version requires.
fn write_path_type(path: &mut Map, origin: Origin) -> bool {
    if path.get("pathType").is_some_and(|value| !value.is_null()) {
        return false;
    }
    path.remove("pathType");
    let at = path.position("path").map_or(0, |position| position + 1);
    insert(path, at, "pathType", Node::string("ImplementationSpecific", origin));
    true
}

/// `serviceName` and `servicePort` become `service.name` and `service.port`.
fn convert_backend(node: &mut Node, origin: Origin) -> Result<(), Refused> {
    if node.is_null() {
        return Ok(());
    }
    let Some(map) = node.as_map_mut() else {
        return Err(Refused::not(node, "backend", "a map"));
    };
    let positions = ["serviceName", "servicePort"].iter().filter_map(|key| map.position(key));
    let Some(first) = positions.min() else { return Ok(()) };
    let is_port_first = map.position("servicePort") == Some(first);
    let old_name = map.remove("serviceName").filter(|entry| !entry.value.is_null());
    let old_port = map.remove("servicePort").filter(|entry| !entry.value.is_null());
    let mut service = Node::map(origin);
    let name = old_name.map(|it| it.renamed("name"));
    let port = old_port.map(|entry| convert_port(entry, origin)).transpose()?;
    let both = if is_port_first { [port, name] } else { [name, port] };
    if let Some(service) = service.as_map_mut() {
        both.into_iter().flatten().for_each(|entry| service.push(entry));
    }
    insert(map, first, "service", service);
    Ok(())
}

/// `port` with the number or the name.
fn convert_port(entry: Entry, origin: Origin) -> Result<Entry, Refused> {
    let key = match &entry.value.value {
        Value::Int(_) => "number",
        Value::String(_) => "name",
        _ => return Err(Refused::not(&entry.value, "servicePort", "a number or a name")),
    };
    let mut port = Node::map(origin);
    if let Some(port) = port.as_map_mut() {
        port.push(entry.renamed(key));
    }
    Ok(Entry::new("port", origin, port))
}
