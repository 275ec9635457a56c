//! `Endpoints` and `EndpointSlice`, after `ValidateEndpoints` of Kubernetes' `pkg/apis/core/validation`
//! and `ValidateEndpointSlice` of `pkg/apis/discovery/validation`.

mod slice;

use super::addresses::{Written, check_address, check_reachable};
use super::judge::{Judge, filled, items, start, value_or_start};
use super::names::{NameForm, check_name};
use super::pod::PORT_NAME_INVALID;
use super::port::check_number;
use super::qualified;
use crate::diag::declare_rules;
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::Node;
pub(super) use slice::check as check_slice;

declare_rules! {
    ENDPOINT_WITHOUT_ADDRESS = "endpoint-without-address", Error;
    ENDPOINT_ADDRESS_INVALID = "endpoint-address-invalid", Error;
    ENDPOINT_PORT_INVALID = "endpoint-port-invalid", Error;
    ENDPOINT_HINT_INVALID = "endpoint-hint-invalid", Error;
    ENDPOINTS_TOO_MANY = "endpoints-too-many", Error;
}

/// Checks one `Endpoints`.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    for subset in items(&object.root, "subsets") {
        let lists = ["addresses", "notReadyAddresses"];
        if lists.iter().all(|list| items(subset, list).is_empty()) {
            let text = ("subset has no address", "add `addresses: [{ip: ...}]`");
            let missing = (subset, &["addresses"][..]);
            judge.lacks_all_of(&ENDPOINT_WITHOUT_ADDRESS, (start(subset), subset), text, missing);
        }
        for list in lists {
            for address in items(subset, list) {
                check_endpoint(judge, address);
            }
        }
        let ports = items(subset, "ports");
        for port in ports {
            check_port(judge, port, ports.len() > 1);
        }
    }
}

fn check_endpoint(judge: &mut Judge<'_>, address: &Node) {
    if let Some(node) = address.get("ip")
        && let Some(text) = node.as_str()
    {
        let written = Written { node, text, minor: judge.minor };
        if let Some(found) = check_address(judge, written) {
            check_reachable(judge, found, node);
        }
    }
    check_name(judge, filled(address, "hostname"), NameForm::LABEL);
    check_name(judge, address.get("nodeName"), NameForm::OBJECT);
}

fn check_port(judge: &mut Judge<'_>, port: &Node, needs_name: bool) {
    let name = filled(port, "name");
    if name.is_none() && needs_name {
        let at = value_or_start(port, "name");
        let text = ("port has no name, but its subset has several ports", "add a unique `name`");
        let missing = (port, &["name"][..]);
        judge.lacks_all_of(&ENDPOINT_PORT_INVALID, (at, (port, "name")), text, missing);
    }
    if let Some(node) = name {
        check_port_name(judge, node);
    }
    if let Some(node) = port.get("port")
        && let Some(number) = node.as_i64()
    {
        check_number(judge, node, number, "port");
    }
    check_protocol_of_application(judge, port);
}

fn check_port_name(judge: &mut Judge<'_>, node: &Node) {
    judge.form(node, (&PORT_NAME_INVALID, "port name"), check_dns_label, near_dns_label);
}

fn check_protocol_of_application(judge: &mut Judge<'_>, port: &Node) {
    qualified::check_name(judge, port.get("appProtocol"), "protocol");
}
