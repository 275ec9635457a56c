//! `ResourceSlice`: the devices that a driver publishes.

use super::{ADVANCED_MINOR, RESOURCE_SLICE_INVALID, device, is_attribute, is_label, is_pool};
use crate::diag::{Message, message};
use crate::scalar::check_dns_subdomain;
use crate::tree::Node;
use crate::validate::rules::csi::is_driver;
use crate::validate::rules::judge::{
    Absence, Judge, Remedy, entries, is_true, items, shown, start, text_node, text_of, texts_in,
    value_or_owner,
};
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::check_node_term;

/// The maximum number of devices.
const MAX_DEVICES: usize = 128;
/// The maximum number of devices of a slice in which one has taints or uses counters.
const MAX_ADVANCED_DEVICES: usize = 64;

/// Checks one slice.
pub(in crate::validate::rules) fn check(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    if judge.needed(spec, "driver", Absence::BySchema).is_some_and(|name| !is_driver(name)) {
        invalid(judge, spec, "driver");
    }
    if let Some(pool) = spec.get("pool") {
        if judge.needed(pool, "name", Absence::BySchema).is_some_and(|name| !is_pool(name)) {
            invalid(judge, pool, "name");
        }
        judge.ranged(pool, "resourceSliceCount", 1..=i64::MAX);
        judge.ranged(pool, "generation", 0..=i64::MAX);
    }
    check_nodes(judge, spec);
    if judge.minor >= ADVANCED_MINOR {
        device::check_counters(judge, spec);
    }
    let names_nodes = is_true(spec, "perDeviceNodeSelection");
    let devices = items(spec, "devices");
    let most = most_devices(judge.minor, devices);
    if let Some(node) = devices.get(most) {
        let message = message!("a ResourceSlice has more than {most} devices");
        refuse(judge, node, (message, "split it into several slices"));
    }
    for device in devices {
        let fields = fields_of(device);
        check_device(judge, device, fields);
        if judge.minor >= ADVANCED_MINOR {
            device::check(judge, fields, names_nodes);
        }
    }
    let names = texts_in(devices, "name");
    repeated(names, |name, node, first| {
        let message = message!("duplicate device `{}`", shown(name));
        let texts = (message, "duplicate name", "give each device a unique name");
        judge.conflict(&RESOURCE_SLICE_INVALID, node, texts, (first, "first used here"));
    });
}

/// The node with the fields of a device: in `v1beta1` all but its name are in `basic`.
fn fields_of(device: &Node) -> &Node {
    value_or_owner(device, "basic")
}

/// The maximum number of devices; the version of the API server decides whether it keeps the fields
/// that lower it.
fn most_devices(minor: u8, devices: &[Node]) -> usize {
    let is_advanced = |device: &Node| {
        let fields = fields_of(device);
        ["taints", "consumesCounters"].iter().any(|field| !items(fields, field).is_empty())
    };
    if minor >= ADVANCED_MINOR && devices.iter().any(is_advanced) {
        MAX_ADVANCED_DEVICES
    } else {
        MAX_DEVICES
    }
}

pub(super) fn refuse(judge: &mut Judge<'_>, node: &Node, text: (Message, impl Into<Remedy>)) {
    judge.refuse(&RESOURCE_SLICE_INVALID, node, text);
}

pub(super) fn invalid(judge: &mut Judge<'_>, owner: &Node, field: &str) {
    let Some(node) = owner.get(field) else { return };
    let message = message!("invalid `{field}` `{}`", shown(text_of(node)));
    let help = "use lowercase letters, digits, `-` and `.`";
    refuse(judge, node, (message, help));
}

/// Checks that the slice names its nodes in exactly one way.
fn check_nodes(judge: &mut Judge<'_>, spec: &Node) {
    let mut ways = Vec::new();
    for field in ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"] {
        let Some(node) = spec.get(field) else { continue };
        match (node.as_bool(), node.as_str()) {
            (Some(false), _) => {
                let message = message!("`{field}: false` is not allowed");
                refuse(judge, node, (message, "remove it"));
            }
            (_, Some("")) => {
                refuse(judge, node, ("`nodeName` is empty".into(), "remove it"));
            }
            (_, Some(name)) if check_dns_subdomain(name).is_err() => {
                invalid(judge, spec, "nodeName");
                ways.push(node);
            }
            _ => ways.push(node),
        }
    }
    match ways.as_slice() {
        [_] => {}
        [_, second, ..] => {
            let message = "a ResourceSlice names its nodes in more than one way".into();
            refuse(judge, second, (message, "keep one of the fields"));
        }
        [] => {
            let text = (
                "a ResourceSlice has no nodes",
                "set `nodeName`, `nodeSelector`, `allNodes` or `perDeviceNodeSelection`",
            );
            let ways = ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"];
            let fields = (spec, &ways[..]);
            judge.lacks_all_of(&RESOURCE_SLICE_INVALID, (start(spec), spec), text, fields);
        }
    }
    if let Some(selector) = spec.get("nodeSelector") {
        let terms = items(selector, "nodeSelectorTerms");
        for term in terms {
            check_node_term(judge, term, true);
        }
        if terms.len() != 1 {
            let message = "a node selector of a ResourceSlice must have one term";
            let spot = (selector.span(), (selector, "nodeSelectorTerms"));
            judge.refuse(&RESOURCE_SLICE_INVALID, spot, (message, "keep one term"));
        }
    }
}

fn check_device(judge: &mut Judge<'_>, device: &Node, fields: &Node) {
    if judge.needed(device, "name", Absence::BySchema).is_some_and(|name| !is_label(name)) {
        invalid(judge, device, "name");
    }
    for list in ["attributes", "capacity"] {
        for entry in entries(fields, list) {
            if !is_attribute(&entry.key) {
                let message = message!("invalid name `{}` in `{list}`", shown(&entry.key));
                let help = "write it like `model` or `gpu.example.com/model`";
                judge.refuse(&RESOURCE_SLICE_INVALID, entry, (message, help));
            }
            if list == "attributes" {
                check_value(judge, &entry.value);
            }
        }
    }
}

/// Checks that an attribute has one value.
fn check_value(judge: &mut Judge<'_>, value: &Node) {
    // The API server drops lists: the gate `DRAListTypeAttributes` is off.
    let fields = ["bool", "int", "string", "version"];
    let count = fields.iter().filter(|field| value.get(field).is_some()).count();
    if count != 1 {
        let message = message!("an attribute has {count} values");
        refuse(judge, value, (message, "set one of `bool`, `int`, `string` and `version`"));
    }
    if let Some((node, text)) = text_node(value, "string")
        && text.len() > 64
    {
        let message = "a string attribute is longer than 64 bytes".into();
        refuse(judge, node, (message, "shorten it"));
    }
    if let Some((node, text)) = text_node(value, "version")
        && (text.len() > 64 || !is_semantic(text))
    {
        let message = message!("invalid version `{}`", shown(text));
        refuse(judge, node, (message, "write it like `1.2.3`"));
    }
}

/// Whether a version follows semver.org 2.0.0.
fn is_semantic(text: &str) -> bool {
    let (version, build) =
        text.split_once('+').map_or((text, None), |(version, build)| (version, Some(build)));
    let (core, before) =
        version.split_once('-').map_or((version, None), |(core, before)| (core, Some(before)));
    let is_number = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_digit())
            && (text == "0" || !text.starts_with('0'))
    };
    let is_word = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let is_pre = |text: &str| {
        is_word(text) && (is_number(text) || text.bytes().any(|b| !b.is_ascii_digit()))
    };
    let numbers: Vec<_> = core.split('.').collect();
    numbers.len() == 3
        && numbers.iter().all(|number| is_number(number))
        && before.is_none_or(|text| text.split('.').all(is_pre))
        && build.is_none_or(|text| text.split('.').all(is_word))
}
