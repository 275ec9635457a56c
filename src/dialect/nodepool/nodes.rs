//! The nodes that a NodePool compiles to: those of `nodes`, or one of each label.

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
    let nodes = (0..).zip(&nodes.items).map(|(position, item)| {
        let (pool, label) = find(item, pools).map_err(|reason| (item, reason))?;
        let own = item.request.as_ref().map(|it| &it.node);
        let id = item.id.as_ref().and_then(|it| it.node().as_i64()).unwrap_or(position);
        Ok(PlannedNode { pool, label, id, request: own.or(request), place: item.label.span() })
    });
    nodes.collect()
}

fn find<'p>(
    item: &NodeInstance,
    pools: &'p [PoolModel<'p>],
) -> Result<(&'p PoolModel<'p>, &'p LabelModel), Unplanned> {
    let name = item.pool.as_ref().map(Text::as_str);
    let mut named = pools.iter().filter(|pool| name.is_none_or(|it| it == pool.name())).peekable();
    if named.peek().is_none() {
        return Err(Unplanned::Pool);
    }
    let mut found = named.filter_map(|pool| {
        let label = pool.labels.iter().find(|it| it.name() == item.label.as_str())?;
        Some((pool, label))
    });
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(Unplanned::Ambiguous),
        (Some(found), None) => Ok(found),
        (None, _) => Err(Unplanned::Label),
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
