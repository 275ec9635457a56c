//! Zuul Nodepool: the objects that the launcher's drivers for Kubernetes and OpenShift create for their nodes.

mod access;
mod check;
mod copied;
mod dynamic_label;
mod import;
mod lower;
mod model;
mod moved;
mod node_label;
mod node_labels;
mod node_pool;
mod nodes;
mod openshift;
mod pod;
mod quota;
mod resource_quota;
mod settings;
mod sizes;
mod summary;

use crate::decode::Record;
use crate::lower::{Definition, Dialect, Kind, SettingsBlock, read_and};
use node_pool::NodePoolSpec;
use settings::NodepoolSettings;

/// The dialect of Nodepool.
pub(crate) static DIALECT: Dialect = Dialect {
    name: "nodepool",
    kinds: KINDS,
    rules: check::RULES,
    settings: Some(SettingsBlock::of::<NodepoolSettings>("nodepool", "Settings of Nodepool.")),
    copied: |instance, setup, _| copied::copied(instance, setup),
    check_definitions: check::check,
    summarize: summary::summarize,
    import: Some(import::IMPORT),
    kind_facts: openshift::KIND_FACTS,
    ..Dialect::EMPTY
};

static KINDS: &[Kind] = &[Kind {
    name: "NodePool",
    document: Definition::<NodePoolSpec>::DOCUMENT,
    docs: NodePoolSpec::DOCS,
    // Its definitions are checked together.
    is_referenced: true,
    can_fail: true,
    // Its objects have generated names.
    compiles_to: &[],
    declares: |_, _| Vec::new(),
    moved: moved::OF_NODE_POOL,
    lower: |instance, lowering| read_and(instance, lowering, lower::lower),
}];
