//! `ResourceSlice`: the devices that a driver publishes.

use super::{ADVANCED_MINOR, RESOURCE_SLICE_INVALID, device, is_attribute, is_label, is_pool};
use crate::diag::Diagnostic;
use crate::scalar::check_dns_subdomain;
use crate::tree::{Node, Path};
use crate::validate::rules::csi::is_driver;
use crate::validate::rules::judging::{Absence, Judging, is_true, items, shown, start};
use crate::validate::rules::of_object::ObjectJudge;
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::check_node_term;

/// The maximum number of devices.
const MAX_DEVICES: usize = 128;

/// Checks one slice.
pub(in crate::validate::rules) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let root = Path::root();
    let path = root.field("spec");
    if judge.needed(spec, "driver", Absence::BySchema, &path).is_some_and(|it| !is_driver(it)) {
        invalid(judge, spec, "driver", &path);
    }
    if let Some(pool) = spec.get("pool") {
        let path = path.field("pool");
        if judge.needed(pool, "name", Absence::BySchema, &path).is_some_and(|it| !is_pool(it)) {
            invalid(judge, pool, "name", &path);
        }
        judge.ranged(pool, "resourceSliceCount", 1..=i64::MAX, &path);
        judge.ranged(pool, "generation", 0..=i64::MAX, &path);
    }
    nodes(judge, spec, &path);
    if judge.minor >= ADVANCED_MINOR {
        device::check_counters(judge, spec, &path);
    }
    let names_nodes = is_true(spec, "perDeviceNodeSelection");
    let devices = items(spec, "devices");
    let field = path.field("devices");
    if let Some(node) = devices.get(MAX_DEVICES) {
        let message = format!("a ResourceSlice has more than {MAX_DEVICES} devices");
        refuse(judge, node, (message, "split it into several slices"), &field);
    }
    for (index, device) in devices.iter().enumerate() {
        check_device(judge, device, &field.index(index));
        if judge.minor >= ADVANCED_MINOR {
            device::check(judge, device, names_nodes, &field.index(index));
        }
    }
    let names = devices.iter().enumerate().filter_map(|(index, it)| {
        let node = it.get("name")?;
        Some((node.as_str()?, (index, node)))
    });
    repeated(names, |name, (index, node), (_, first)| {
        let message = format!("duplicate device `{}`", shown(name));
        let finding = Diagnostic::new(&RESOURCE_SLICE_INVALID, node.span(), message)
            .at("duplicate name")
            .label(first.span(), "first used here")
            .help("give each device a unique name");
        judge.report(finding, &field.index(index).field("name"));
    });
}

pub(super) fn refuse(
    judge: &mut ObjectJudge<'_, '_>,
    node: &Node,
    text: (String, &str),
    path: &Path<'_>,
) {
    judge.refuse(&RESOURCE_SLICE_INVALID, node.span(), text, path);
}

pub(super) fn invalid(judge: &mut ObjectJudge<'_, '_>, owner: &Node, field: &str, path: &Path<'_>) {
    let Some(node) = owner.get(field) else { return };
    let message = format!("invalid `{field}` `{}`", shown(node.as_str().unwrap_or("")));
    let help = "use lowercase letters, digits, `-` and `.`";
    refuse(judge, node, (message, help), &path.field(field));
}

/// Checks that the slice names its nodes in exactly one way.
fn nodes(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let mut ways = Vec::new();
    for field in ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"] {
        let Some(node) = spec.get(field) else { continue };
        match (node.as_bool(), node.as_str()) {
            (Some(false), _) => {
                let message = format!("`{field}: false` is not allowed");
                refuse(judge, node, (message, "remove it"), &path.field(field));
            }
            (_, Some("")) => {
                refuse(
                    judge,
                    node,
                    ("`nodeName` is empty".into(), "remove it"),
                    &path.field(field),
                );
            }
            (_, Some(name)) if check_dns_subdomain(name).is_err() => {
                invalid(judge, spec, "nodeName", path);
                ways.push(node);
            }
            _ => ways.push(node),
        }
    }
    match ways.as_slice() {
        [_] => {}
        [_, second, ..] => {
            let message = "a ResourceSlice names its nodes in more than one way".to_owned();
            refuse(judge, second, (message, "keep one of the fields"), path);
        }
        [] => {
            let text = (
                "a ResourceSlice has no nodes",
                "set `nodeName`, `nodeSelector`, `allNodes` or `perDeviceNodeSelection`",
            );
            let fields = ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"];
            let fields = (spec, &fields[..]);
            judge.lacks_all_of(&RESOURCE_SLICE_INVALID, start(spec), text, fields, path);
        }
    }
    if let Some(selector) = spec.get("nodeSelector") {
        let terms = items(selector, "nodeSelectorTerms");
        let field = path.field("nodeSelector");
        let path = field.field("nodeSelectorTerms");
        for (index, term) in terms.iter().enumerate() {
            check_node_term(judge, term, true, &path.index(index));
        }
        if terms.len() != 1 {
            let message = "a node selector of a ResourceSlice must have one term".to_owned();
            refuse(judge, selector, (message, "keep one term"), &path);
        }
    }
}

fn check_device(judge: &mut ObjectJudge<'_, '_>, device: &Node, path: &Path<'_>) {
    if judge.needed(device, "name", Absence::BySchema, path).is_some_and(|it| !is_label(it)) {
        invalid(judge, device, "name", path);
    }
    for list in ["attributes", "capacity"] {
        let field = path.field(list);
        for entry in device.get(list).map_or(&[][..], Node::entries) {
            if !is_attribute(&entry.key) {
                let message = format!("invalid name `{}` in `{list}`", shown(&entry.key));
                let help = "write it like `model` or `gpu.example.com/model`";
                let (rule, at) = (&RESOURCE_SLICE_INVALID, entry.key_origin.span());
                judge.refuse(rule, at, (message, help), &field.key(&entry.key));
            }
            if list == "attributes" {
                check_value(judge, &entry.value, &field.key(&entry.key));
            }
        }
    }
}

/// Checks that an attribute has one value.
fn check_value(judge: &mut ObjectJudge<'_, '_>, value: &Node, path: &Path<'_>) {
    // The API server drops lists: the gate `DRAListTypeAttributes` is off.
    let fields = ["bool", "int", "string", "version"];
    let count = fields.iter().filter(|it| value.get(it).is_some()).count();
    if count != 1 {
        let message = format!("an attribute has {count} values");
        refuse(judge, value, (message, "set one of `bool`, `int`, `string` and `version`"), path);
    }
    if let Some((node, text)) = value.get("string").and_then(|it| Some((it, it.as_str()?)))
        && text.len() > 64
    {
        let message = "a string attribute is longer than 64 bytes".to_owned();
        refuse(judge, node, (message, "shorten it"), &path.field("string"));
    }
    if let Some((node, text)) = value.get("version").and_then(|it| Some((it, it.as_str()?)))
        && (text.len() > 64 || !is_semantic(text))
    {
        let message = format!("invalid version `{}`", shown(text));
        refuse(judge, node, (message, "write it like `1.2.3`"), &path.field("version"));
    }
}

/// Whether a version follows semver.org 2.0.0.
fn is_semantic(text: &str) -> bool {
    let (text, build) = text.split_once('+').map_or((text, None), |(text, it)| (text, Some(it)));
    let (core, before) = text.split_once('-').map_or((text, None), |(text, it)| (text, Some(it)));
    let is_number = |it: &str| {
        !it.is_empty()
            && it.bytes().all(|b| b.is_ascii_digit())
            && (it == "0" || !it.starts_with('0'))
    };
    let is_word =
        |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_pre =
        |it: &str| is_word(it) && (is_number(it) || it.bytes().any(|b| !b.is_ascii_digit()));
    let numbers: Vec<_> = core.split('.').collect();
    numbers.len() == 3
        && numbers.iter().all(|it| is_number(it))
        && before.is_none_or(|it| it.split('.').all(is_pre))
        && build.is_none_or(|it| it.split('.').all(is_word))
}
