//! `Endpoints` and `EndpointSlice`, after `ValidateEndpoints` of Kubernetes' `pkg/apis/core/validation`
//! and `ValidateEndpointSlice` of `pkg/apis/discovery/validation`.

mod slice;

use super::addresses::{Written, check_address, check_reachable};
use super::judging::{Judging, items, start};
use super::names::{NameForm, check_name};
use super::of_object::ObjectJudge;
use super::pod::PORT_NAME_INVALID;
use super::port::check_number;
use super::qualified;
use crate::diag::declare_rules;
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::{Node, Path};
pub(super) use slice::check as check_slice;

declare_rules! {
    ENDPOINT_WITHOUT_ADDRESS = "endpoint-without-address", Error;
    ENDPOINT_ADDRESS_INVALID = "endpoint-address-invalid", Error;
    ENDPOINT_PORT_INVALID = "endpoint-port-invalid", Error;
    ENDPOINT_HINT_INVALID = "endpoint-hint-invalid", Error;
    ENDPOINTS_TOO_MANY = "endpoints-too-many", Error;
}

/// Checks one `Endpoints`.
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let object = judge.object;
    let root = Path::root();
    let path = root.field("subsets");
    for (index, subset) in items(&object.root, "subsets").iter().enumerate() {
        let path = path.index(index);
        let lists = ["addresses", "notReadyAddresses"];
        if lists.iter().all(|it| items(subset, it).is_empty()) {
            let text = ("subset has no address", "add `addresses: [{ip: ...}]`");
            let missing = (subset, &["addresses"][..]);
            judge.lacks_all_of(&ENDPOINT_WITHOUT_ADDRESS, start(subset), text, missing, &path);
        }
        for list in lists {
            let path = path.field(list);
            for (index, address) in items(subset, list).iter().enumerate() {
                endpoint(judge, address, &path.index(index));
            }
        }
        let path = path.field("ports");
        let ports = items(subset, "ports");
        for (index, port) in ports.iter().enumerate() {
            check_port(judge, port, ports.len() > 1, &path.index(index));
        }
    }
}

fn endpoint(judge: &mut ObjectJudge<'_, '_>, address: &Node, path: &Path<'_>) {
    if let Some(node) = address.get("ip")
        && let Some(text) = node.as_str()
    {
        let path = path.field("ip");
        let written = Written { text, span: node.span(), minor: judge.minor };
        if let Some(found) = check_address(judge, written, &path) {
            check_reachable(judge, found, node.span(), &path);
        }
    }
    if let Some(node) = address.get("hostname").filter(|it| it.as_str() != Some("")) {
        check_name(judge, node, NameForm::LABEL, &path.field("hostname"));
    }
    if let Some(node) = address.get("nodeName") {
        check_name(judge, node, NameForm::OBJECT, &path.field("nodeName"));
    }
}

fn check_port(judge: &mut ObjectJudge<'_, '_>, port: &Node, needs_name: bool, path: &Path<'_>) {
    let name = port.get("name").filter(|it| it.as_str() != Some(""));
    if name.is_none() && needs_name {
        let at = port.get("name").map_or_else(|| start(port), Node::span);
        let text = ("port has no name, but its subset has several ports", "add a unique `name`");
        let missing = (port, &["name"][..]);
        judge.lacks_all_of(&ENDPOINT_PORT_INVALID, at, text, missing, &path.field("name"));
    }
    if let Some(node) = name {
        port_name(judge, node, &path.field("name"));
    }
    if let Some(node) = port.get("port")
        && let Some(number) = node.as_i64()
    {
        check_number(judge, node, number, "port", &path.field("port"));
    }
    protocol_of_application(judge, port, path);
}

fn port_name(judge: &mut ObjectJudge<'_, '_>, node: &Node, path: &Path<'_>) {
    judge.form(node, (&PORT_NAME_INVALID, "port name"), check_dns_label, near_dns_label, path);
}

fn protocol_of_application(judge: &mut ObjectJudge<'_, '_>, port: &Node, path: &Path<'_>) {
    if let Some(node) = port.get("appProtocol") {
        qualified::check_name(judge, node, "protocol", &path.field("appProtocol"));
    }
}
