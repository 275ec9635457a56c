//! Labels and annotations: merging those of a claim with those of a template, and copying them to a
//! Pod.

use super::qualified::{key_faults, value_faults};
use crate::diag::{Message, message};
use crate::dialect::agent_sandbox::Settings;
use crate::dialect::agent_sandbox::api::ControllerLine;
use crate::dialect::agent_sandbox::names::{
    CLAIM_UID, CREATED_BY, KNOWN_CREATORS, is_reserved_annotation, is_reserved_label,
};
use crate::dialect::agent_sandbox::rules::claim_metadata::{self, Refusal};
use crate::kube::Object;
use crate::sorted::CompactSort as _;
use crate::tree::{Entry, Node, Origin};

/// The keys of the labels and annotations that the controller copied to a Pod.
#[derive(Clone, Default, Debug)]
pub(super) struct Propagated {
    pub(super) labels: Vec<String>,
    pub(super) annotations: Vec<String>,
}

impl Propagated {
    /// The keys that the controller copies from the `podTemplate` of a Sandbox, sorted.
    pub(super) fn of(sandbox: &Node) -> Self {
        let keys = |field: &str, is_reserved: fn(&str) -> bool| {
            let map = sandbox.at(&["spec", "podTemplate", "metadata", field]);
            let all = map.map_or(&[][..], Node::entries).iter().map(Entry::key);
            let mut keys: Vec<_> = all.filter(|key| !is_reserved(key)).map(str::to_owned).collect();
            keys.sort();
            keys
        };
        Self {
            labels: keys("labels", is_reserved_label),
            annotations: keys("annotations", is_reserved_annotation),
        }
    }
}

/// Edits the map at a path of keys. Creates missing maps.
pub(super) fn edit(
    node: &mut Node,
    keys: &[&'static str],
    origin: Origin,
    change: &mut dyn FnMut(&mut Node),
) {
    let Some((key, rest)) = keys.split_first() else { return change(node) };
    if let Some(below) = node.map_mut(key, origin) {
        edit(below, rest, origin, change);
    }
}

/// Sets strings in the map at a path of keys.
pub(super) fn set_all(
    node: &mut Node,
    keys: &[&'static str],
    values: &[(&str, &str)],
    origin: Origin,
) {
    edit(node, keys, origin, &mut |map| {
        for (key, value) in values {
            map.set(*key, Node::string(*value, origin));
        }
    });
}

/// Removes keys from the map at a path of keys.
pub(super) fn remove(node: &mut Node, keys: &[&str], gone: &[&str]) {
    let Some((key, rest)) = keys.split_first() else {
        if let Some(map) = node.as_map_mut() {
            for key in gone {
                map.remove(key);
            }
        }
        return;
    };
    if let Some(below) = node.get_mut(key) {
        remove(below, rest, gone);
    }
}

/// Sets the labels that identify a claim on its Sandbox and in its Pod template.
pub(super) fn set_identity(
    node: &mut Node,
    keys: &[&'static str],
    claim: &Object,
    uid: &str,
    origin: Origin,
) {
    set_all(node, keys, &[(CLAIM_UID, uid)], origin);
    match creator(&claim.root) {
        Some(value) => set_all(node, keys, &[(CREATED_BY, value)], origin),
        None => remove(node, keys, &[CREATED_BY]),
    }
}

/// The client that created an object, according to its label.
pub(super) fn creator(root: &Node) -> Option<&str> {
    root.str_at(&["metadata", "labels", CREATED_BY]).filter(|it| !it.is_empty())
}

/// The value of the label for a client on Pods.
pub(super) fn known_creator(name: &str) -> &str {
    if KNOWN_CREATORS.contains(&name) { name } else { "unknown" }
}

/// The first fault of `additionalPodMetadata`, as the controller's message.
pub(super) fn fault(claim: &Object, settings: &Settings) -> Option<String> {
    let domains = &settings.allowed_label_domains;
    for (field, noun) in [("labels", "label"), ("annotations", "annotation")] {
        for entry in sorted_entries(claim, field) {
            let refusal = match noun {
                "label" => claim_metadata::label_refusal(entry, domains),
                _ => claim_metadata::annotation_refusal(entry),
            };
            if let Some(refusal) = refusal {
                let (key, value) = (entry.key(), entry.value().as_str().unwrap_or_default());
                let detail = describe_refusal(&refusal, noun, key, value, settings.line);
                return Some(format!("failed to validate {noun} {key:?}: {detail}"));
            }
        }
    }
    None
}

/// The entries of a map in `additionalPodMetadata` of a claim, in the order in which Go visits them.
fn sorted_entries<'o>(claim: &'o Object, field: &str) -> Vec<&'o Entry> {
    let map = claim.root.at(&["spec", "additionalPodMetadata", field]);
    let mut entries: Vec<_> = map.map_or(&[][..], Node::entries).iter().collect();
    entries.compact_sort_by(|a, b| a.key().cmp(b.key()));
    entries
}

fn describe_refusal(
    refusal: &Refusal,
    noun: &str,
    key: &str,
    value: &str,
    line: ControllerLine,
) -> String {
    match refusal {
        Refusal::Key(_) => format!("invalid {noun} key: {key:?}: {}", key_faults(key)),
        Refusal::Router => format!(
            "restricted system label value: {key:?}={value:?} is not allowed in \
            AdditionalPodMetadata"
        ),
        Refusal::Unprefixed => format!(
            "label {key:?} must have a domain prefix (e.g. 'sandbox.users.io/my-label') to \
            prevent opting into unintended policy domains"
        ),
        Refusal::Domain => {
            let domain = key.split_once('/').map_or("", |(domain, _)| domain).to_lowercase();
            let configuration = match line {
                ControllerLine::V0_5 => "",
                ControllerLine::V1_0 => {
                    " (configure the allowed-label-domains key of the agent-sandbox-config \
                    ConfigMap in the controller namespace; default: sandbox.users.io)"
                }
            };
            format!("label domain {domain:?} is not in the allowlist{configuration}")
        }
        Refusal::Reserved => {
            format!("restricted system domain: {key:?} is not allowed in AdditionalPodMetadata")
        }
        Refusal::Value(_) => {
            let faults = value_faults(value);
            format!("invalid label value: {value:?} does not match allowed pattern: {faults}")
        }
    }
}

/// Merges `additionalPodMetadata` of a claim into the metadata of a Pod template. Returns the
/// controller's message if both set a key to different values.
pub(super) fn merge(
    node: &mut Node,
    keys: &[&'static str],
    claim: &Object,
    origin: Origin,
) -> Result<(), Message> {
    for (field, noun) in [("labels", "label"), ("annotations", "annotation")] {
        let own = sorted_entries(claim, field);
        let below = node.at(keys).and_then(|it| it.get(field)).and_then(Node::as_map);
        for entry in &own {
            let (key, value) = (entry.key(), entry.value().as_str().unwrap_or_default());
            let old = below.and_then(|it| it.get(key)).and_then(Node::as_str);
            if let Some(old) = old.filter(|old| *old != value) {
                return Err(message!(
                    "metadata override conflict: {noun} {key:?} is defined in template with \
                    value {old:?}, but claim requests {value:?}"
                ));
            }
        }
        if own.is_empty() {
            continue;
        }
        edit(node, keys, origin, &mut |metadata| {
            edit(metadata, &[field], origin, &mut |map| {
                map.set_all(own.iter().map(|entry| (entry.key(), entry.value().clone())));
            });
        });
    }
    Ok(())
}
