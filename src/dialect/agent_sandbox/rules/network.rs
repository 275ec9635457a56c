//! Network access to and from sandboxes.

mod coverage;
mod custom_policy;
mod default_policy;
mod egress;
mod input_policy;
mod reach;
mod router;

use super::blueprint::running_containers;
use super::fleet::{Fleet, Template};
use super::selection::{Form, PodLabels, Selecting, Selectors};
use super::wording::field_of;
use crate::diag::Sink;
use crate::kube::{Container, Direction, Object, PodSpec};
use crate::sorted::SortedSet;
use crate::tree::{Entry, Node, items};
pub(super) use coverage::RULES as COVERAGE_RULES;
pub(super) use custom_policy::RULES as CUSTOM_POLICY_RULES;
pub(super) use default_policy::RULES as DEFAULT_POLICY_RULES;
pub(super) use egress::RULES as EGRESS_RULES;
use input_policy::{Effect, InputPolicy};
use reach::Router;

/// Checks templates, Sandboxes and the NetworkPolicies in their namespaces.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let network = Network::new(fleet);
    let mut reported = coverage::Reported::new();
    for template in &fleet.templates {
        let Some(subject) = Subject::new(&network, template) else { continue };
        match subject.policy {
            Policy::Default => default_policy::check(&subject, sink),
            Policy::Custom(entry) => custom_policy::check(&subject, entry, sink),
            Policy::Unmanaged(_) => {}
        }
        coverage::check_template(&subject, sink);
        coverage::check_policies(&subject, &mut reported, sink);
    }
    default_policy::check_routers(&network, sink);
    coverage::check_sandboxes(&network, sink);
}

/// The facts that all checks of a run share.
struct Network<'f, 's, 'o> {
    fleet: &'f Fleet<'s, 'o>,
    /// The NetworkPolicies of the input.
    policies: Selectors<'o, InputPolicy<'o>>,
    /// The Services of the input.
    services: Selectors<'o>,
    /// The workloads of the input that run the router.
    routers: Vec<Router<'o>>,
    /// Their namespaces.
    router_namespaces: SortedSet<&'o str>,
    /// Namespaces with a policy of another system, such as Cilium; empty for the whole cluster.
    /// Findings are suppressed where such a policy may apply.
    foreign: SortedSet<&'o str>,
}

impl<'f, 's, 'o> Network<'f, 's, 'o> {
    fn new(fleet: &'f Fleet<'s, 'o>) -> Self {
        let domains = &fleet.settings.allowed_label_domains;
        let policies = fleet.set.of_kind("networking.k8s.io", "NetworkPolicy");
        let policies = policies.map(|policy| (InputPolicy::new(policy), policy));
        let services = fleet.set.of_kind("", "Service").map(|service| (service, service));
        let fuel = fleet.set.fuel();
        let selector_of_policy = &["spec", "podSelector"];
        let is_foreign = |object: &&Object| {
            object.gvk.kind.ends_with("NetworkPolicy") && object.gvk.group != "networking.k8s.io"
        };
        let foreign = fleet.set.all().iter().filter(is_foreign);
        let routers = reach::find_routers(fleet.set);
        Self {
            fleet,
            policies: Selectors::new(fuel, policies, selector_of_policy, Form::Selector, domains),
            services: Selectors::new(fuel, services, &["spec", "selector"], Form::Map, domains),
            router_namespaces: routers.iter().map(|it| it.object.namespace.as_str()).collect(),
            routers,
            foreign: foreign.map(|object| object.namespace.as_str()).collect(),
        }
    }

    /// Whether a router of the input runs in a namespace.
    fn has_router(&self, namespace: &str) -> bool {
        self.router_namespaces.contains(namespace)
    }

    /// Whether an unknown policy may apply in a namespace: one of another system, or one in an
    /// invalid document.
    fn may_have_other_policy(&self, namespace: &str) -> bool {
        self.has_foreign_policy(namespace) || self.fleet.set.has_hidden()
    }

    /// Whether a policy of another system may apply in a namespace.
    fn has_foreign_policy(&self, namespace: &str) -> bool {
        self.foreign.contains("") || self.foreign.contains(namespace)
    }
}

/// The NetworkPolicy of a template.
#[derive(Clone, Copy)]
enum Policy<'o> {
    /// The controller's own NetworkPolicy.
    Default,
    /// The template's `networkPolicy`.
    Custom(&'o Entry),
    /// None, for the value of `networkPolicyManagement`.
    Unmanaged(&'o Node),
}

/// A template with the policies and Services that select its Pods.
struct Subject<'n, 'f, 's, 'o> {
    network: &'n Network<'f, 's, 'o>,
    template: &'f Template<'o>,
    pod: PodSpec<'o>,
    spec: &'o Node,
    policy: Policy<'o>,
    labels: PodLabels<'o>,
    /// The NetworkPolicies of the input that select its Pods.
    selecting: Selecting<InputPolicy<'o>>,
}

impl<'n, 'f, 's: 'o, 'o> Subject<'n, 'f, 's, 'o> {
    fn new(network: &'n Network<'f, 's, 'o>, template: &'f Template<'o>) -> Option<Self> {
        let pod = PodSpec::of(template.object)?;
        let spec = template.object.root.get("spec")?;
        let management = spec.get("networkPolicyManagement");
        let policy = match (management.and_then(Node::as_str), spec.entry("networkPolicy")) {
            (Some("Unmanaged"), _) => Policy::Unmanaged(management?),
            (None | Some("" | "Managed"), None) => Policy::Default,
            (None | Some("" | "Managed"), Some(entry)) => {
                entry.value.as_map()?;
                Policy::Custom(entry)
            }
            // The schema rejects other values.
            (Some(_), _) => return None,
        };
        let domains = &network.fleet.settings.allowed_label_domains;
        let labels = PodLabels::of_template(template.object, domains);
        let selecting = network.policies.of(&labels);
        Some(Self { network, template, pod, spec, policy, labels, selecting })
    }

    /// The name that the author uses for a field of the template.
    fn field(&self, field: &'static str) -> &'static str {
        field_of(self.template.object, field)
    }

    fn name(&self) -> String {
        self.template.object.describe()
    }

    /// Whether a policy in addition to the template's own may allow more in this direction.
    fn is_widened(&self, direction: Direction) -> bool {
        self.has_other(|policy| policy.effect(direction) == Effect::Allows)
    }

    /// Whether a policy in addition to the template's own may allow DNS.
    fn has_open_dns(&self) -> bool {
        self.has_other(|policy| policy.opens_dns)
    }

    /// Whether the Pods may be selected by such a policy, or by an unknown one.
    fn has_other(&self, is_such: impl FnMut(&InputPolicy<'_>) -> bool) -> bool {
        let namespace = self.template.object.namespace.as_str();
        self.selecting.is_open
            || self.selecting.certain.iter().any(is_such)
            || self.network.has_foreign_policy(namespace)
    }

    /// The containers that can serve ports: regular ones, and sidecars.
    fn running(&self) -> impl Iterator<Item = Container<'o>> + use<'o> {
        running_containers(&self.pod)
    }

    /// The first container with ports, and its `ports`.
    fn ports(&self) -> Option<(Container<'o>, &'o Entry)> {
        self.running().find_map(|container| {
            let ports = container.node.entry("ports")?;
            (!ports.value.items().is_empty()).then_some((container, ports))
        })
    }

    fn is_on_host(&self) -> bool {
        self.pod.spec.get("hostNetwork").and_then(Node::as_bool) == Some(true)
    }
}
