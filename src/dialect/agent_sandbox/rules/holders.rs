//! `Holders`: every Sandbox whose name is known before it exists, and its volume claims.
//!
//! These are the bare Sandboxes, and the claims: a claim that cold starts gets a Sandbox of its own
//! name. Members of a pool have generated names and cannot be named in advance.

use std::collections::BTreeMap;

use super::blueprint::names;
use super::fleet::Fleet;
use crate::diag::Severity;
use crate::kube::Object;
use crate::tree::Node;

/// One Sandbox that is known by name.
pub(super) struct Holder<'o> {
    /// The Sandbox, or the claim that it is made for.
    pub(super) object: &'o Object,
    /// Whether it will exist; a claim on a pool with members may get one of those instead.
    pub(super) is_certain: bool,
    own: BTreeMap<&'o str, &'o Node>,
    template: Option<usize>,
}

/// The Sandboxes that are known by name, by namespace and name.
pub(super) struct Holders<'f, 's, 'o> {
    fleet: &'f Fleet<'s, 'o>,
    all: Vec<Holder<'o>>,
    by_name: BTreeMap<(&'o str, &'o str), usize>,
}

impl Holder<'_> {
    /// How bad it is when this Sandbox cannot come up.
    pub(super) const fn severity(&self) -> Severity {
        if self.is_certain { Severity::Error } else { Severity::Warning }
    }
}

impl<'f, 's, 'o> Holders<'f, 's, 'o> {
    /// Indexes a run.
    pub(super) fn new(fleet: &'f Fleet<'s, 'o>) -> Self {
        let own = |object: &'o Object| {
            names(object.root.at(&["spec", "volumeClaimTemplates"]), &["metadata"])
        };
        let bare = fleet.sandboxes.iter().map(|object| Holder {
            object,
            is_certain: true,
            own: own(object),
            template: None,
        });
        let claimed = fleet.claims.iter().map(|claim| Holder {
            object: claim.object,
            is_certain: fleet.is_cold(claim),
            own: own(claim.object),
            template: claim.template,
        });
        let all: Vec<_> = bare.chain(claimed).filter(|it| !it.object.name.is_empty()).collect();
        let mut by_name = BTreeMap::new();
        for (at, holder) in all.iter().enumerate() {
            let Object { namespace, name, .. } = holder.object;
            by_name.entry((namespace.as_str(), name.as_str())).or_insert(at);
        }
        Self { fleet, all, by_name }
    }

    /// All of them: the bare Sandboxes, then the claims.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Holder<'o>> {
        self.all.iter()
    }

    /// The one with this name.
    pub(super) fn get(&self, namespace: &str, name: &str) -> Option<&Holder<'o>> {
        self.by_name.get(&(namespace, name)).and_then(|at| self.all.get(*at))
    }

    /// The name node of a volume claim that a Sandbox has, its own or its template's.
    pub(super) fn volume_claim(&self, holder: &Holder<'o>, name: &str) -> Option<&'o Node> {
        let of_template =
            || self.fleet.templates.get(holder.template?)?.blueprint.volume_claims.get(name);
        holder.own.get(name).or_else(of_template).copied()
    }

    /// The volume claims of a Sandbox: name and name node, its own first.
    pub(super) fn volume_claims<'h>(
        &'h self,
        holder: &'h Holder<'o>,
    ) -> impl Iterator<Item = (&'o str, &'o Node)> + use<'h, 'f, 's, 'o> {
        let template = holder.template.and_then(|at| self.fleet.templates.get(at));
        let of_template = template.into_iter().flat_map(|it| &it.blueprint.volume_claims);
        holder.own.iter().chain(of_template).map(|(name, node)| (*name, *node))
    }
}

/// All ways to cut a name at one of its dashes: what stands before it, and behind it.
pub(super) fn cuts(name: &str) -> impl Iterator<Item = (&str, &str)> {
    name.match_indices('-').filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)))
}
