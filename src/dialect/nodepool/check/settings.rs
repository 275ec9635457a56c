//! Checks for numbers and keys that the launcher ignores, cannot process, or interprets
//! unexpectedly.

use super::{Provider, finding};
use crate::decode::{Integer, Mapped, Quantity};
use crate::diag::{Diagnostic, Message, Sink, declare_rules, listed_of, message};
use crate::dialect::nodepool::node_pool::{Driver, Maxima};
use crate::dialect::nodepool::quota::RESERVED;
use crate::dialect::nodepool::settings::NodepoolSettings;
use crate::dialect::nodepool::sizes::amount;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    NODEPOOL_MAXIMUM_NOT_SHARED = "nodepool-maximum-not-shared", Warning;
    NODEPOOL_NUMBER_INVALID = "nodepool-number-invalid", Error;
    NODEPOOL_RESOURCE_KEY_RESERVED = "nodepool-resource-key-reserved", Error;
    NODEPOOL_SETTING_IGNORED = "nodepool-setting-ignored", Warning;
    NODEPOOL_SETTING_NOT_COMPILED = "nodepool-setting-not-compiled", Note;
}

pub(super) fn check(provider: &Provider<'_>, sink: &mut Sink) {
    let spec = &provider.definition.spec;
    let why = "the launcher never tries to launch a node";
    check_minimum("launchRetries", spec.launch_retries.as_ref(), 1, why, sink);
    if let Some(value) = &spec.max_concurrency
        && value.as_i64() == 0
    {
        sink.report(
            invalid_number(value.node(), "`maxConcurrency` 0 stops the provider")
                .note("the launcher waits for a free thread and never accepts a request")
                .help("write -1 for any number of launches at a time, or at least 1"),
        );
    }
    check_namespace(provider, sink);
    check_maxima(&spec.maxima, sink);
    if spec.driver() == Driver::Kubernetes
        && let Some(servers) = &spec.maxima.servers
    {
        sink.report(
            finding(
                &NODEPOOL_SETTING_IGNORED,
                servers.node(),
                "`maxServers` of a provider has no effect",
            )
            .at("never read by the launcher")
            .help("write it in each pool"),
        );
    }
    for pool in provider.pools {
        check_maxima(&pool.pool.maxima, sink);
        check_keys("defaultExtraResources", pool.pool.default_extra_resources.as_ref(), sink);
        let extra = pool.pool.default_extra_resources.as_ref();
        if let Some((_, first)) = extra.and_then(|extra| extra.entries.first()) {
            sink.report(
                finding(
                    &NODEPOOL_SETTING_IGNORED,
                    first.node(),
                    "`defaultExtraResources` has no effect",
                )
                .at("never counted by the launcher")
                .note("the launcher looks for this option under another name, which its schema rejects")
                .help("write `extraResources` in each label"),
            );
        }
        for label in &pool.labels {
            check_keys("extraResources", label.label.extra_resources.as_ref(), sink);
        }
        if let Some(resources) = &pool.pool.default_resources {
            check_default_sizes(&resources.node, sink);
        }
    }
    check_shared(provider, sink);
    check_not_compiled(provider, sink);
}

/// Checks the global settings.
pub(super) fn check_global(settings: &NodepoolSettings, sink: &mut Sink) {
    for label in settings.labels.iter().flat_map(|it| &it.items) {
        check_minimum("maxReadyAge", label.max_ready_age.as_ref(), 0, "", sink);
        if let Some(ready) = label.min_ready.as_ref().filter(|ready| ready.as_i64() < 0) {
            sink.report(
                finding(
                    &NODEPOOL_SETTING_IGNORED,
                    ready.node(),
                    message!("`minReady: {}` does not disable a label", ready.as_i64()),
                )
                .at("the same as 0")
                .note("the launcher keeps no node ready, and serves requests as always")
                .help("write 0, or remove the label from its pools"),
            );
        }
    }
    for tenant in settings.tenant_resource_limits.iter().flat_map(|it| &it.items) {
        check_minimum("maxServers", tenant.servers.as_ref(), 0, "", sink);
        check_not_negative("maxCores", tenant.cores.as_ref().map(Quantity::node), sink);
        check_not_negative("maxRam", tenant.ram.as_ref().map(Quantity::node), sink);
        check_keys("maxResources", tenant.resources.as_ref(), sink);
    }
}

/// Reports a namespace, because each node has its own. The Project's default namespace is not a
/// fault of the definition.
fn check_namespace(provider: &Provider<'_>, sink: &mut Sink) {
    let Some(namespace) = &provider.definition.metadata.namespace else { return };
    let (start, length) = provider.definition.document.parts();
    let (at, _) = namespace.span().parts();
    if (start..start.saturating_add(length)).contains(&at) {
        sink.report(
            finding(
                &NODEPOOL_SETTING_IGNORED,
                namespace.node(),
                "`metadata.namespace` of a NodePool has no effect",
            )
            .at("ignored")
            .note("each node has a Namespace of its own, named after its pool")
            .help("remove it"),
        );
    }
}

fn invalid_number(node: &Node, message: impl Into<Message>) -> Diagnostic {
    finding(&NODEPOOL_NUMBER_INVALID, node, message).at("out of range")
}

fn check_minimum(
    field: &str,
    value: Option<&Integer>,
    least: i64,
    why: &'static str,
    sink: &mut Sink,
) {
    let Some(value) = value.filter(|value| value.as_i64() < least) else { return };
    let message = message!("`{field}` {} is less than {least}", value.as_i64());
    let mut diagnostic =
        invalid_number(value.node(), message).help(message!("write at least {least}"));
    if !why.is_empty() {
        diagnostic = diagnostic.note(why);
    }
    sink.report(diagnostic);
}

fn check_not_negative(field: &str, node: Option<&Node>, sink: &mut Sink) {
    let Some(node) = node else { return };
    if let Some(quantity) = amount(node).filter(|amount| amount.billionths() < 0) {
        sink.report(
            invalid_number(node, message!("`{field}` {quantity} is negative"))
                .help("write 0 or more"),
        );
    }
}

fn check_maxima(maxima: &Maxima, sink: &mut Sink) {
    check_minimum("maxServers", maxima.servers.as_ref(), 0, "", sink);
    check_not_negative("maxCores", maxima.cores.as_ref().map(Quantity::node), sink);
    check_not_negative("maxRam", maxima.ram.as_ref().map(Quantity::node), sink);
    check_keys("maxResources", maxima.resources.as_ref(), sink);
}

/// Reports negative quantities in defaults. Those of a label are in its Pod, where the API server
/// rejects them.
fn check_default_sizes(resources: &Node, sink: &mut Sink) {
    for list in ["requests", "limits"] {
        for entry in resources.get(list).map_or(&[][..], Node::entries) {
            let field = format!("defaultResources.{list}.{}", entry.key);
            check_not_negative(&field, Some(&entry.value), sink);
        }
    }
}

fn check_keys(field: &str, amounts: Option<&Mapped<Quantity>>, sink: &mut Sink) {
    for (key, value) in amounts.map_or(&[][..], |it| &it.entries) {
        check_not_negative(&format!("{field}.{key}"), Some(value.node()), sink);
        if !RESERVED.contains(&key.as_str()) {
            continue;
        }
        let (note, help) = match key.as_str() {
            "instances" => ("the launcher crashes when it counts such a node", "use `maxServers`"),
            "cores" => (
                "it replaces the number of cores that the launcher counts",
                "use `cpu` and `maxCores`",
            ),
            "ram" => {
                ("it replaces the memory that the launcher counts", "use `memory` and `maxRam`")
            }
            _ => (
                "the launcher cannot compute quotas with it, and never fulfills a request",
                "use another name",
            ),
        };
        sink.report(
            finding(
                &NODEPOOL_RESOURCE_KEY_RESERVED,
                value.node(),
                message!("reserved key `{key}` in `{field}`"),
            )
            .at("value of a reserved key")
            .note(note)
            .help(help),
        );
    }
}

/// Reports limits of the provider that apply to several pools separately.
fn check_shared(provider: &Provider<'_>, sink: &mut Sink) {
    let own = &provider.definition.spec.maxima;
    let resources = own.resources.iter().flat_map(|it| &it.entries);
    let mut all: Vec<(String, &Node)> =
        resources.map(|(key, limit)| (format!("maxResources.{key}"), limit.node())).collect();
    let has_servers = provider.definition.spec.driver() != Driver::Kubernetes;
    for (field, limit) in [
        ("maxServers", own.servers.as_ref().filter(|_| has_servers).map(Integer::node)),
        ("maxCores", own.cores.as_ref().map(Quantity::node)),
        ("maxRam", own.ram.as_ref().map(Quantity::node)),
    ] {
        all.extend(limit.map(|node| (field.to_owned(), node)));
    }
    // A provider can have as many limits as pools.
    let mut overriding: SortedMap<(&str, &str), SortedSet<usize>> = SortedMap::new();
    for (at, pool) in provider.pools.iter().enumerate() {
        for key in own_maxima(&pool.pool.maxima) {
            overriding.entry(key).or_default().insert(at);
        }
    }
    let none = SortedSet::new();
    for (field, node) in all {
        let key = field.split_once('.').unwrap_or((field.as_str(), ""));
        let others = overriding.get(&key).unwrap_or(&none);
        let count = provider.pools.len() - others.len();
        if count > 1 {
            let pools = provider.pools.iter().enumerate();
            let heirs = pools.filter(|(at, _)| !others.contains(at)).map(|(_, pool)| pool.name());
            sink.report(
                finding(
                    &NODEPOOL_MAXIMUM_NOT_SHARED,
                    node,
                    message!("`{field}` of the provider applies to each of {count} pools in full"),
                )
                .at("a default, not a shared limit")
                .note(message!(
                    "the pools {} together can have {count} times as much",
                    listed_of(count, heirs)
                ))
                .help("set the limit of each pool in the pool itself"),
            );
        }
    }
}

/// The limits that a pool has itself: `maxCores`, `maxRam`, and the names of other resources.
fn own_maxima(maxima: &Maxima) -> impl Iterator<Item = (&str, &str)> {
    let cores = maxima.cores.as_ref().map(|_| ("maxCores", ""));
    let ram = maxima.ram.as_ref().map(|_| ("maxRam", ""));
    let servers = maxima.servers.as_ref().map(|_| ("maxServers", ""));
    let resources = maxima.resources.iter().flat_map(|it| &it.entries);
    cores
        .into_iter()
        .chain(ram)
        .chain(servers)
        .chain(resources.map(|(key, _)| ("maxResources", key.as_str())))
}

/// Reports settings that only the launcher reads, in one note.
fn check_not_compiled(provider: &Provider<'_>, sink: &mut Sink) {
    let spec = &provider.definition.spec;
    let mut found: Vec<(&str, Span)> = Vec::new();
    let integers = [
        ("launchRetries", &spec.launch_retries),
        ("maxConcurrency", &spec.max_concurrency),
        ("priority", &spec.priority),
    ];
    found.extend(spec.context.iter().map(|context| ("context", context.span())));
    for (field, value) in integers {
        let Some(value) = value else { continue };
        // Settings that the launcher cannot process have been reported.
        let number = value.as_i64();
        let is_sound = number > 0 || number == -1 && field == "maxConcurrency";
        if is_sound || field == "priority" {
            found.push((field, value.span()));
        }
    }
    let priorities = provider.pools.iter().filter_map(|pool| pool.pool.priority.as_ref());
    found.extend(priorities.map(|priority| ("pools[].priority", priority.span())));
    let Some(((first, place), rest)) = found.split_first() else { return };
    let mut names = vec![message!("`{first}`")];
    for (name, _) in rest {
        let quoted = message!("`{name}`");
        if !names.contains(&quoted) {
            names.push(quoted);
        }
    }
    let (verb, them) = if names.len() == 1 { ("is", "it is") } else { ("are", "they are") };
    let mut diagnostic = Diagnostic::new(
        &NODEPOOL_SETTING_NOT_COMPILED,
        *place,
        message!("{} {verb} only read by the launcher", Message::joined(names, ", ")),
    )
    .at("not compiled")
    .note(message!("no object of Kubernetes has such a field; {them} checked and left out"));
    for (_, other) in rest {
        diagnostic = diagnostic.label(*other, "not compiled");
    }
    sink.report(diagnostic);
}
