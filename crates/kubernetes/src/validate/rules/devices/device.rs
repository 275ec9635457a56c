//! One device of a `ResourceSlice`: what API servers have validated since Kubernetes 1.36. Earlier
//! ones drop these fields.

use super::slice::{invalid, refuse};
use super::taint::check_taint;
use super::{RESOURCE_SLICE_INVALID, is_label, policy};
use crate::diag::message;
use crate::scalar::{check_dns_subdomain, check_qualified_name};
use crate::sorted::SortedSet;
use crate::tree::Node;
use crate::validate::rules::judge::{
    Absence, Judge, entries, is_true, items, labelled, shown, start, text_of, texts, texts_in,
    value_or_owner,
};
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::check_node_term;

/// The maximum number of conditions of one kind, of taints, of sets of counters, of counters, and of
/// sets that one device uses.
const MAX_CONDITIONS: usize = 4;
const MAX_TAINTS: usize = 16;
const MAX_SETS: usize = 8;
const MAX_COUNTERS: usize = 32;
const MAX_USED_SETS: usize = 2;
/// The maximum number of attributes and capacities.
const MAX_VALUES: usize = 32;
const NODES: [&str; 3] = ["nodeName", "nodeSelector", "allNodes"];

/// Checks the sets of counters, which are in a slice without devices.
pub(super) fn check_counters(judge: &mut Judge<'_>, spec: &Node) {
    let Some(node) = spec.get("sharedCounters") else { return };
    if spec.get("devices").is_some() {
        let message = "a ResourceSlice has both `sharedCounters` and `devices`".into();
        refuse(judge, node, (message, "split it into two slices of the pool"));
    }
    check_too_many(judge, node, MAX_SETS);
    for set in node.items() {
        check_set(judge, set, "name");
    }
    check_unique(judge, node.items(), "name");
}

/// Checks a set of counters, or the use of one.
fn check_set(judge: &mut Judge<'_>, set: &Node, field: &'static str) {
    if judge.needed(set, field, Absence::BySchema).is_some_and(|name| !is_label(name)) {
        invalid(judge, set, field);
    }
    let counters = entries(set, "counters");
    if counters.is_empty() && set.get("counters").is_some() {
        let message = "`counters` is empty".into();
        refuse(judge, value_or_owner(set, "counters"), (message, "add a counter"));
    }
    if let Some(entry) = counters.get(MAX_COUNTERS) {
        let message = message!("more than {MAX_COUNTERS} counters");
        refuse(judge, &entry.value, (message, "remove some of them"));
    }
    for entry in counters.iter().filter(|entry| !is_label(&entry.key)) {
        let text = (
            message!("invalid counter name `{}`", shown(&entry.key)),
            "use lowercase letters, digits and `-`",
        );
        judge.refuse(&RESOURCE_SLICE_INVALID, (entry.key_origin().span(), (set, "counters")), text);
    }
}

/// Checks one device.
pub(super) fn check(judge: &mut Judge<'_>, device: &Node, names_nodes: bool) {
    check_nodes(judge, device, names_nodes);
    check_conditions(judge, device);
    if let Some(node) = device.get("taints") {
        check_too_many(judge, node, MAX_TAINTS);
    }
    for taint in items(device, "taints") {
        check_taint(judge, &RESOURCE_SLICE_INVALID, taint);
    }
    let used = items(device, "consumesCounters");
    if let Some(node) = device.get("consumesCounters") {
        check_too_many(judge, node, MAX_USED_SETS);
    }
    for set in used {
        check_set(judge, set, "counterSet");
    }
    check_unique(judge, used, "counterSet");
    let values = |field: &str| device.get(field).map_or(0, |map| map.entries().len());
    if values("attributes") + values("capacity") > MAX_VALUES {
        let message = message!("a device has more than {MAX_VALUES} attributes and capacities");
        refuse(judge, device, (message, "remove some of them"));
    }
    let is_shared = is_true(device, "allowMultipleAllocations");
    for entry in entries(device, "capacity") {
        let Some(policy) = entry.value.get("requestPolicy") else { continue };
        if is_shared {
            policy::check(judge, &entry.value, policy);
        } else {
            let message = "`requestPolicy` requires `allowMultipleAllocations: true`".into();
            refuse(judge, policy, (message, "remove it"));
        }
    }
}

/// Checks the nodes of a device, which it names only if the slice says so.
fn check_nodes(judge: &mut Judge<'_>, device: &Node, names_nodes: bool) {
    let given: Vec<_> =
        NODES.iter().filter_map(|field| Some((*field, device.get(field)?))).collect();
    if !names_nodes {
        if let Some((field, node)) = given.first() {
            let message = message!("`{field}` of a device requires `perDeviceNodeSelection: true`");
            refuse(judge, node, (message, "remove it"));
        }
        return;
    }
    match given.as_slice() {
        [] => {
            let text = ("a device names no nodes", "set `nodeName`, `nodeSelector` or `allNodes`");
            let fields = (device, &NODES[..]);
            judge.lacks_all_of(&RESOURCE_SLICE_INVALID, (start(device), device), text, fields);
        }
        [_] => {}
        [_, (_, second), ..] => {
            let message = "a device names its nodes in more than one way".into();
            refuse(judge, second, (message, "keep one of the fields"));
        }
    }
    for (field, node) in given {
        if node.as_bool() == Some(false) {
            let message = message!("`{field}: false` is not allowed");
            refuse(judge, node, (message, "remove it"));
        }
        if node.as_str().is_some_and(|name| check_dns_subdomain(name).is_err()) {
            let message = message!("invalid node name `{}`", shown(text_of(node)));
            refuse(judge, node, (message, "write the name of a node"));
        }
        for term in items(node, "nodeSelectorTerms") {
            check_node_term(judge, term, true);
        }
    }
}

/// Checks the conditions that a device waits for, and those with which it fails.
fn check_conditions(judge: &mut Judge<'_>, device: &Node) {
    let both = ["bindingConditions", "bindingFailureConditions"];
    for (field, other) in [(both[0], both[1]), (both[1], both[0])] {
        let Some(node) = device.get(field) else { continue };
        let list = node.items();
        check_too_many(judge, node, MAX_CONDITIONS);
        if !list.is_empty() && items(device, other).is_empty() {
            let text = (message!("`{field}` requires `{other}`"), message!("set `{other}`"));
            let fields = (device, &[other][..]);
            judge.lacks_all_of(
                &RESOURCE_SLICE_INVALID,
                (node.span(), (device, other)),
                text,
                fields,
            );
        }
        let texts = texts(list);
        let others: SortedSet<&str> =
            items(device, other).iter().filter_map(Node::as_str).collect();
        for (text, node) in texts.clone() {
            let is_in_both = field == both[1] && others.contains(text);
            if check_qualified_name(text).is_err() || is_in_both {
                let message = message!("invalid condition `{}` in `{field}`", shown(text));
                let help = "write the type of a condition that the other list does not have";
                refuse(judge, node, (message, help));
            }
        }
        repeated(texts, |name, node, _| {
            let message = message!("duplicate condition `{}`", shown(name));
            refuse(judge, node, (message, labelled("duplicate", "remove it")));
        });
    }
}

fn check_too_many(judge: &mut Judge<'_>, list: &Node, most: usize) {
    if let Some(node) = list.items().get(most) {
        refuse(judge, node, (message!("more than {most} items"), "remove some of them"));
    }
}

fn check_unique(judge: &mut Judge<'_>, list: &[Node], field: &'static str) {
    let names = texts_in(list, field);
    repeated(names, |name, node, _| {
        let message = message!("duplicate `{field}` `{}`", shown(name));
        refuse(judge, node, (message, labelled("duplicate", "remove one of the two")));
    });
}
