//! NetworkPolicies that allow all traffic of Pods which a system isolates.

use super::{effort, selects_pod};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::kube::{
    Direction, LabelState, Object, ObjectSet, PodSpec, PolicyRules, Selects, meeting_namespace,
    open_rule, policy_governs, selects,
};
use crate::sorted::SortedMap;
use crate::tree::{Map, Node, Path};

declare_rules! {
    NETWORK_ISOLATION_LIFTED = "network-isolation-lifted", Warning, follows = [Structure];
}

/// The steps of a comparison with the labels of a generated policy.
const OF_POLICY: usize = 16;

/// Pods of which a system restricts the traffic.
enum Isolated<'o> {
    /// Those of a custom resource, by a NetworkPolicy that its controller makes.
    ByController(PodSpec<'o>),
    /// Those that a generated NetworkPolicy selects.
    ByPolicy(&'o Object),
}

impl<'o> Isolated<'o> {
    fn of(object: &'o Object) -> Option<Self> {
        if object.gvk.is("networking.k8s.io", "NetworkPolicy") {
            return object.is_compiled().then_some(Self::ByPolicy(object));
        }
        let facts = object.gvk.facts().filter(|facts| facts.network_rules.is_some())?;
        let pod = PodSpec::of(object).filter(|_| (facts.uses_network_rules)(object))?;
        Some(Self::ByController(pod))
    }

    const fn object(&self) -> &'o Object {
        match self {
            Self::ByController(pod) => pod.object,
            Self::ByPolicy(policy) => policy,
        }
    }

    /// Whether it restricts the traffic in one direction.
    fn restricts(&self, direction: Direction) -> bool {
        // Without rules, the controller makes its default policy.
        PolicyRules::of(self.object()).is_none_or(|PolicyRules { node }| {
            let is_governed =
                matches!(self, Self::ByController(_)) || policy_governs(node, direction);
            is_governed && open_rule(node, direction).is_none()
        })
    }

    /// Whether a policy certainly selects all of these Pods.
    fn is_selected_by(&self, policy: &Object) -> bool {
        let Some(selector) = policy.root.at(&["spec", "podSelector"]) else { return false };
        if is_empty(selector) {
            return true;
        }
        let answer = match self {
            Self::ByController(pod) => selects_pod(policy, selector, pod),
            Self::ByPolicy(isolating) => {
                let labels = isolating.root.at(&["spec", "podSelector", "matchLabels"]);
                let label = |key: &str| labels.and_then(|labels| labels.str_at(&[key]));
                selects(selector, |key| label(key).map_or(LabelState::Unknown, LabelState::Value))
            }
        };
        answer == Selects::Yes
    }

    fn steps(&self, policy: &Object) -> usize {
        match (self, policy.root.at(&["spec", "podSelector"])) {
            (Self::ByController(pod), Some(selector)) => effort(selector, std::iter::once(pod)),
            _ => OF_POLICY,
        }
    }
}

/// Checks the written policies of the run.
pub(super) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    let policies = set.of_kind("networking.k8s.io", "NetworkPolicy");
    let mut written = policies.filter(|policy| !policy.is_compiled()).peekable();
    if written.peek().is_none() {
        return;
    }
    let mut by_namespace: SortedMap<&str, Vec<Isolated<'_>>> = SortedMap::new();
    for object in set.all() {
        if let Some(isolated) = Isolated::of(object) {
            by_namespace.entry(meeting_namespace(&object.namespace)).or_default().push(isolated);
        }
    }
    for policy in written {
        let Some(all) = by_namespace.get(meeting_namespace(&policy.namespace)) else { continue };
        let Some(spec) = policy.root.get("spec") else { continue };
        for direction in Direction::ALL {
            let Some(rule) = open_rule(spec, direction) else { continue };
            // One that names the Pods opens their ports on purpose.
            let names_pods = !spec.get("podSelector").is_some_and(is_empty);
            if direction == Direction::Ingress && names_pods {
                continue;
            }
            if !set.fuel().spend(all.iter().map(|isolated| isolated.steps(policy)).sum()) {
                return;
            }
            let mut lifted = all.iter();
            let is_lifted = |isolated: &&Isolated<'_>| {
                isolated.restricts(direction) && isolated.is_selected_by(policy)
            };
            if let Some(isolated) = lifted.find(is_lifted) {
                sink.report(isolation_finding(policy, rule, direction, isolated.object()));
            }
        }
    }
}

/// Whether a selector selects all Pods of a namespace.
fn is_empty(selector: &Node) -> bool {
    selector.as_map().is_some_and(Map::is_empty)
}

fn isolation_finding(
    policy: &Object,
    rule: &Node,
    direction: Direction,
    isolated: &Object,
) -> Diagnostic {
    let field = direction.field();
    let message = message!(
        "{} allows all {field} of the Pods that {} isolates",
        policy.describe(),
        isolated.describe()
    );
    Diagnostic::new(&NETWORK_ISOLATION_LIFTED, rule.span(), message)
        .at(message!("allows all {field}"))
        .label(isolated.name_span(), "isolates Pods that this policy selects")
        .path(&Path::root().field("spec").field(field))
        .note("policies add up: no policy can forbid what another one allows")
        .help("select other Pods in `podSelector`, or list the allowed peers")
}
