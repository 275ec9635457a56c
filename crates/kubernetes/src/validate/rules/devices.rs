//! `ResourceClaim`, `ResourceClaimTemplate`, `DeviceClass` and `ResourceSlice`, after Kubernetes'
//! `pkg/apis/resource/validation`.

mod device;
mod slice;

use std::collections::{BTreeMap, BTreeSet};

use super::admission_expressions as expressions;
use super::csi::is_driver;
use super::judging::{Absence, Judging, items, shown, start};
use super::names::{NameForm, needed_name};
use super::of_object::ObjectJudge;
use super::repeated::repeated;
use crate::cel::{Environment, Wanted};
use crate::diag::{Diagnostic, declare_rules};
use crate::scalar::{
    check_dns_label, check_dns_subdomain, check_label_value, check_qualified_name,
};
use crate::tree::{Node, Path};
pub(super) use slice::check as check_slice;

declare_rules! {
    DEVICE_REQUEST_INVALID = "device-request-invalid", Error, follows = [Misplaced];
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
pub(super) fn check_claim(judge: &mut ObjectJudge<'_, '_>) {
    let object = judge.object;
    let root = Path::root();
    let path = root.field("spec");
    let Some(spec) = object.root.get("spec") else { return };
    if object.gvk.kind == "ResourceClaimTemplate" {
        metadata(judge, spec, &path);
        if let Some(inner) = spec.get("spec") {
            devices(judge, inner, &path.field("spec"));
        }
        return;
    }
    devices(judge, spec, &path);
}

/// The metadata of a template has only labels and annotations.
fn metadata(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let path = path.field("metadata");
    let is_empty = |node: &Node| matches!(node.as_str(), Some("")) || node.as_i64() == Some(0);
    for entry in spec.get("metadata").map_or(&[][..], Node::entries) {
        let is_kept = matches!(entry.key.as_str(), "labels" | "annotations");
        if !is_kept && !entry.value.is_null() && !is_empty(&entry.value) {
            let message = format!("`{}` is set in the metadata of a template", shown(&entry.key));
            let at = entry.key_origin.span();
            let text = (message, "keep only `labels` and `annotations`");
            judge.refuse(&DEVICE_REQUEST_INVALID, at, text, &path.field(&entry.key));
        }
    }
}

/// Checks a class of devices.
pub(super) fn check_class(judge: &mut ObjectJudge<'_, '_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let root = Path::root();
    let path = root.field("spec");
    selectors(judge, spec, &path);
    configurations(judge, spec, None, &path);
    if judge.minor >= ADVANCED_MINOR
        && let Some(node) = spec.get("extendedResourceName")
        && !node.as_str().is_none_or(is_extended_resource)
    {
        let text = format!("invalid resource name `{}`", shown(node.as_str().unwrap_or("")));
        let path = path.field("extendedResourceName");
        refuse(judge, node, (text, "write it like `example.com/gpu`"), &path);
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
type Names<'n> = BTreeMap<&'n str, BTreeSet<&'n str>>;

fn devices(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let Some(devices) = spec.get("devices") else { return };
    let path = path.field("devices");
    let requests = items(devices, "requests");
    let mut names = Names::new();
    for request in requests {
        let alternatives = items(request, "firstAvailable").iter();
        let inner = alternatives.filter_map(|it| it.str_at(&["name"])).collect();
        names.insert(request.str_at(&["name"]).unwrap_or(""), inner);
    }
    let field = path.field("requests");
    too_many(judge, requests, MOST, "requests", &field);
    for (index, request) in requests.iter().enumerate() {
        check_request(judge, request, &field.index(index));
    }
    unique(judge, requests, &field);
    let field = path.field("constraints");
    let constraints = items(devices, "constraints");
    too_many(judge, constraints, MOST, "constraints", &field);
    for (index, constraint) in constraints.iter().enumerate() {
        let path = field.index(index);
        references(judge, constraint, &names, &path);
        let attributes = ["matchAttribute", "distinctAttribute"];
        let known = if judge.minor < ADVANCED_MINOR { &attributes[..1] } else { &attributes };
        let mut given = known.iter().filter_map(|it| Some((*it, constraint.get(it)?))).peekable();
        if given.peek().is_none() {
            lacks(judge, constraint, "matchAttribute", &path);
        }
        // Earlier versions validate the first one.
        let count = if judge.minor < LOWERCASE_MINOR { 1 } else { attributes.len() };
        for (field, node) in given.take(count) {
            attribute(judge, node, &path.field(field));
        }
    }
    configurations(judge, devices, Some(&names), &path);
}

fn refuse(judge: &mut ObjectJudge<'_, '_>, node: &Node, text: (String, &str), path: &Path<'_>) {
    judge.refuse(&DEVICE_REQUEST_INVALID, node.span(), text, path);
}

fn lacks(judge: &mut ObjectJudge<'_, '_>, owner: &Node, field: &'static str, path: &Path<'_>) {
    let text = (format!("missing `{field}`"), format!("set `{field}`"));
    let fields = (owner, &[field][..]);
    judge.lacks_all_of(&DEVICE_REQUEST_INVALID, start(owner), text, fields, &path.field(field));
}

fn too_many(
    judge: &mut ObjectJudge<'_, '_>,
    list: &[Node],
    most: usize,
    field: &str,
    path: &Path<'_>,
) {
    if let Some(node) = list.get(most) {
        refuse(judge, node, (format!("more than {most} `{field}`"), "remove some of them"), path);
    }
}

fn unique(judge: &mut ObjectJudge<'_, '_>, list: &[Node], path: &Path<'_>) {
    let names = list.iter().enumerate().filter_map(|(index, it)| {
        let node = it.get("name")?;
        Some((node.as_str()?, (index, node)))
    });
    repeated(names, |name, (index, node), (_, first)| {
        let message = format!("duplicate request `{}`", shown(name));
        let finding = Diagnostic::new(&DEVICE_REQUEST_INVALID, node.span(), message)
            .at("duplicate name")
            .label(first.span(), "first used here")
            .help("give each request a unique name");
        judge.report(finding, &path.index(index).field("name"));
    });
}

fn check_request(judge: &mut ObjectJudge<'_, '_>, request: &Node, path: &Path<'_>) {
    needed_name(judge, request, ("name", Absence::BySchema), NameForm::LABEL, path);
    let alternatives = items(request, "firstAvailable");
    match (request.get("exactly"), alternatives.is_empty()) {
        (Some(exactly), true) => details(judge, exactly, &path.field("exactly")),
        (None, false) => {
            let field = path.field("firstAvailable");
            too_many(judge, alternatives, MAX_ALTERNATIVES, "firstAvailable", &field);
            for (index, alternative) in alternatives.iter().enumerate() {
                let path = field.index(index);
                needed_name(
                    judge,
                    alternative,
                    ("name", Absence::BySchema),
                    NameForm::LABEL,
                    &path,
                );
                details(judge, alternative, &path);
            }
            unique(judge, alternatives, &field);
        }
        (Some(exactly), false) => {
            let message = "a request has both `exactly` and `firstAvailable`".to_owned();
            refuse(judge, exactly, (message, "remove one of the two"), path);
        }
        (None, true) => {
            let text = (
                "a request has neither `exactly` nor `firstAvailable`",
                "set `exactly: {deviceClassName: ...}`",
            );
            let fields = (request, &["exactly", "firstAvailable"][..]);
            judge.lacks_all_of(&DEVICE_REQUEST_INVALID, start(request), text, fields, path);
        }
    }
}

fn details(judge: &mut ObjectJudge<'_, '_>, request: &Node, path: &Path<'_>) {
    let class = ("deviceClassName", Absence::BySchema);
    needed_name(judge, request, class, NameForm::OBJECT, path);
    selectors(judge, request, path);
    let count = request.get("count").and_then(|it| Some((it, it.as_i64()?)));
    let mode = request.str_at(&["allocationMode"]).filter(|it| !it.is_empty());
    judge.listed(request, "allocationMode", &["All", "ExactCount", ""], path);
    match (mode.unwrap_or("ExactCount"), count) {
        ("All", Some((node, 1.. | ..=-1))) => {
            let message = "`count` is set together with `allocationMode: All`".to_owned();
            refuse(judge, node, (message, "remove `count`"), &path.field("count"));
        }
        // The server replaces 0 with 1.
        ("ExactCount", Some((_, ..=-1))) => {
            judge.ranged(request, "count", 1..=i64::MAX, path);
        }
        _ => {}
    }
    // This version drops them: the gate `DRADeviceTaints` is off.
    if judge.minor == UNTAINTED_MINOR {
        return;
    }
    let field = path.field("tolerations");
    for (index, toleration) in items(request, "tolerations").iter().enumerate() {
        check_toleration(judge, toleration, &field.index(index));
    }
}

fn check_toleration(judge: &mut ObjectJudge<'_, '_>, toleration: &Node, path: &Path<'_>) {
    let written = |field: &str| {
        let node = toleration.get(field)?;
        Some((node, node.as_str().filter(|it| !it.is_empty())?))
    };
    if let Some((node, key)) = written("key")
        && check_qualified_name(key).is_err()
    {
        let message = format!("invalid toleration key `{}`", shown(key));
        refuse(judge, node, (message, "write the key of a taint"), &path.field("key"));
    }
    judge.listed(toleration, "operator", &["Equal", "Exists", ""], path);
    judge.listed(toleration, "effect", &["NoExecute", "NoSchedule", "None", ""], path);
    let Some((node, value)) = written("value") else { return };
    if toleration.str_at(&["operator"]) == Some("Exists") {
        let message = "toleration with `operator: Exists` has a `value`".to_owned();
        refuse(judge, node, (message, "remove `value`"), &path.field("value"));
    } else if check_label_value(value).is_err() {
        let message = format!("invalid toleration value `{}`", shown(value));
        refuse(judge, node, (message, "write the value of a taint"), &path.field("value"));
    }
}

/// Checks the expressions that select devices.
fn selectors(judge: &mut ObjectJudge<'_, '_>, owner: &Node, path: &Path<'_>) {
    let field = path.field("selectors");
    let list = items(owner, "selectors");
    too_many(judge, list, MOST, "selectors", &field);
    for (index, selector) in list.iter().enumerate() {
        let path = field.index(index);
        let Some(cel) = selector.get("cel") else {
            lacks(judge, selector, "cel", &path);
            continue;
        };
        let path = path.field("cel");
        judge.needed(cel, "expression", Absence::BySchema, &path);
        let Some(node) = cel.get("expression") else { continue };
        let path = path.field("expression");
        if node.as_str().is_some_and(|it| it.len() > LONGEST_EXPRESSION) {
            let message = format!("expression is longer than {LONGEST_EXPRESSION} bytes");
            refuse(judge, node, (message, "shorten it"), &path);
        } else {
            expressions::check(judge, &Environment::of_device(), (node, Wanted::BoolOrDyn), &path);
        }
    }
}

/// Checks the configurations of drivers.
fn configurations(
    judge: &mut ObjectJudge<'_, '_>,
    owner: &Node,
    names: Option<&Names<'_>>,
    path: &Path<'_>,
) {
    let field = path.field("config");
    let list = items(owner, "config");
    too_many(judge, list, MOST, "config", &field);
    for (index, config) in list.iter().enumerate() {
        let path = field.index(index);
        if let Some(names) = names {
            references(judge, config, names, &path);
        }
        let Some(opaque) = config.get("opaque") else {
            lacks(judge, config, "opaque", &path);
            continue;
        };
        let path = path.field("opaque");
        driver(judge, opaque, &path);
        match opaque.get("parameters") {
            Some(node) if node.as_map().is_none() => {
                let message = format!("`parameters` must be an object, not {}", node.describe());
                refuse(judge, node, (message, "write an object"), &path.field("parameters"));
            }
            Some(_) => {}
            None => lacks(judge, opaque, "parameters", &path),
        }
    }
}

fn driver(judge: &mut ObjectJudge<'_, '_>, owner: &Node, path: &Path<'_>) {
    if let Some(name) = judge.needed(owner, "driver", Absence::BySchema, path)
        && !is_driver(name)
        && let Some(node) = owner.get("driver")
    {
        let message = format!("invalid driver name `{}`", shown(name));
        refuse(judge, node, (message, "write a DNS name"), &path.field("driver"));
    }
}

/// Checks the names of requests that a constraint or a configuration applies to.
fn references(judge: &mut ObjectJudge<'_, '_>, owner: &Node, names: &Names<'_>, path: &Path<'_>) {
    let field = path.field("requests");
    let list = items(owner, "requests").iter().enumerate();
    let texts = list.filter_map(|(index, node)| Some((node.as_str()?, (index, node))));
    for (text, (index, node)) in texts.clone() {
        let (name, inner) = match text.split_once('/') {
            Some((name, inner)) => (name, Some(inner)),
            None => (text, None),
        };
        let is_known =
            names.get(name).is_some_and(|it| inner.is_none_or(|inner| it.contains(inner)));
        if !is_known {
            let message = format!("the claim has no request `{}`", shown(text));
            let help = "write the name of a request, or `<request>/<alternative>`";
            refuse(judge, node, (message, help), &field.index(index));
        }
    }
    repeated(texts, |name, (index, node), _| {
        let message = format!("duplicate request `{}`", shown(name));
        refuse(judge, node, (message, "remove it"), &field.index(index));
    });
}

/// Checks the name of an attribute with its domain.
fn attribute(judge: &mut ObjectJudge<'_, '_>, node: &Node, path: &Path<'_>) {
    let Some(text) = node.as_str() else { return };
    // The server does not check names with more than one `/`.
    let is_lowercase = || {
        text.split_once('/')
            .is_none_or(|(domain, rest)| rest.contains('/') || check_dns_subdomain(domain).is_ok())
    };
    let is_form = text.contains('/') && is_attribute(text);
    if !is_form || judge.minor >= LOWERCASE_MINOR && !is_lowercase() {
        let message = format!("invalid attribute name `{}`", shown(text));
        refuse(judge, node, (message, "write it like `gpu.example.com/model`"), path);
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
