//! The rules for NodePools: settings that the launcher ignores, declines forever or crashes on, and
//! that the API server rejects far from their cause.

mod dynamic;
mod names;
mod options;
mod pods;
mod quota;
mod settings;

use self::quota::Tenants;
use super::import;
use super::model::{self, LabelModel, PoolModel};
use super::node_pool::NodePoolSpec;
use super::settings::{DeclaredLabel, NodepoolSettings};
use crate::decode::Text;
use crate::diag::{Diagnostic, Message, Reported, Rule, Sink};
use crate::lower::{Definition, Instances, Setup};
use crate::sorted::SortedMap;
use crate::tree::Node;

/// The rules of all files.
pub(super) static RULES: &[&[&Rule]] = &[
    dynamic::RULES,
    import::RULES,
    names::RULES,
    options::RULES,
    pods::RULES,
    quota::RULES,
    settings::RULES,
];

/// One NodePool, with the settings that its checks use.
struct Provider<'p> {
    definition: &'p Definition<NodePoolSpec>,
    pools: &'p [PoolModel<'p>],
    settings: Option<&'p NodepoolSettings>,
    /// The labels that the settings declare.
    declared: &'p SortedMap<&'p str, &'p DeclaredLabel>,
    tenants: &'p Tenants<'p>,
}

impl Provider<'_> {
    /// Name of the provider.
    fn name(&self) -> &Text {
        self.definition.spec.provider.as_ref().unwrap_or(&self.definition.metadata.name)
    }

    /// Each label with its pool.
    fn labels(&self) -> impl Iterator<Item = (&PoolModel<'_>, &LabelModel)> {
        self.pools.iter().flat_map(|pool| pool.labels.iter().map(move |label| (pool, label)))
    }
}

/// Checks all NodePools, separately and together.
pub(super) fn check(instances: &Instances<'_>, setup: &Setup, sink: &mut Sink) {
    let settings = setup.settings::<NodepoolSettings>();
    let all: Vec<_> = instances.of_kind::<NodePoolSpec>().collect();
    let pools: Vec<_> = all.iter().map(|instance| model::pools(&instance.spec)).collect();
    let declared = settings.map_or_else(SortedMap::new, NodepoolSettings::declared);
    let tenants = Tenants::of(settings);
    let provider = |(definition, pools)| {
        let (declared, tenants) = (&declared, &tenants);
        Provider { definition, pools, settings, declared, tenants }
    };
    let providers: Vec<_> = all.iter().zip(pools.iter().map(Vec::as_slice)).map(provider).collect();
    for provider in &providers {
        names::check(provider, sink);
        settings::check(provider, sink);
        options::check(provider, sink);
        dynamic::check(provider, sink);
        pods::check(provider, sink);
        quota::check(provider, sink);
    }
    names::check_together(&providers, sink);
    quota::check_together(&providers, sink);
    if let Some(settings) = settings {
        settings::check_global(settings, sink);
    }
}

/// The fault of a NodePool whose objects would have invalid names.
pub(super) fn find_name_fault(
    definition: &Definition<NodePoolSpec>,
    pools: &[PoolModel<'_>],
) -> Option<Reported> {
    // The check of all NodePools has reported the fault.
    let mut sink = Sink::unused();
    let (declared, tenants) = (&SortedMap::new(), &Tenants::default());
    let provider = Provider { definition, pools, settings: None, declared, tenants };
    names::check(&provider, &mut sink);
    sink.reported()
}

/// A finding about a value of the author.
fn finding(rule: &'static Rule, node: &Node, message: impl Into<Message>) -> Diagnostic {
    Diagnostic::new(rule, node.span(), message)
}
