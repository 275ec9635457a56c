//! The backend of an Ingress: a port of a Service, or another object.

use super::INGRESS_BACKEND_INVALID;
use crate::scalar::RELAXED_SERVICE_NAMES;
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, start};
use crate::validate::rules::names::{NameForm, check_name, needed_name};
use crate::validate::rules::port::{check_number, check_port};

pub(super) fn check(judge: &mut Judge<'_>, backend: &Node) {
    match (backend.get("service"), backend.entry("resource")) {
        (Some(_), Some(resource)) => {
            let text = (
                "backend has both `service` and `resource`",
                "remove `resource`, or move it to its own path",
            );
            judge.refuse(&INGRESS_BACKEND_INVALID, (resource.key_origin().span(), backend), text);
        }
        (None, None) => {
            // A backend with a misspelled field is reported by the schema.
            let is_empty = backend
                .as_map()
                .is_some_and(|map| map.entries().iter().all(|entry| entry.value.is_null()));
            if is_empty {
                let text = (
                    "backend has neither `service` nor `resource`",
                    "write `service: {name: web, port: {number: 80}}`",
                );
                judge.lacks(&INGRESS_BACKEND_INVALID, (start(backend), backend), text);
            }
        }
        (None, Some(resource)) => check_object(judge, &resource.value),
        (Some(service), None) => check_service_port(judge, service),
    }
}

fn check_object(judge: &mut Judge<'_>, reference: &Node) {
    check_name(judge, reference.get("apiGroup"), NameForm::OBJECT);
    for field in ["kind", "name"] {
        needed_name(judge, reference, field, Absence::BySchema, NameForm::SEGMENT);
    }
}

fn check_service_port(judge: &mut Judge<'_>, service: &Node) {
    let form =
        if judge.minor < RELAXED_SERVICE_NAMES { NameForm::OLD_SERVICE } else { NameForm::LABEL };
    needed_name(judge, service, "name", Absence::BySchema, form);
    let port = service.get("port");
    let name = port.and_then(|it| it.get("name")).filter(|name| name.as_str() != Some(""));
    let number = port.and_then(|it| it.get("number")).filter(|number| number.as_i64() != Some(0));
    match (name, number) {
        (Some(name), Some(_)) => {
            let text = ("port has both a name and a number", "keep one of them");
            judge.refuse(&INGRESS_BACKEND_INVALID, (name.span(), (service, "port")), text);
        }
        (Some(name), None) => check_port(judge, name, "name"),
        (None, Some(node)) => {
            if let Some(number) = node.as_i64() {
                check_number(judge, node, number, "number");
            }
        }
        (None, None) => {
            let at = port.map_or_else(|| start(service), Node::span);
            let text = ("backend has no Service port", "add `port: {number: 80}`");
            judge.lacks(&INGRESS_BACKEND_INVALID, (at, (service, "port")), text);
        }
    }
}
