//! `WarmPool`: a SandboxWarmPool, and a HorizontalPodAutoscaler where it scales.

use crate::decode::{Choice, Integer, Shaped, Text, choice, definition, kubernetes_types};
use crate::lower::{Definition, Lowering};
use crate::tree::Node;

choice! {
    /// What happens to waiting sandboxes when their template changes.
    pub(crate) enum UpdateStrategy {
        /// They stay; new ones are made from the new template.
        OnReplenish = "OnReplenish",
        /// They are deleted at once and made anew.
        Recreate = "Recreate",
    }
}

kubernetes_types! {
    /// `metrics` of a HorizontalPodAutoscaler.
    Metrics = "io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec"."metrics";
    /// `behavior` of a HorizontalPodAutoscaler.
    Behavior = "io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior";
}

definition! {
    /// How a pool grows and shrinks: the fields of a HorizontalPodAutoscaler.
    pub(crate) struct Autoscaling in "WarmPool.spec.autoscaling" {
        /// Fewest waiting sandboxes; 1 where nothing is said.
        "minReplicas" optional min_replicas: Integer,
        /// Most waiting sandboxes.
        "maxReplicas" required max_replicas: Integer,
        /// What is measured.
        "metrics" optional metrics: Shaped<Metrics>,
        /// How fast it may change.
        "behavior" optional behavior: Shaped<Behavior>,
    }
}

definition! {
    /// Sandboxes that are started before somebody claims them.
    pub(crate) struct WarmPoolSpec in "WarmPool.spec" {
        /// Name of the Template, in the same namespace, that the sandboxes are made from.
        "template" required template: Text,
        /// How many sandboxes wait; 1 where nothing is said. Leave it out with `autoscaling`.
        "replicas" optional replicas: Integer,
        /// What happens to waiting sandboxes when the template changes: `OnReplenish` (the default)
        /// or `Recreate`.
        "updateStrategy" optional update_strategy: Choice<UpdateStrategy>,
        /// Lets a HorizontalPodAutoscaler set the number.
        "autoscaling" optional autoscaling: Autoscaling,
    }
}

/// A SandboxWarmPool, and a HorizontalPodAutoscaler of the same name where `autoscaling` is given.
pub(super) fn lower(definition: Definition<WarmPoolSpec>, lowering: &mut Lowering<'_, '_>) {
    let (frame, spec) = definition.open();
    let WarmPoolSpec { template, replicas, update_strategy, autoscaling } = spec;

    let mut pool = frame.map();
    pool.set_some("replicas", replicas.map(Integer::into_node));
    pool.set("sandboxTemplateRef", frame.map_of("name", template.into_node()));
    let strategy = update_strategy.map(Choice::into_node);
    pool.set_some("updateStrategy", strategy.map(|it| frame.map_of("type", it)));
    lowering.emit(&frame, "extensions.agents.x-k8s.io/v1beta1", "SandboxWarmPool", pool);

    let Some(Autoscaling { min_replicas, max_replicas, metrics, behavior }) = autoscaling else {
        return;
    };
    let mut target = frame.map();
    target.set("apiVersion", frame.string("extensions.agents.x-k8s.io/v1beta1"));
    target.set("kind", frame.string("SandboxWarmPool"));
    target.set("name", frame.name());
    let mut autoscaler: Node = frame.map();
    autoscaler.set("scaleTargetRef", target);
    autoscaler.set_some("minReplicas", min_replicas.map(Integer::into_node));
    autoscaler.set("maxReplicas", max_replicas.into_node());
    autoscaler.set_some("metrics", metrics.map(|it| it.node));
    autoscaler.set_some("behavior", behavior.map(|it| it.node));
    lowering.emit(&frame, "autoscaling/v2", "HorizontalPodAutoscaler", autoscaler);
}
