//! The launcher's count: the resources of one node, the limits of a pool, and the number of nodes
//! that fit.
//!
//! Only requests count. The launcher's own keys are `instances`, `cores` and `ram`; every other key is
//! the name of a resource.

mod pod_requests;

use std::sync::Arc;

use lean_string::LeanStr;

use super::node_pool::{Driver, Maxima};
use super::settings::TenantLimits;
use super::sizes::amount;
use crate::decode::{self, Integer, Mapped};
use crate::scalar::Quantity;
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::Node;
pub(super) use pod_requests::pod_requests;

/// The number of nodes.
pub(super) const INSTANCES: &str = "instances";
/// CPU requests.
pub(super) const CORES: &str = "cores";
/// Memory requests.
pub(super) const RAM: &str = "ram";
/// Keys that are not allowed in extra resources: the launcher's own, and its default value.
pub(super) const RESERVED: [&str; 4] = [CORES, RAM, INSTANCES, "default"];

/// A quantity, and its span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    pub(super) quantity: Quantity,
    pub(super) place: Span,
}

impl Amount {
    pub(super) fn of(node: &Node) -> Option<Self> {
        Some(Self { quantity: amount(node)?, place: node.span() })
    }

    fn billionths(self) -> i128 {
        self.quantity.billionths()
    }
}

/// Quantities by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Amounts {
    by_key: SortedMap<LeanStr, Amount>,
    /// Those that apply to keys without one, which all pools of a provider share.
    defaults: Arc<SortedMap<LeanStr, Amount>>,
}

/// The launcher's key for a Kubernetes resource.
fn key_of(resource: LeanStr) -> LeanStr {
    match resource.as_str() {
        "cpu" => CORES.into(),
        "memory" => RAM.into(),
        _ => resource,
    }
}

impl Amounts {
    /// The limits of a provider that apply to each of its pools. The driver `kubernetes` never reads its
    /// `maxServers` (nodepool `driver/kubernetes/config.py`).
    pub(super) fn of_provider(maxima: &Maxima, driver: Driver) -> Self {
        let mut limits = Self::default();
        limits.set_maxima(maxima);
        if driver != Driver::Kubernetes {
            limits.set(INSTANCES, maxima.servers.as_ref().map(Integer::node));
        }
        limits
    }

    /// The limits of a pool below those of its provider.
    pub(super) fn of_pool(provider: &Arc<SortedMap<LeanStr, Amount>>, pool: &Maxima) -> Self {
        let mut limits = Self { by_key: SortedMap::new(), defaults: Arc::clone(provider) };
        limits.set_maxima(pool);
        limits.set(INSTANCES, pool.servers.as_ref().map(Integer::node));
        limits
    }

    /// The quantities as defaults of others.
    pub(super) fn into_defaults(self) -> Arc<SortedMap<LeanStr, Amount>> {
        Arc::new(self.by_key)
    }

    fn set_maxima(&mut self, maxima: &Maxima) {
        self.set(CORES, maxima.cores.as_ref().map(decode::Quantity::node));
        self.set(RAM, maxima.ram.as_ref().map(decode::Quantity::node));
        self.set_all(maxima.resources.as_ref());
    }

    /// The limits of a tenant.
    pub(super) fn of_tenant(tenant: &TenantLimits) -> Self {
        let mut limits = Self::default();
        limits.set(CORES, tenant.cores.as_ref().map(decode::Quantity::node));
        limits.set(RAM, tenant.ram.as_ref().map(decode::Quantity::node));
        limits.set_all(tenant.resources.as_ref());
        limits.set(INSTANCES, tenant.servers.as_ref().map(Integer::node));
        limits
    }

    /// The resources of one node: the node itself, the requests of its Pod, and its extra
    /// resources, which replace a request with the same name.
    pub(super) fn needs(
        name: Span,
        requests: impl IntoIterator<Item = (LeanStr, Amount)>,
        extra: Option<&Mapped<decode::Quantity>>,
    ) -> Self {
        let requests = requests.into_iter().filter(|(_, amount)| amount.billionths() != 0);
        let by_key = requests.map(|(resource, amount)| (key_of(resource), amount)).collect();
        let mut needs = Self { by_key, ..Self::default() };
        needs.set_all(extra);
        let one = Amount { quantity: Quantity::from_thousandths(1000), place: name };
        needs.by_key.insert(INSTANCES.into(), one);
        needs
    }

    fn set(&mut self, key: &str, node: Option<&Node>) {
        if let Some(amount) = node.and_then(Amount::of) {
            self.by_key.insert(key.into(), amount);
        }
    }

    fn set_all(&mut self, amounts: Option<&Mapped<decode::Quantity>>) {
        for (key, quantity) in amounts.map_or(&[][..], |it| &it.entries) {
            self.set(key, Some(quantity.node()));
        }
    }

    /// The quantities, sorted by key.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Amount)> {
        self.by_key.iter().map(|(key, amount)| (key.as_str(), *amount))
    }

    pub(super) fn get(&self, key: &str) -> Option<Amount> {
        self.by_key.get(key).or_else(|| self.defaults.get(key)).copied()
    }

    /// The keys that exceed `limits`, each with the required quantity and the limit.
    pub(super) fn above<'a>(
        &'a self,
        limits: &'a Self,
    ) -> impl Iterator<Item = (&'a str, Amount, Amount)> {
        self.iter().filter_map(|(key, need)| {
            let limit = limits.get(key)?;
            (need.billionths() > limit.billionths()).then_some((key, need, limit))
        })
    }

    /// The number of times that this fits into `limits`, and the key with the tightest limit;
    /// `None` if it is unlimited.
    pub(super) fn capacity<'a>(&'a self, limits: &Self) -> Option<(i128, &'a str)> {
        let rooms = self.iter().filter_map(|(key, need)| {
            let limit = limits.get(key)?.billionths();
            let need = need.billionths();
            (need > 0).then(|| (limit.max(0) / need, key))
        });
        rooms.min_by_key(|(room, _)| *room)
    }

    /// Adds `other` `count` times.
    pub(super) fn add(&mut self, other: &Self, count: i128) {
        for (key, amount) in other.iter() {
            let more = amount.billionths().saturating_mul(count);
            let none = Amount { quantity: amount.quantity.plus(-amount.billionths()), ..amount };
            let own = self.by_key.get(key).copied().unwrap_or(none);
            self.by_key.insert(key.into(), Amount { quantity: own.quantity.plus(more), ..own });
        }
    }
}
