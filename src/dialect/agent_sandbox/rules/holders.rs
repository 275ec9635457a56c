//! `Holders`: the Sandboxes whose names are known in advance, with their volume claims.
//!
//! These are the Sandboxes outside of pools, and the claims: a claim that starts cold gets a
//! Sandbox with its own name. Members of a pool have generated names.

use std::sync::OnceLock;

use super::blueprint::{volume_claim_names, volume_claim_templates};
use super::fleet::{Claim, Fleet, Template};
use super::named::Named;
use crate::diag::Severity;
use crate::kube::{ByName, Object};
use crate::scalar::SUBDOMAIN_LIMIT;
use crate::sorted::SortedMap;
use crate::tree::Node;

/// One Sandbox with a known name.
#[derive(Clone, Copy)]
pub(super) struct Holder<'h, 'o> {
    /// The Sandbox, or the claim that it is created for.
    pub(super) object: &'o Object,
    /// The claim, in its run.
    claim: Option<(&'h Fleet<'h, 'o>, &'h Claim<'o>)>,
    own: Option<&'h Named<'o, &'o Node>>,
    template: Option<&'h Template<'o>>,
}

/// The Sandboxes with known names, by namespace and name.
///
/// A position is that of a Sandbox in [`Fleet::sandboxes`] or, after these, of a claim.
pub(super) struct Holders<'f, 's, 'o> {
    fleet: &'f Fleet<'s, 'o>,
    sandboxes: ByName<'f, &'o Object>,
    /// Sorted at the first search: those of most runs have no volume claims whose names could collide.
    claims: OnceLock<ByName<'f, Claim<'o>>>,
    /// The own volume claims, by position, of the few that have some.
    own: SortedMap<usize, Named<'o, &'o Node>>,
}

impl<'h, 'o> Holder<'h, 'o> {
    /// The severity if this Sandbox cannot start. A claim on a pool with members can get one of those instead.
    pub(super) fn severity(&self) -> Severity {
        self.claim.map_or(Severity::Error, |(fleet, claim)| fleet.severity(claim))
    }

    /// The template that its Sandbox is made from.
    pub(super) fn template(&self) -> Option<&'o Object> {
        self.template.map(|it| it.object)
    }

    /// The name node of a volume claim that it has, its own or its template's.
    pub(super) fn volume_claim(&self, name: &str) -> Option<&'o Node> {
        self.lists().find_map(|list| list.get(name)).copied()
    }

    /// Its volume claims: name and name node, its own first.
    pub(super) fn volume_claims(&self) -> impl Iterator<Item = (&'o str, &'o Node)> + use<'h, 'o> {
        self.lists().flat_map(Named::iter).map(|(name, node)| (name, *node))
    }

    fn lists(&self) -> impl Iterator<Item = &'h Named<'o, &'o Node>> + use<'h, 'o> {
        let of_template = self.template.map(|template| &template.blueprint.volume_claims);
        self.own.into_iter().chain(of_template)
    }
}

impl<'f, 's, 'o> Holders<'f, 's, 'o> {
    /// Indexes a run.
    pub(super) fn new(fleet: &'f Fleet<'s, 'o>) -> Self {
        let claims = fleet.claims.iter().map(|claim| claim.object);
        let objects = fleet.sandboxes.iter().copied().chain(claims);
        let own = objects.map(|object| volume_claim_names(volume_claim_templates(object)));
        Self {
            fleet,
            sandboxes: ByName::new(&fleet.sandboxes),
            claims: OnceLock::new(),
            own: own.enumerate().filter(|(_, own)| !own.is_empty()).collect(),
        }
    }

    /// All of them: the bare Sandboxes, then the claims.
    pub(super) fn iter(&self) -> impl Iterator<Item = Holder<'_, 'o>> {
        let all = (0..self.count()).filter_map(|position| self.at(position));
        all.filter(|holder| !holder.object.name.is_empty())
    }

    /// The number of positions.
    pub(super) fn count(&self) -> usize {
        self.fleet.sandboxes.len() + self.fleet.claims.len()
    }

    /// The Sandbox or claim at a position, if it has a name.
    pub(super) fn named(&self, position: usize) -> Option<&'o Object> {
        let claim = || {
            let at = position.checked_sub(self.fleet.sandboxes.len())?;
            self.fleet.claims.get(at).map(|it| it.object)
        };
        let object = self.fleet.sandboxes.get(position).copied().or_else(claim);
        object.filter(|object| !object.name.is_empty())
    }

    /// The one with this name.
    pub(super) fn get(&self, namespace: &str, name: &str) -> Option<Holder<'_, 'o>> {
        if name.is_empty() {
            return None;
        }
        let bare = self.sandboxes.find(namespace, name).map(|at| at as usize);
        let claimed = || {
            let claims = self.claims.get_or_init(|| ByName::new(&self.fleet.claims));
            let at = claims.find(namespace, name)?;
            Some(self.fleet.sandboxes.len() + at as usize)
        };
        self.at(bare.or_else(claimed)?)
    }

    fn at(&self, position: usize) -> Option<Holder<'_, 'o>> {
        let own = self.own.get(&position);
        if let Some(object) = self.fleet.sandboxes.get(position) {
            return Some(Holder { object, claim: None, own, template: None });
        }
        let fleet = self.fleet;
        let claim = fleet.claims.get(position.checked_sub(fleet.sandboxes.len())?)?;
        let template = fleet.template_of(claim);
        Some(Holder { object: claim.object, claim: Some((fleet, claim)), own, template })
    }
}

/// All splits of a valid name at one of its dashes, into the parts before and after it.
pub(super) fn split_at_dashes(name: &str) -> impl Iterator<Item = (&str, &str)> {
    let name = if name.len() <= SUBDOMAIN_LIMIT { name } else { "" };
    name.match_indices('-').filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)))
}
