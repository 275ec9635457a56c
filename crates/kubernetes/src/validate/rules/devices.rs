//! `ResourceClaim`, `ResourceClaimTemplate`, `DeviceClass`, `ResourceSlice` and `DeviceTaintRule`, after
//! Kubernetes' `pkg/apis/resource/validation`.

mod device;
mod policy;
mod slice;
mod taint;

use super::admission_expressions as expressions;
use super::csi::is_driver;
use super::judge::{
    Absence, Judge, Remedy, entries, filled_node, filled_text, items, labelled, shown, start,
    text_at, text_of, texts, texts_in,
};
use super::names::{NameForm, needed_name};
use super::repeated::repeated;
use crate::cel::{Environment, Wanted};
use crate::diag::{Message, declare_rules, message};
use crate::scalar::{
    check_dns_label, check_dns_subdomain, check_label_value, check_qualified_name,
};
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Node;
pub(super) use slice::check as check_slice;
pub(super) use taint::check_rule as check_taint_rule;

declare_rules! {
    DEVICE_REQUEST_INVALID = "device-request-invalid", Error, follows = [Misplaced];
    DEVICE_TAINT_RULE_INVALID = "device-taint-rule-invalid", Error;
    RESOURCE_SLICE_INVALID = "resource-slice-invalid", Error;
}

/// The minor version that drops tolerations before it validates them.
const UNTAINTED_MINOR: u8 = 35;
/// The first minor version that requires a domain in lowercase.
const LOWERCASE_MINOR: u8 = 37;
/// The first minor version that keeps fields of partitioned and shared devices.
const ADVANCED_MINOR: u8 = 36;
/// The maximum length of an expression, in bytes.
const LONGEST_EXPRESSION: usize = 10 * 1024;
/// The maximum number of requests, of constraints, of configurations and of selectors.
const MOST: usize = 32;
/// The maximum number of alternatives of a request.
const MAX_ALTERNATIVES: usize = 8;

/// Checks a claim, or the claim in a template.
pub(super) fn check_claim(judge: &mut Judge<'_>) {
    let object = judge.object;
    let Some(spec) = object.root.get("spec") else { return };
    if object.gvk.kind == "ResourceClaimTemplate" {
        check_metadata(judge, spec);
        if let Some(inner) = spec.get("spec") {
            check_devices(judge, inner);
        }
        return;
    }
    check_devices(judge, spec);
}

/// The metadata of a template has only labels and annotations.
fn check_metadata(judge: &mut Judge<'_>, spec: &Node) {
    let is_empty = |node: &Node| matches!(node.as_str(), Some("")) || node.as_i64() == Some(0);
    for entry in entries(spec, "metadata") {
        let is_kept = matches!(entry.key.as_str(), "labels" | "annotations");
        if !is_kept && !entry.value.is_null() && !is_empty(&entry.value) {
            let message = message!("`{}` is set in the metadata of a template", shown(&entry.key));
            let text = (message, "keep only `labels` and `annotations`");
            judge.refuse(&DEVICE_REQUEST_INVALID, entry, text);
        }
    }
}

/// Checks a class of devices.
pub(super) fn check_class(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    check_selectors(judge, spec);
    check_configurations(judge, spec, None);
    if judge.minor >= ADVANCED_MINOR
        && let Some(node) = spec.get("extendedResourceName")
        && !node.as_str().is_none_or(is_extended_resource)
    {
        let text = message!("invalid resource name `{}`", shown(text_of(node)));
        refuse(judge, node, (text, "write it like `example.com/gpu`"));
    }
}

/// Whether a resource is one of a driver (`IsExtendedResourceName`).
fn is_extended_resource(name: &str) -> bool {
    let is_native = !name.contains('/') || name.contains("kubernetes.io/");
    !is_native
        && !name.starts_with("requests.")
        && check_qualified_name(&format!("requests.{name}")).is_ok()
}

/// The names of the requests, each with those of its alternatives.
type Names<'n> = SortedMap<&'n str, SortedSet<&'n str>>;

fn check_devices(judge: &mut Judge<'_>, spec: &Node) {
    let Some(devices) = spec.get("devices") else { return };
    let requests = items(devices, "requests");
    let mut names = Names::new();
    for request in requests {
        let alternatives = items(request, "firstAvailable").iter();
        let inner = alternatives.filter_map(|it| it.str_at(&["name"])).collect();
        names.insert(text_at(request, &["name"]), inner);
    }
    check_too_many(judge, requests, MOST, "requests");
    for request in requests {
        check_request(judge, request);
    }
    check_unique(judge, requests);
    let constraints = items(devices, "constraints");
    check_too_many(judge, constraints, MOST, "constraints");
    for constraint in constraints {
        check_references(judge, constraint, &names);
        let attributes = ["matchAttribute", "distinctAttribute"];
        let known = if judge.minor < ADVANCED_MINOR { &attributes[..1] } else { &attributes };
        let mut given = known.iter().filter_map(|field| constraint.get(field)).peekable();
        if given.peek().is_none() {
            lacks(judge, constraint, "matchAttribute");
        }
        // Earlier versions validate the first one.
        let count = if judge.minor < LOWERCASE_MINOR { 1 } else { attributes.len() };
        for node in given.take(count) {
            check_attribute(judge, node);
        }
    }
    check_configurations(judge, devices, Some(&names));
}

fn refuse(judge: &mut Judge<'_>, node: &Node, text: (Message, impl Into<Remedy>)) {
    judge.refuse(&DEVICE_REQUEST_INVALID, node, text);
}

fn lacks(judge: &mut Judge<'_>, owner: &Node, field: &'static str) {
    let text = (message!("missing `{field}`"), message!("set `{field}`"));
    let fields = (owner, &[field][..]);
    judge.lacks_all_of(&DEVICE_REQUEST_INVALID, (owner, field), text, fields);
}

fn check_too_many(judge: &mut Judge<'_>, list: &[Node], most: usize, field: &str) {
    if let Some(node) = list.get(most) {
        refuse(judge, node, (message!("more than {most} `{field}`"), "remove some of them"));
    }
}

fn check_unique(judge: &mut Judge<'_>, list: &[Node]) {
    let names = texts_in(list, "name");
    repeated(names, |name, node, first| {
        let message = message!("duplicate request `{}`", shown(name));
        let texts = (message, "duplicate name", "give each request a unique name");
        judge.conflict(&DEVICE_REQUEST_INVALID, node, texts, (first, "first used here"));
    });
}

fn check_request(judge: &mut Judge<'_>, request: &Node) {
    needed_name(judge, request, "name", Absence::BySchema, NameForm::LABEL);
    let alternatives = items(request, "firstAvailable");
    // In this version, a request without alternatives has the fields of `exactly` itself.
    if judge.object.gvk.version == "v1beta1" && alternatives.is_empty() {
        return check_details(judge, request);
    }
    match (request.get("exactly"), alternatives.is_empty()) {
        (Some(exactly), true) => check_details(judge, exactly),
        (None, false) => {
            check_too_many(judge, alternatives, MAX_ALTERNATIVES, "firstAvailable");
            for alternative in alternatives {
                needed_name(judge, alternative, "name", Absence::BySchema, NameForm::LABEL);
                check_details(judge, alternative);
            }
            check_unique(judge, alternatives);
        }
        (Some(exactly), false) => {
            let message = "a request has both `exactly` and `firstAvailable`";
            let spot = (exactly.span(), request);
            judge.refuse(&DEVICE_REQUEST_INVALID, spot, (message, "remove one of the two"));
        }
        (None, true) => {
            let text = (
                "a request has neither `exactly` nor `firstAvailable`",
                "set `exactly: {deviceClassName: ...}`",
            );
            let fields = (request, &["exactly", "firstAvailable"][..]);
            judge.lacks_all_of(&DEVICE_REQUEST_INVALID, (start(request), request), text, fields);
        }
    }
}

fn check_details(judge: &mut Judge<'_>, request: &Node) {
    needed_name(judge, request, "deviceClassName", Absence::BySchema, NameForm::OBJECT);
    check_selectors(judge, request);
    let count = request.get("count").and_then(|node| Some((node, node.as_i64()?)));
    let mode = filled_text(request, "allocationMode");
    judge.listed(request, "allocationMode", &["All", "ExactCount", ""]);
    match (mode.unwrap_or("ExactCount"), count) {
        ("All", Some((node, 1.. | ..=-1))) => {
            let message = "`count` is set together with `allocationMode: All`".into();
            refuse(judge, node, (message, "remove `count`"));
        }
        // The server replaces 0 with 1.
        ("ExactCount", Some((_, ..=-1))) => {
            judge.ranged(request, "count", 1..=i64::MAX);
        }
        _ => {}
    }
    // This version drops them: the gate `DRADeviceTaints` is off.
    if judge.minor == UNTAINTED_MINOR {
        return;
    }
    for toleration in items(request, "tolerations") {
        check_toleration(judge, toleration);
    }
}

fn check_toleration(judge: &mut Judge<'_>, toleration: &Node) {
    let written = |field: &str| filled_node(toleration, field);
    if let Some((node, key)) = written("key")
        && check_qualified_name(key).is_err()
    {
        let message = message!("invalid toleration key `{}`", shown(key));
        refuse(judge, node, (message, "write the key of a taint"));
    }
    judge.listed(toleration, "operator", &["Equal", "Exists", ""]);
    judge.listed(toleration, "effect", &["NoExecute", "NoSchedule", "None", ""]);
    let Some((node, value)) = written("value") else { return };
    if toleration.str_at(&["operator"]) == Some("Exists") {
        let message = "toleration with `operator: Exists` has a `value`".into();
        refuse(judge, node, (message, "remove `value`"));
    } else if check_label_value(value).is_err() {
        let message = message!("invalid toleration value `{}`", shown(value));
        refuse(judge, node, (message, "write the value of a taint"));
    }
}

/// Checks the expressions that select devices.
fn check_selectors(judge: &mut Judge<'_>, owner: &Node) {
    let list = items(owner, "selectors");
    check_too_many(judge, list, MOST, "selectors");
    for selector in list {
        let Some(cel) = selector.get("cel") else {
            lacks(judge, selector, "cel");
            continue;
        };
        judge.needed(cel, "expression", Absence::BySchema);
        let Some(node) = cel.get("expression") else { continue };
        if node.as_str().is_some_and(|text| text.len() > LONGEST_EXPRESSION) {
            let message = message!("expression is longer than {LONGEST_EXPRESSION} bytes");
            refuse(judge, node, (message, "shorten it"));
        } else {
            expressions::check(judge, &Environment::of_device(), node, Wanted::BoolOrDyn);
        }
    }
}

/// Checks the configurations of drivers.
fn check_configurations(judge: &mut Judge<'_>, owner: &Node, names: Option<&Names<'_>>) {
    let list = items(owner, "config");
    check_too_many(judge, list, MOST, "config");
    for config in list {
        if let Some(names) = names {
            check_references(judge, config, names);
        }
        let Some(opaque) = config.get("opaque") else {
            lacks(judge, config, "opaque");
            continue;
        };
        check_driver(judge, opaque);
        match opaque.get("parameters") {
            Some(node) if node.as_map().is_none() => {
                let message = message!("`parameters` must be an object, not {}", node.describe());
                refuse(judge, node, (message, "write an object"));
            }
            Some(_) => {}
            None => lacks(judge, opaque, "parameters"),
        }
    }
}

fn check_driver(judge: &mut Judge<'_>, owner: &Node) {
    if let Some((node, name)) = judge.needed_node(owner, "driver", Absence::BySchema)
        && !is_driver(name)
    {
        let message = message!("invalid driver name `{}`", shown(name));
        refuse(judge, node, (message, "write a DNS name"));
    }
}

/// Checks the names of requests that a constraint or a configuration applies to.
fn check_references(judge: &mut Judge<'_>, owner: &Node, names: &Names<'_>) {
    let texts = texts(items(owner, "requests"));
    for (text, node) in texts.clone() {
        let (name, inner) = match text.split_once('/') {
            Some((name, inner)) => (name, Some(inner)),
            None => (text, None),
        };
        let is_known = names
            .get(name)
            .is_some_and(|alternatives| inner.is_none_or(|inner| alternatives.contains(inner)));
        if !is_known {
            let message = message!("the claim has no request `{}`", shown(text));
            let help = "write the name of a request, or `<request>/<alternative>`";
            refuse(judge, node, (message, help));
        }
    }
    repeated(texts, |name, node, _| {
        let message = message!("duplicate request `{}`", shown(name));
        refuse(judge, node, (message, labelled("duplicate", "remove it")));
    });
}

/// Checks the name of an attribute with its domain.
fn check_attribute(judge: &mut Judge<'_>, node: &Node) {
    let Some(text) = node.as_str() else { return };
    // The server does not check names with more than one `/`.
    let is_lowercase = || {
        text.split_once('/')
            .is_none_or(|(domain, rest)| rest.contains('/') || check_dns_subdomain(domain).is_ok())
    };
    let is_form = text.contains('/') && is_attribute(text);
    if !is_form || judge.minor >= LOWERCASE_MINOR && !is_lowercase() {
        let message = message!("invalid attribute name `{}`", shown(text));
        refuse(judge, node, (message, "write it like `gpu.example.com/model`"));
    }
}

/// Whether a name is a C identifier, with an optional domain.
fn is_attribute(name: &str) -> bool {
    let parts: Vec<_> = name.split('/').collect();
    let is_identifier = |text: &str| {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(is_word)
            && text.len() <= 32
    };
    match parts.as_slice() {
        [name] => is_identifier(name),
        [domain, name] => is_driver(domain) && is_identifier(name),
        // The server does not check more than one `/`.
        _ => true,
    }
}

/// Whether each part of a pool name is a DNS name.
fn is_pool(name: &str) -> bool {
    name.len() <= 253 && name.split('/').all(|part| check_dns_subdomain(part).is_ok())
}

fn is_label(name: &str) -> bool {
    check_dns_label(name).is_ok()
}
