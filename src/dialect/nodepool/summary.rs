//! The quota table: the resources of one node of each label, the number that fits into its pool,
//! and the totals of pools. It shows the launcher's count without a launcher.

use std::fmt::Write as _;

use super::model::{self, LabelModel, PoolModel};
use super::node_pool::NodePoolSpec;
use super::quota::{Amount, Amounts};
use super::settings::{DeclaredLabel, NodepoolSettings};
use crate::diag::aligned;
use crate::lower::{Instances, Setup};
use crate::sorted::{SortedMap, SortedSet};

const HEADINGS: [&str; 5] = ["LABEL", "TYPE", "ONE NODE NEEDS", "FIT", "MIN READY"];

/// A table for each pool of each NodePool; empty without any.
pub(super) fn summarize(instances: &Instances<'_>, setup: &Setup) -> Option<String> {
    let settings = setup.settings::<NodepoolSettings>();
    let declared = settings.map_or_else(SortedMap::new, NodepoolSettings::declared);
    let mut text = String::new();
    for definition in instances.of_kind::<NodePoolSpec>() {
        let provider = definition.spec.provider.as_ref().unwrap_or(&definition.metadata.name);
        let pools = model::pools(&definition.spec);
        let _ = writeln!(text, "provider {}", provider.as_str());
        for pool in &pools {
            write_pool(&mut text, pool, &declared);
        }
        let _ = writeln!(text, "  all pools: {}", all_limits(&pools));
    }
    (!text.is_empty()).then_some(text)
}

fn write_pool(text: &mut String, pool: &PoolModel<'_>, declared: &SortedMap<&str, &DeclaredLabel>) {
    let _ = writeln!(text, "  pool {}: {}", pool.name(), list_amounts(&pool.limits, "no limits"));
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    let mut ready = Amounts::default();
    for label in &pool.labels {
        let min_ready = declared.get(label.name()).map_or(0, |it| it.ready());
        if min_ready > 0 {
            ready.add(&label.needs, min_ready);
        }
        rows.push(label_row(pool, label, min_ready));
    }
    for line in aligned(&rows).filter(|_| rows.len() > 1) {
        let _ = writeln!(text, "    {line}");
    }
    if ready.iter().next().is_some() {
        let _ = writeln!(text, "    kept ready: {}", compare_amounts(&ready, &pool.limits));
    }
    let unlimited = unlimited_resources(pool);
    if !unlimited.is_empty() {
        let _ = writeln!(text, "    without a limit: {}", unlimited.join(", "));
    }
}

fn label_row(
    pool: &PoolModel<'_>,
    label: &LabelModel,
    min_ready: i128,
) -> [String; HEADINGS.len()] {
    let fit = match label.needs.capacity(&pool.limits) {
        Some((count, key)) => format!("{count} ({key})"),
        None => "unlimited".to_owned(),
    };
    [
        label.name().to_owned(),
        label.label.node_type.as_str().to_owned(),
        list_amounts(&label.needs, ""),
        fit,
        min_ready.to_string(),
    ]
}

/// `cores 2, instances 1, ram 4Gi`.
fn list_amounts(amounts: &Amounts, none: &str) -> String {
    let shown = |(key, amount): (&str, Amount)| format!("{key} {}", amount.quantity);
    let all: Vec<_> = amounts.iter().map(shown).collect();
    if all.is_empty() { none.to_owned() } else { all.join(", ") }
}

/// `cores 4 of 8`.
fn compare_amounts(amounts: &Amounts, limits: &Amounts) -> String {
    let compare = |(key, amount): (&str, Amount)| match limits.get(key) {
        Some(limit) => format!("{key} {} of {}", amount.quantity, limit.quantity),
        None => format!("{key} {}", amount.quantity),
    };
    amounts.iter().map(compare).collect::<Vec<_>>().join(", ")
}

/// Resources that labels of the pool need but no limit applies to.
fn unlimited_resources<'p>(pool: &'p PoolModel<'_>) -> Vec<&'p str> {
    let needed = pool.labels.iter().flat_map(|label| label.needs.iter().map(|(key, _)| key));
    let unlimited: SortedSet<_> = needed.filter(|key| pool.limits.get(key).is_none()).collect();
    unlimited.into_iter().collect()
}

/// The sum of the limits of all pools, for resources that each pool limits. Values of the provider
/// are defaults of its pools, so they do not limit the sum.
fn all_limits(pools: &[PoolModel<'_>]) -> String {
    let mut total = Amounts::default();
    for pool in pools {
        total.add(&pool.limits, 1);
    }
    let is_limited = |key: &str| pools.iter().all(|pool| pool.limits.get(key).is_some());
    let all: Vec<_> = total
        .iter()
        .filter(|(key, _)| is_limited(key))
        .map(|(key, amount)| format!("{key} {}", amount.quantity))
        .collect();
    if all.is_empty() { "no limits".to_owned() } else { all.join(", ") }
}
