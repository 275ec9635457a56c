//! The nodes that a NodePool compiles to: those of `nodes`, or one of each label.

use super::model::{LabelModel, PoolModel};
use super::node_pool::{Driver, NodeInstance, NodePoolSpec};
use crate::decode::{Integer, Text};
use crate::sorted::{CompactSort as _, SortedSet};
use crate::source::{Slice as _, Span};
use crate::tree::Node;

/// One node to compile.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedNode<'p> {
    pub(super) pool: &'p PoolModel<'p>,
    pub(super) label: &'p LabelModel,
    pub(super) id: i64,
    pub(super) request: Option<&'p Node>,
    /// The span of the author's setting for the node.
    pub(super) place: Span,
}

/// The fault of an item of `nodes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unplanned {
    /// No pool has this name.
    Pool,
    /// No pool, or not the named one, has the label.
    Label,
    /// Several pools have the label.
    Ambiguous,
}

/// The items of `nodes`, each with its node or its fault; without the list, one node of each label.
/// `request` is the default request of the nodes.
pub(super) fn planned_nodes<'p>(
    spec: &'p NodePoolSpec,
    pools: &'p [PoolModel<'p>],
    request: Option<&'p Node>,
) -> Vec<Result<PlannedNode<'p>, (&'p NodeInstance, Unplanned)>> {
    let Some(nodes) = &spec.nodes else {
        let nodes = (0..).zip(all_labels(pools)).map(|(id, (pool, label))| {
            Ok(PlannedNode { pool, label, id, request, place: label.label.name.span() })
        });
        return nodes.collect();
    };
    let labels = Labels::of(pools);
    let nodes = (0..).zip(&nodes.items).map(|(position, item)| {
        let (pool, label) = labels.find(item).map_err(|reason| (item, reason))?;
        let own = item.request.as_ref().map(|it| &it.node);
        let id = item.id.as_ref().map_or(position, Integer::as_i64);
        Ok(PlannedNode { pool, label, id, request: own.or(request), place: item.label.span() })
    });
    nodes.collect()
}

type Labelled<'p> = (&'p PoolModel<'p>, &'p LabelModel);

/// Each label with its pool.
fn all_labels<'p>(pools: &'p [PoolModel<'p>]) -> impl Iterator<Item = Labelled<'p>> {
    pools.iter().flat_map(|pool| pool.labels.iter().map(move |label| (pool, label)))
}

/// The labels of all pools, by name, because there can be as many nodes as labels.
struct Labels<'p> {
    pools: SortedSet<&'p str>,
    /// Sorted by the names of the label and the pool; of the labels with one name in a pool, the first.
    sorted: Vec<Labelled<'p>>,
}

impl<'p> Labels<'p> {
    fn of(pools: &'p [PoolModel<'p>]) -> Self {
        let mut sorted: Vec<_> = all_labels(pools).collect();
        // The order of pools and of the labels of each is kept.
        sorted.compact_sort_by_key(|(pool, label)| (label.name(), pool.name()));
        sorted.dedup_by(|(pool, label), (before, first)| {
            std::ptr::eq(*pool, *before) && label.name() == first.name()
        });
        Self { pools: pools.iter().map(PoolModel::name).collect(), sorted }
    }

    fn find(&self, item: &NodeInstance) -> Result<Labelled<'p>, Unplanned> {
        let name = item.pool.as_ref().map(Text::as_str);
        let has_pool = name.map_or(!self.pools.is_empty(), |name| self.pools.contains(name));
        if !has_pool {
            return Err(Unplanned::Pool);
        }
        match self.named(item.label.as_str(), name) {
            [] => Err(Unplanned::Label),
            [found] => Ok(*found),
            _ => Err(Unplanned::Ambiguous),
        }
    }

    /// The labels with this name, in pools with this name if there is one.
    fn named(&self, label: &str, pool: Option<&str>) -> &[Labelled<'p>] {
        let key =
            |(own_pool, own): &Labelled<'p>| (own.name(), pool.map_or("", |_| own_pool.name()));
        let name = (label, pool.unwrap_or(""));
        let start = self.sorted.partition_point(|labelled| key(labelled) < name);
        let end = self.sorted.partition_point(|labelled| key(labelled) <= name);
        self.sorted.slice(start..end)
    }
}

impl PlannedNode<'_> {
    /// The ID as the driver writes it: a sequence number of ZooKeeper.
    pub(super) fn id_text(&self) -> String {
        format!("{:010}", self.id)
    }

    /// Name of the Namespace or Project.
    pub(super) fn namespace(&self) -> String {
        match self.pool.driver {
            Driver::OpenShiftPods => self.pool.name().to_owned(),
            Driver::Kubernetes | Driver::OpenShift => {
                format!("{}-{}", self.pool.name(), self.id_text())
            }
        }
    }

    /// Name of the Pod.
    pub(super) fn pod_name(&self) -> Node {
        let name = &self.label.label.name;
        match self.pool.driver {
            Driver::OpenShiftPods => {
                let name = format!("{}-{}", name.as_str(), self.id_text());
                Node::string(name, self.label.managed())
            }
            Driver::Kubernetes | Driver::OpenShift => name.node().clone(),
        }
    }
}
