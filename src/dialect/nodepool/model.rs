//! The model of a NodePool that the other files use, with resolved defaults and counted needs and
//! limits.

use lean_string::LeanStr;

use super::node_label::{NodeLabel, NodeType};
use super::node_pool::{Driver, NodePoolSpec, Pool};
use super::quota::{Amount, Amounts, pod_requests};
use super::sizes;
use crate::diag::brief;
use crate::parallel::ordered_map;
use crate::tree::{Entry, Layer, Node, Origin};

/// A pool with its labels.
#[derive(Debug)]
pub(super) struct PoolModel<'s> {
    pub(super) pool: &'s Pool,
    pub(super) driver: Driver,
    /// `spec.pools[0]`.
    pub(super) path: String,
    pub(super) limits: Amounts,
    pub(super) labels: Vec<LabelModel>,
}

/// A label of a pool.
#[derive(Debug)]
pub(super) struct LabelModel {
    /// The author's map.
    pub(super) node: Node,
    pub(super) label: NodeLabel,
    /// `spec.pools[0].labels[1]`.
    pub(super) path: String,
    /// Requests and limits with the defaults of the pool; a custom spec has its own.
    pub(super) resources: Option<Node>,
    /// The resources of one node.
    pub(super) needs: Amounts,
    /// What the launcher counts for one node: with a `spec`, the defaults of the pool in the place of its requests.
    pub(super) counted: Amounts,
}

/// The pools of a provider.
pub(super) fn pools(spec: &NodePoolSpec) -> Vec<PoolModel<'_>> {
    let driver = spec.driver();
    let limits = Amounts::of_provider(&spec.maxima, driver).into_defaults();
    let limits = |pool: &Pool| Amounts::of_pool(&limits, &pool.maxima);
    let pools = spec.pools.items.iter().enumerate();
    let path = |index| format!("spec.pools[{index}]");
    pools.map(|(index, pool)| PoolModel::of(pool, driver, limits(pool), path(index))).collect()
}

impl<'s> PoolModel<'s> {
    fn of(pool: &'s Pool, driver: Driver, limits: Amounts, path: String) -> Self {
        let labels = ordered_map(pool.labels.items.iter().enumerate().collect(), |(index, raw)| {
            let label = raw.clone().read()?;
            Some(LabelModel::of(pool, raw.node.clone(), label, format!("{path}.labels[{index}]")))
        });
        Self { pool, driver, path, limits, labels: labels.into_iter().flatten().collect() }
    }

    pub(super) fn name(&self) -> &'s str {
        self.pool.name.as_str()
    }

    /// The name for messages.
    pub(super) fn shown_name(&self) -> &'s str {
        brief(self.name())
    }
}

impl LabelModel {
    fn of(pool: &Pool, node: Node, label: NodeLabel, path: String) -> Self {
        let managed = Origin::of_layer(Layer::Managed, label.name.span());
        let default = pool.default_resources.as_ref().map(|it| &it.node);
        let own = label.pod.container.resources.as_ref().map(|it| &it.node);
        let resources =
            if label.spec.is_some() { None } else { sizes::resolve(own, default, managed) };
        let place = label.name.span();
        let count = |requests| Amounts::needs(place, requests, label.extra_resources.as_ref());
        let (needs, counted) = if let Some(spec) = &label.spec {
            (count(pod_requests(&spec.node)), count(requests_of(default)))
        } else {
            let needs = count(requests_of(resources.as_ref()));
            (needs.clone(), needs)
        };
        Self { node, label, path, resources, needs, counted }
    }

    pub(super) fn name(&self) -> &str {
        self.label.name.as_str()
    }

    /// The name for messages.
    pub(super) fn shown_name(&self) -> &str {
        brief(self.name())
    }

    pub(super) fn node_type(&self) -> NodeType {
        self.label.node_type.value
    }

    /// Whether the Pod is the author's own spec.
    pub(super) const fn is_custom(&self) -> bool {
        self.label.spec.is_some()
    }

    /// The origin of generated nodes for the label.
    pub(super) fn managed(&self) -> Origin {
        Origin::of_layer(Layer::Managed, self.label.name.span())
    }
}

/// The requests of `resources`.
fn requests_of(resources: Option<&Node>) -> Vec<(LeanStr, Amount)> {
    let map = resources.and_then(|it| it.get("requests")).map_or(&[][..], Node::entries);
    let amount = |request: &Entry| Some((request.key.text().clone(), Amount::of(&request.value)?));
    map.iter().filter_map(amount).collect()
}
