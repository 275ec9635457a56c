//! `InputPolicy`: a NetworkPolicy of the input.

use super::items;
use super::reach::admits_dns;
use crate::kube::{Direction, Object, policy_governs};

/// A NetworkPolicy of the input, with the facts that are read for each template that it selects.
#[derive(Clone, Copy)]
pub(super) struct InputPolicy<'o> {
    /// The object.
    pub(super) object: &'o Object,
    /// Whether its egress rules may allow DNS.
    pub(super) opens_dns: bool,
    ingress: Effect,
    egress: Effect,
}

/// The effect of a policy on the traffic in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// It does not apply to the direction.
    None,
    /// It applies, and no rule allows anything.
    Denies,
    /// It applies, with rules.
    Allows,
}

impl<'o> InputPolicy<'o> {
    /// Reads a NetworkPolicy.
    pub(super) fn new(object: &'o Object) -> Self {
        let spec = object.root.get("spec");
        let effect = |direction: Direction| match spec {
            Some(spec) if policy_governs(spec, direction) => {
                let is_empty = items(spec, direction.field()).is_empty();
                if is_empty { Effect::Denies } else { Effect::Allows }
            }
            _ => Effect::None,
        };
        let (ingress, egress) = (effect(Direction::Ingress), effect(Direction::Egress));
        Self { object, opens_dns: spec.is_some_and(admits_dns), ingress, egress }
    }

    /// Its effect on a direction.
    pub(super) const fn effect(&self, direction: Direction) -> Effect {
        match direction {
            Direction::Ingress => self.ingress,
            Direction::Egress => self.egress,
        }
    }
}
