//! The nodes that a NodePool compiles to: those of `nodes`, or one of each label.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{LabelModel, PoolModel};
use super::node_pool::{NodeInstance, NodePoolSpec};
use crate::decode::Text;
use crate::source::Span;
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
pub(super) fn planned<'p>(
    spec: &'p NodePoolSpec,
    pools: &'p [PoolModel<'p>],
    request: Option<&'p Node>,
) -> Vec<Result<PlannedNode<'p>, (&'p NodeInstance, Unplanned)>> {
    let Some(nodes) = &spec.nodes else {
        let labels =
            pools.iter().flat_map(|pool| pool.labels.iter().map(move |label| (pool, label)));
        let nodes = (0..).zip(labels).map(|(id, (pool, label))| {
            Ok(PlannedNode { pool, label, id, request, place: label.label.name.span() })
        });
        return nodes.collect();
    };
    let labels = Labels::of(pools);
    let nodes = (0..).zip(&nodes.items).map(|(position, item)| {
        let (pool, label) = labels.find(item).map_err(|reason| (item, reason))?;
        let own = item.request.as_ref().map(|it| &it.node);
        let id = item.id.as_ref().and_then(|it| it.node().as_i64()).unwrap_or(position);
        Ok(PlannedNode { pool, label, id, request: own.or(request), place: item.label.span() })
    });
    nodes.collect()
}

type Labelled<'p> = (&'p PoolModel<'p>, &'p LabelModel);

/// The labels of all pools, by name, because there can be as many nodes as labels.
#[derive(Default)]
struct Labels<'p> {
    pools: BTreeSet<&'p str>,
    /// The first two pools that have a label; the key is the label with and without the name of the
    /// pool.
    found: BTreeMap<(Option<&'p str>, &'p str), Vec<Labelled<'p>>>,
}

impl<'p> Labels<'p> {
    fn of(pools: &'p [PoolModel<'p>]) -> Self {
        let mut labels = Self::default();
        for pool in pools {
            labels.pools.insert(pool.name());
            let mut seen = BTreeSet::new();
            for label in pool.labels.iter().filter(|it| seen.insert(it.name())) {
                for name in [None, Some(pool.name())] {
                    let found = labels.found.entry((name, label.name())).or_default();
                    if found.len() < 2 {
                        found.push((pool, label));
                    }
                }
            }
        }
        labels
    }

    fn find(&self, item: &NodeInstance) -> Result<Labelled<'p>, Unplanned> {
        let name = item.pool.as_ref().map(Text::as_str);
        let has_pool = name.map_or(!self.pools.is_empty(), |it| self.pools.contains(it));
        if !has_pool {
            return Err(Unplanned::Pool);
        }
        match self.found.get(&(name, item.label.as_str())).map_or(&[][..], Vec::as_slice) {
            [] => Err(Unplanned::Label),
            [found] => Ok(*found),
            _ => Err(Unplanned::Ambiguous),
        }
    }
}

impl PlannedNode<'_> {
    /// The ID as the driver writes it: a sequence number of ZooKeeper.
    pub(super) fn id_text(&self) -> String {
        format!("{:010}", self.id)
    }

    /// Name of the Namespace.
    pub(super) fn namespace(&self) -> String {
        format!("{}-{}", self.pool.name(), self.id_text())
    }
}
