//! Names of providers, pools, labels and nodes.

use super::{Provider, finding};
use crate::decode::Text;
use crate::diag::{Diagnostic, Message, Sink, declare_rules, message, nearest};
use crate::dialect::nodepool::model::{LabelModel, PoolModel};
use crate::dialect::nodepool::node_pool::Driver;
use crate::dialect::nodepool::nodes::{Unplanned, planned_nodes};
use crate::scalar::{check_dns_label, check_dns_subdomain, check_label_value, near_dns_label};
use crate::sorted::SortedMap;
use crate::source::Slice as _;

declare_rules! {
    NODEPOOL_LABEL_UNDECLARED = "nodepool-label-undeclared", Error, follows = [SamePlace, Project];
    NODEPOOL_NAME_DUPLICATE = "nodepool-name-duplicate", Error;
    NODEPOOL_NAME_INVALID = "nodepool-name-invalid", Error;
    NODEPOOL_NODE_UNKNOWN = "nodepool-node-unknown", Error;
}

/// The maximum length of a pool name: a Namespace has 63 characters, of which `-` and the ID take
/// 11.
const LONGEST_POOL: usize = 52;
/// The prefix of providers that get the driver for tests.
const FAKE: &str = "fake";

pub(super) fn check(provider: &Provider<'_>, sink: &mut Sink) {
    check_provider(provider.name(), sink);
    for pool in provider.pools {
        check_pool(pool, sink);
        for label in &pool.labels {
            check_label(label, sink);
        }
        let labels = pool.labels.iter().map(|label| &label.label.name);
        report_duplicates("label", &format!(" of pool `{}`", pool.shown_name()), labels, sink);
    }
    report_duplicates("pool", "", provider.pools.iter().map(|pool| &pool.pool.name), sink);
    check_declared(provider, sink);
    check_nodes(provider, sink);
}

/// Reports two definitions of one provider, which would be one provider with the pools of the
/// second.
pub(super) fn check_together(providers: &[Provider<'_>], sink: &mut Sink) {
    report_duplicates("provider", "", providers.iter().map(Provider::name), sink);
}

fn check_provider(name: &Text, sink: &mut Sink) {
    let text = name.as_str();
    if text.starts_with(FAKE) {
        sink.report(
            finding(
                &NODEPOOL_NAME_INVALID,
                name.node(),
                message!("the name of provider `{text}` starts with `{FAKE}`"),
            )
            .at("reserved prefix")
            .note("the launcher replaces the driver of such a provider with its driver for tests")
            .help("use another name"),
        );
    }
    let fault = match check_label_value(text) {
        _ if text.is_empty() => Some("is empty".into()),
        Err(fault) => Some(message!("{fault}")),
        Ok(()) => None,
    };
    if let Some(fault) = fault {
        sink.report(
            finding(
                &NODEPOOL_NAME_INVALID,
                name.node(),
                message!("the name of provider `{text}` {fault}"),
            )
            .at("not a valid label value")
            .note("it is the value of the label `nodepool_provider_name`")
            .help("use letters, digits, `-`, `_` and `.`, at most 63 of them"),
        );
    }
}

fn check_pool(pool: &PoolModel<'_>, sink: &mut Sink) {
    let name = &pool.pool.name;
    let (text, path) = (name.as_str(), format!("{}.name", pool.path));
    let is_shared = pool.driver == Driver::OpenShiftPods;
    let note = if is_shared {
        "it is the name of the Project of the nodes"
    } else {
        "the Namespace of a node is named after the pool, with `-` and ten digits"
    };
    let report = |fault: Message, help: Message| {
        finding(&NODEPOOL_NAME_INVALID, name.node(), message!("the name of pool `{text}` {fault}"))
            .at("not a valid prefix")
            .path(&path)
            .note(note)
            .help(help)
    };
    if let Err(fault) = check_dns_label(text) {
        let shortened = text.slice(..text.floor_char_boundary(LONGEST_POOL));
        sink.report(report(message!("{fault}"), near_dns_label(shortened)));
    } else if text.len() > LONGEST_POOL && !is_shared {
        let fault = message!("has {} characters, more than {LONGEST_POOL}", text.len());
        sink.report(report(fault, "shorten it".into()));
    }
}

fn check_label(label: &LabelModel, sink: &mut Sink) {
    let name = &label.label.name;
    let text = name.as_str();
    // A custom spec names its containers itself, so a dot is allowed.
    let (checked, note, help) = if label.is_custom() {
        let both = check_dns_subdomain(text).and_then(|()| check_label_value(text));
        (both, "it is the name of the Pod, and a label value", near_dns_label(text))
    } else {
        let note = "it is the name of the Pod and of its container, and a label value";
        (check_dns_label(text), note, near_dns_label(text))
    };
    if let Err(fault) = checked {
        sink.report(
            finding(
                &NODEPOOL_NAME_INVALID,
                name.node(),
                message!("the name of label `{text}` {fault}"),
            )
            .at("not a valid name")
            .path(&format!("{}.name", label.path))
            .note(note)
            .help(help),
        );
    }
}

/// Reports duplicate names.
fn report_duplicates<'t>(
    what: &str,
    of: &str,
    names: impl Iterator<Item = &'t Text>,
    sink: &mut Sink,
) {
    let mut first: SortedMap<&str, &Text> = SortedMap::new();
    for name in names {
        let Some(earlier) = first.get(name.as_str()) else {
            first.insert(name.as_str(), name);
            continue;
        };
        sink.report(
            finding(
                &NODEPOOL_NAME_DUPLICATE,
                name.node(),
                message!("duplicate {what} `{}`{of}", name.as_str()),
            )
            .at("the launcher reads this one only")
            .label(earlier.span(), "first defined here")
            .help(message!("rename one of them: the launcher keeps the last {what} of a name")),
        );
    }
}

/// Checks that each label is in the list of the Project, if there is one.
fn check_declared(provider: &Provider<'_>, sink: &mut Sink) {
    let Some(settings) = provider.settings else { return };
    let Some(declared) = &settings.labels else { return };
    for (_, label) in provider.labels() {
        if provider.declared.contains_key(label.name()) {
            continue;
        }
        let names = sink.near(declared.items.iter().map(|it| it.name.as_str()));
        sink.report(
            finding(
                &NODEPOOL_LABEL_UNDECLARED,
                label.label.name.node(),
                message!(
                    "label `{}` is not declared in `nodepool.labels` of the Project",
                    label.shown_name()
                ),
            )
            .at("not declared")
            .path(&format!("{}.name", label.path))
            .note("the launcher cannot load a configuration with such a label")
            .suggest_near(label.label.name.node().span(), label.name(), names)
            .help(message!("add `{{name: {}}}` to the list", label.shown_name())),
        );
    }
}

fn check_nodes(provider: &Provider<'_>, sink: &mut Sink) {
    let mut taken = SortedMap::new();
    for node in planned_nodes(&provider.definition.spec, provider.pools, None) {
        let node = match node {
            Ok(node) => node,
            Err((item, reason)) => {
                let pool = item.pool.as_ref().unwrap_or(&item.label);
                let (name, message, near) = match reason {
                    Unplanned::Pool => {
                        let names = provider.pools.iter().map(PoolModel::name);
                        let near = nearest(pool.as_str(), sink.near(names));
                        (pool, message!("unknown pool `{}`", pool.as_str()), near)
                    }
                    Unplanned::Label => {
                        let names = provider.labels().map(|(_, label)| label.name());
                        let near = nearest(item.label.as_str(), sink.near(names));
                        let message = match &item.pool {
                            Some(pool) => message!(
                                "unknown label `{}` of pool `{}`",
                                item.label.as_str(),
                                pool.as_str()
                            ),
                            None => message!(
                                "no pool has the label `{}` of `nodes`",
                                item.label.as_str()
                            ),
                        };
                        (&item.label, message, near)
                    }
                    Unplanned::Ambiguous => {
                        let message =
                            message!("several pools have the label `{}`", item.label.as_str());
                        (&item.label, message, None)
                    }
                };
                let finding = finding(&NODEPOOL_NODE_UNKNOWN, name.node(), message)
                    .at("not a node of this provider");
                let place = name.node().span();
                sink.report(match near {
                    Some(near) => finding.suggest(place, near, message!("did you mean `{near}`?")),
                    None if matches!(reason, Unplanned::Ambiguous) => finding.help("add `pool`"),
                    None => finding,
                });
                continue;
            }
        };
        if !(0..=9_999_999_999).contains(&node.id) {
            sink.report(
                Diagnostic::new(
                    &NODEPOOL_NODE_UNKNOWN,
                    node.place,
                    message!("node id {} is outside 0-9999999999", node.id),
                )
                .at("the label of the node")
                .help("write an `id` of at most ten digits"),
            );
        }
        // The Namespace is named after both.
        if let Some(first) = taken.insert((node.id, node.pool.name()), node.place) {
            sink.report(
                Diagnostic::new(
                    &NODEPOOL_NAME_DUPLICATE,
                    node.place,
                    message!("duplicate node id {} in pool `{}`", node.id, node.pool.shown_name()),
                )
                .at("same Namespace")
                .label(first, "first used here")
                .help("write another `id`"),
            );
        }
    }
}
