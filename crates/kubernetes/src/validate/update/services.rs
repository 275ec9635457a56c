//! `Service`: follows `ValidateServiceUpdate` in Kubernetes' `pkg/apis/core/validation/validation.go`,
//! and the allocators of its `pkg/registry/core/service/storage`, which keep the addresses and ports
//! that the new object does not name.
//!
//! A Service that names no address has an allocated one, which is taken to be another than any that
//! the new object names. One that names no family has that of most clusters, IPv4.

use super::changes::Change;
use super::judge::{Remedy, Update};
use crate::diag::{Message, message};
use crate::tree::Node;

const NONE: &str = "None";
const SINGLE: &str = "SingleStack";
const CLUSTER_IP: [&str; 2] = ["spec", "clusterIP"];
const CLUSTER_IPS: [&str; 2] = ["spec", "clusterIPs"];
const FAMILIES: [&str; 2] = ["spec", "ipFamilies"];
const POLICY: [&str; 2] = ["spec", "ipFamilyPolicy"];

/// Checks a `Service`.
pub(super) fn check(update: &mut Update<'_>) {
    let (old, new) = (type_of_service(update.old), type_of_service(update.new));
    if old == "LoadBalancer" && new == "LoadBalancer" {
        check_balancer(update);
    }
    // The address is released or allocated.
    if old == "ExternalName" || new == "ExternalName" {
        return;
    }
    if !check_address(update) && Address::of(update.old) != Address::Headless {
        check_families(update);
    }
}

pub(super) fn type_of_service(service: &Node) -> &str {
    service.str_at(&["spec", "type"]).unwrap_or("ClusterIP")
}

/// The primary address of a Service.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Address<'n> {
    /// It is not named.
    Allocated,
    Headless,
    Named(&'n str),
}

impl<'n> Address<'n> {
    fn of(service: &'n Node) -> Self {
        let first = service.items_at(&CLUSTER_IPS).first().and_then(Node::as_str);
        match service.str_at(&CLUSTER_IP).filter(|it| !it.is_empty()).or(first) {
            None => Self::Allocated,
            Some(NONE) => Self::Headless,
            Some(address) => Self::Named(address),
        }
    }
}

/// Checks the addresses; returns whether a change was reported.
fn check_address<'u>(update: &mut Update<'u>) -> bool {
    let (old, new) = (Address::of(update.old), Address::of(update.new));
    let is_headless_balancer =
        old == Address::Headless && type_of_service(update.new) != "ClusterIP";
    let second = |root: &'u Node| root.items_at(&CLUSTER_IPS).get(1)?.as_str();
    let has_other_second =
        second(update.new).is_some_and(|new| second(update.old).is_some_and(|old| old != new));
    let change = if new != Address::Allocated && new != old || has_other_second {
        first_change_of(update, &[&CLUSTER_IP, &CLUSTER_IPS])
    } else if is_headless_balancer {
        first_change_of(update, &[&["spec", "type"]])
    } else {
        None
    };
    let Some(change) = change else { return false };
    let title = update.object.title();
    match (old, new) {
        (Address::Headless, Address::Headless | Address::Allocated) => {
            let message = message!("the type of the headless {title} is changed");
            let help = recreate_help(update);
            update.refuse(&change, message, help);
        }
        (Address::Allocated, Address::Named(_)) => {
            let message = message!("`clusterIP` of {title} is set, which has an allocated address");
            let help =
                message!("remove the field to keep the address, or {}", recreate_help(update));
            update.refuse(&change, message, help);
        }
        _ => update.changed(&change, "spec.clusterIP", Remedy::Recreate),
    }
    true
}

fn recreate_help(update: &Update<'_>) -> Message {
    let shown = update.object.command("delete", "");
    let command = shown.map_or_else(Message::default, |command| message!(": `{command}`"));
    message!("delete the Service, then apply{command}")
}

/// The first change at or below one of the paths.
fn first_change_of<'u>(update: &Update<'u>, paths: &[&[&str]]) -> Option<Change<'u>> {
    paths.iter().find_map(|path| update.first_change(path))
}

/// Checks the address families: the first one stays, and the second one is only released by the
/// policy `SingleStack`.
fn check_families(update: &mut Update<'_>) {
    let list = |root: &'_ Node, field| -> Vec<String> {
        root.items_at(&["spec", field])
            .iter()
            .filter_map(|node| node.as_str().map(str::to_owned))
            .collect()
    };
    let (of_old, news) = (list(update.old, "ipFamilies"), list(update.new, "ipFamilies"));
    let old_policy = update.old.str_at(&POLICY);
    let policy = update.new.str_at(&POLICY).or(old_policy).unwrap_or(SINGLE).to_owned();
    let addresses = [list(update.old, "clusterIPs").len(), list(update.new, "clusterIPs").len()];
    let count = match old_policy {
        Some("RequireDualStack") => Some(2),
        Some("PreferDualStack") if of_old.len() < 2 => None,
        _ => Some(of_old.len().max(1)),
    };
    let old_first =
        of_old.first().cloned().unwrap_or_else(|| describe_families(update.old).to_owned());
    let changed = first_change_of(update, &[&FAMILIES, &CLUSTER_IPS, &POLICY]);
    let Some(change) = changed else { return };
    let title = update.object.title();
    if news.first().is_some_and(|family| *family != old_first) {
        update.changed(&change, "spec.ipFamilies", Remedy::Recreate);
    } else if (news.len() == 1 && count == Some(2) || addresses == [2, 1]) && policy != SINGLE {
        let message = message!("the second address family of {title} is removed");
        update.refuse(&change, message, "set `ipFamilyPolicy: SingleStack` to release it");
    } else if news.len() == 2 && count == Some(1) && policy == SINGLE {
        let message = message!("{title} gets a second address family without `ipFamilyPolicy`");
        update.refuse(&change, message, "set `ipFamilyPolicy: RequireDualStack` as well");
    }
}

/// The family of the address that a Service names.
fn describe_families(service: &Node) -> &'static str {
    match Address::of(service) {
        Address::Named(address) if address.contains(':') => "IPv6",
        _ => "IPv4",
    }
}

/// Checks what load balancers keep.
fn check_balancer(update: &mut Update<'_>) {
    let class = update.first_change(&["spec", "loadBalancerClass"]);
    if let Some(class) = class {
        update.changed(&class, "spec.loadBalancerClass", Remedy::Recreate);
    }
    let is_local = |root: &Node| root.str_at(&["spec", "externalTrafficPolicy"]) == Some("Local");
    let first = update.first_change(&["spec", "healthCheckNodePort"]);
    let change =
        first.filter(|change| change.new.and_then(Node::as_i64).is_some_and(|number| number != 0));
    if let Some(change) = change.filter(|_| is_local(update.old) && is_local(update.new)) {
        update.changed(&change, "spec.healthCheckNodePort", Remedy::Recreate);
    }
}
