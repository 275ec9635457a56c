//! `WarmPool`: a SandboxWarmPool, and a HorizontalPodAutoscaler if it has `autoscaling`.

use super::template::reject_abstract;
use crate::decode::{Choice, Integer, Shaped, Text, choice, definition, kubernetes_types};
use crate::diag::Reported;
use crate::lower::{Definition, Lowering};
use crate::tree::Node;

choice! {
    /// The strategy for replacing idle sandboxes when their template changes.
    pub(crate) enum UpdateStrategy {
        /// Keeps them; new ones use the new template.
        OnReplenish = "OnReplenish",
        /// Deletes and recreates all of them at once.
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
    /// Settings of the HorizontalPodAutoscaler of a pool.
    pub(crate) struct Autoscaling in "WarmPool.spec.autoscaling" {
        /// Minimum number of idle sandboxes. Defaults to 1.
        "minReplicas" optional min_replicas: Integer,
        /// Maximum number of idle sandboxes.
        "maxReplicas" required max_replicas: Integer,
        /// Metrics that determine the number of idle sandboxes.
        "metrics" optional metrics: Shaped<Metrics>,
        /// Scaling behavior in each direction.
        "behavior" optional behavior: Shaped<Behavior>,
    }
}

definition! {
    /// A pool of idle sandboxes, which are started before they are claimed.
    pub(crate) struct WarmPoolSpec in "WarmPool.spec" {
        /// Name of the Template of the sandboxes, in the same namespace.
        "template" required template: Text,
        /// Number of idle sandboxes. Defaults to 1. Omit it with `autoscaling`.
        "replicas" optional replicas: Integer,
        /// Strategy for replacing idle sandboxes when the template changes: `OnReplenish` or
        /// `Recreate`. Defaults to `OnReplenish`.
        "updateStrategy" optional update_strategy: Choice<UpdateStrategy>,
        /// Settings of a HorizontalPodAutoscaler that sets the number of idle sandboxes.
        "autoscaling" optional autoscaling: Autoscaling,
    }
}

/// Lowers a pool to a SandboxWarmPool, and a HorizontalPodAutoscaler with the same name if
/// `autoscaling` is set.
pub(super) fn lower(
    definition: Definition<WarmPoolSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, spec) = definition.open();
    let WarmPoolSpec { template, replicas, update_strategy, autoscaling } = spec;
    reject_abstract(lowering.instances, frame.namespace(), &template, lowering.sink)?;

    let mut pool = frame.map();
    pool.set_some("replicas", replicas.map(Integer::into_node));
    pool.set("sandboxTemplateRef", frame.map_of("name", template.into_node()));
    let strategy = update_strategy.map(Choice::into_node);
    pool.set_some("updateStrategy", strategy.map(|strategy| frame.map_of("type", strategy)));
    lowering.emit(&frame, "extensions.agents.x-k8s.io/v1beta1", "SandboxWarmPool", pool);

    let Some(Autoscaling { min_replicas, max_replicas, metrics, behavior }) = autoscaling else {
        return Ok(());
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
    Ok(())
}
