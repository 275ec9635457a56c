//! Checks for nodes that can never be launched, and for limits without their apparent effect.

use lean_string::LeanStr;

use super::{Provider, finding};
use crate::decode::Integer;
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::nodepool::model::{LabelModel, PoolModel};
use crate::dialect::nodepool::quota::{Amount, Amounts, CORES, INSTANCES, RAM, RESERVED};
use crate::dialect::nodepool::settings::{NodepoolSettings, TenantLimits};
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Node;

declare_rules! {
    NODEPOOL_LIMIT_NOT_APPLIED = "nodepool-limit-not-applied", Warning;
    NODEPOOL_MIN_READY_UNREACHABLE = "nodepool-min-ready-unreachable", Warning;
    NODEPOOL_PHANTOM_QUOTA = "nodepool-phantom-quota", Warning;
    NODEPOOL_QUOTA_EXCEEDED = "nodepool-quota-exceeded", Error;
    NODEPOOL_QUOTA_UNUSED = "nodepool-quota-unused", Warning;
    NODEPOOL_TENANT_QUOTA_EXCEEDED = "nodepool-tenant-quota-exceeded", Warning;
}

/// The maximum number of labels that a finding about `minReady` shows in addition to the first one:
/// each of thousands of resources can be too small for all labels.
const MAX_PLACES: usize = 4;

pub(super) fn check(provider: &Provider<'_>, sink: &mut Sink) {
    for pool in provider.pools {
        for label in &pool.labels {
            check_node(pool, label, sink);
            check_phantom(pool, label, sink);
            for (tenant, limits) in provider.tenants.exceeded_by(label) {
                if sink.is_full() {
                    return;
                }
                check_tenant(tenant, limits, label, sink);
            }
        }
        check_unused(pool, sink);
    }
}

/// The limits of all tenants, indexed so that the ones that a label exceeds are found without a
/// search through all of them.
#[derive(Default)]
pub(super) struct Tenants<'t> {
    all: Vec<(&'t TenantLimits, Amounts)>,
    /// The limits of each key in ascending order, in billionths, each with the index of its tenant.
    by_key: SortedMap<LeanStr, Vec<(i128, usize)>>,
}

impl<'t> Tenants<'t> {
    pub(super) fn of(settings: Option<&'t NodepoolSettings>) -> Self {
        let list = settings.and_then(|settings| settings.tenant_resource_limits.as_ref());
        let mut tenants = Self::default();
        for (number, tenant) in list.iter().flat_map(|it| &it.items).enumerate() {
            let limits = Amounts::of_tenant(tenant);
            for (key, amount) in limits.iter() {
                let limits = tenants.by_key.entry(key.into()).or_default();
                limits.push((amount.quantity.billionths(), number));
            }
            tenants.all.push((tenant, limits));
        }
        tenants.by_key.values_mut().for_each(|it| it.sort_unstable());
        tenants
    }

    fn exceeded_by(
        &self,
        label: &LabelModel,
    ) -> impl Iterator<Item = (&'t TenantLimits, &Amounts)> {
        let mut found = SortedSet::new();
        for (key, need) in label.counted.iter() {
            let limits = self.by_key.get(key).map_or(&[][..], Vec::as_slice);
            let count = limits.partition_point(|(limit, _)| *limit < need.quantity.billionths());
            found.extend(limits.iter().take(count).map(|(_, number)| *number));
        }
        let tenants = found.into_iter().filter_map(|position| self.all.get(position));
        tenants.map(|(tenant, limits)| (*tenant, limits))
    }
}

/// The author's name of a key.
fn shown_key(key: &str) -> &str {
    match key {
        CORES => "cpu",
        RAM => "memory",
        other => other,
    }
}

/// Reports a node that needs more than its pool can have.
fn check_node(pool: &PoolModel<'_>, label: &LabelModel, sink: &mut Sink) {
    check_uncounted(pool, label, sink);
    for (key, need, limit) in label.counted.above(&pool.limits) {
        let path = format!("{}.name", label.path);
        if limit.quantity.billionths() < 0 {
            continue;
        }
        if key == INSTANCES {
            sink.report(
                Diagnostic::new(
                    &NODEPOOL_QUOTA_EXCEEDED,
                    limit.place,
                    message!(
                        "pool `{}` allows no nodes but has label `{}`",
                        pool.shown_name(),
                        label.shown_name()
                    ),
                )
                .at("no nodes")
                .label(label.label.name.span(), "never launched")
                .path(&path)
                .note("the launcher declines each request: `pool is disabled by max_servers`")
                .help("allow at least one node, or remove the label"),
            );
            continue;
        }
        let what = shown_key(key);
        let note = if [CORES, RAM].contains(&key) {
            "the launcher declines each request: `it would exceed quota`"
        } else {
            "the launcher accepts a request for it, and then waits forever with the whole pool"
        };
        sink.report(
            Diagnostic::new(
                &NODEPOOL_QUOTA_EXCEEDED,
                need.place,
                message!(
                    "a node of label `{}` needs `{what}` {}, but pool `{}` has {}",
                    label.shown_name(),
                    need.quantity,
                    pool.shown_name(),
                    limit.quantity
                ),
            )
            .at("required by one node")
            .label(limit.place, "the limit of all nodes")
            .path(&path)
            .note(note)
            .help("lower the request, or raise the limit"),
        );
    }
}

/// Reports a `spec` whose requests exceed the limit of the pool: the launcher does not count them, and
/// creates the node.
fn check_uncounted(pool: &PoolModel<'_>, label: &LabelModel, sink: &mut Sink) {
    let uncounted = label.needs.above(&pool.limits);
    for (key, need, limit) in uncounted.filter(|(key, ..)| label.is_custom() && *key != INSTANCES) {
        sink.report(
            Diagnostic::new(
                &NODEPOOL_LIMIT_NOT_APPLIED,
                need.place,
                message!(
                    "a node of label `{}` requests `{}` {}, more than the {} of pool `{}`",
                    label.shown_name(),
                    shown_key(key),
                    need.quantity,
                    limit.quantity,
                    pool.shown_name()
                ),
            )
            .at("not counted by the launcher")
            .label(limit.place, "the limit of all nodes")
            .path(&format!("{}.name", label.path))
            .note("the launcher does not count the requests of a `spec`, and creates the node")
            .help("lower the request, or raise the limit"),
        );
    }
}

/// Reports resources that the launcher counts for a node but no container requests.
fn check_phantom(pool: &PoolModel<'_>, label: &LabelModel, sink: &mut Sink) {
    let Some(defaults) = pool.pool.default_resources.as_ref().filter(|_| label.is_custom()) else {
        return;
    };
    let requests = defaults.node.get("requests").map_or(&[][..], Node::entries);
    let Some(first) = requests.first() else { return };
    sink.report(
        finding(
            &NODEPOOL_PHANTOM_QUOTA,
            label.label.name.node(),
            message!(
                "the launcher counts the default requests of pool `{}` for label `{}`",
                pool.shown_name(),
                label.shown_name()
            ),
        )
        .at("has a `spec` of its own")
        .label(first.value.span(), "counted, and not part of the Pod")
        .path(&format!("{}.name", label.path))
        .note("the quota table counts the requests of the containers instead")
        .help("move the label to a pool without `defaultResources`"),
    );
}

fn check_tenant(tenant: &TenantLimits, limits: &Amounts, label: &LabelModel, sink: &mut Sink) {
    let name = tenant.tenant_name.as_str();
    // A node can need thousands of resources, and thousands of tenants can have few limits.
    for (key, limit) in limits.iter() {
        let need = label.counted.get(key);
        let need = need.filter(|need| need.quantity.billionths() > limit.quantity.billionths());
        let Some(Amount { quantity, place }) = need else { continue };
        sink.report(
            Diagnostic::new(
                &NODEPOOL_TENANT_QUOTA_EXCEEDED,
                place,
                message!(
                    "a node of label `{}` needs `{}` {quantity}, but tenant `{name}` has {}",
                    label.shown_name(),
                    shown_key(key),
                    limit.quantity
                ),
            )
            .at("required by one node")
            .label(limit.place, "the limit of the tenant")
            .path(&format!("{}.name", label.path))
            .note("the launcher defers each request of the tenant for this label, forever")
            .help("raise the limit, or allow the finding if the tenant does not use the label"),
        );
    }
}

/// Reports a key of `maxResources` that no label of the pool needs: often a typo.
fn check_unused(pool: &PoolModel<'_>, sink: &mut Sink) {
    let Some(own) = pool.pool.maxima.resources.as_ref() else { return };
    let needed: SortedSet<&str> =
        pool.labels.iter().flat_map(|label| label.needs.iter().map(|(key, _)| key)).collect();
    let is_unlimited = |name: &&str| pool.limits.get(name).is_none() && *name != INSTANCES;
    let unlimited: Vec<&str> = needed.iter().copied().filter(is_unlimited).collect();
    for ((key, limit), place) in own.entries.iter().zip(&own.keys) {
        if RESERVED.contains(&key.as_str())
            || pool.labels.is_empty()
            || needed.contains(key.as_str())
        {
            continue;
        }
        let near = sink.near(unlimited.iter().copied());
        sink.report(
            finding(
                &NODEPOOL_QUOTA_UNUSED,
                limit.node(),
                message!(
                    "`maxResources` of pool `{}` limits `{key}`, which no label needs",
                    pool.shown_name()
                ),
            )
            .at("limits nothing")
            .path(&format!("{}.maxResources.{key}", pool.path))
            .suggest_near(*place, key, near)
            .help("remove it, or add it to `resources` or `extraResources` of a label"),
        );
    }
}

/// Reports nodes to keep ready that do not fit into their pool. A label in several pools is
/// skipped: any of them can have its nodes.
pub(super) fn check_together(providers: &[Provider<'_>], sink: &mut Sink) {
    let mut pools_of: SortedMap<&str, usize> = SortedMap::new();
    for (_, label) in providers.iter().flat_map(Provider::labels) {
        *pools_of.entry(label.name()).or_default() += 1;
    }
    for provider in providers {
        for pool in provider.pools {
            let mut total = Amounts::default();
            let mut places: Vec<&Node> = Vec::new();
            for label in &pool.labels {
                let Some(declared) = provider.declared.get(label.name()) else { continue };
                let ready = declared.ready();
                if ready > 0 && pools_of.get(label.name()) == Some(&1) {
                    total.add(&label.counted, ready);
                    places.extend(declared.min_ready.as_ref().map(Integer::node));
                }
            }
            report_ready(pool, &total, &places, sink);
        }
    }
}

fn report_ready(pool: &PoolModel<'_>, total: &Amounts, places: &[&Node], sink: &mut Sink) {
    let Some((first, rest)) = places.split_first() else { return };
    for (key, need, limit) in total.above(&pool.limits) {
        // A negative limit is an error.
        if limit.quantity.to_string().starts_with('-') {
            continue;
        }
        let what = if key == INSTANCES {
            format!("{} nodes", need.quantity)
        } else {
            format!("`{}` {}", shown_key(key), need.quantity)
        };
        let mut diagnostic = finding(
            &NODEPOOL_MIN_READY_UNREACHABLE,
            first,
            message!(
                "`minReady` requires {what}, but pool `{}` has {}",
                pool.shown_name(),
                limit.quantity
            ),
        )
        .at("nodes to keep ready")
        .label(limit.place, "the limit of all nodes")
        .note("the launcher never has that many nodes ready")
        .help("lower `minReady`, or raise the limit");
        for place in rest.iter().take(MAX_PLACES) {
            diagnostic = diagnostic.label(place.span(), "nodes to keep ready");
        }
        sink.report(diagnostic);
    }
}
