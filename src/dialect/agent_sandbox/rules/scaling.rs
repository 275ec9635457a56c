//! Autoscalers of pools, and disruption budgets of their Pods.

use super::fleet::{Fleet, Pool};
use super::selection::{Form, PodLabels, Selectors};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::api::ControllerLine;
use crate::dialect::agent_sandbox::names::{
    AGENTS_GROUP, EXTENSIONS_GROUP, OLD_VERSION, SANDBOX, SANDBOX_WARM_POOL,
};
use crate::kube::{ByName, GroupVersionKind, Object, autoscaler};
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    METRIC_OF_IDLE_MEMBERS = "metric-of-idle-members", Warning, follows = [Structure];
    AUTOSCALING_WITHOUT_CONTROLLER = "autoscaling-without-controller", Error;
    POOL_REPLICAS_AUTOSCALED = "pool-replicas-autoscaled", Warning, follows = [DuplicateObject];
    SANDBOX_NOT_SCALABLE = "sandbox-not-scalable", Error;
    DISRUPTION_BUDGET_SHARED = "disruption-budget-shared", Warning;
}

/// The kinds that set the replicas of another object.
const SCALERS: &[(&str, &str)] =
    &[("autoscaling", "HorizontalPodAutoscaler"), ("keda.sh", "ScaledObject")];

/// Checks autoscalers and disruption budgets.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let pools = ByName::new(&fleet.pools);
    let mut reported = SortedSet::new();
    for (group, kind) in SCALERS {
        for scaler in fleet.set.of_kind(group, kind) {
            let Some(target) = Target::of(scaler) else { continue };
            check_scalable(fleet.settings.line, scaler, &target, sink);
            if !target.gvk.is(EXTENSIONS_GROUP, SANDBOX_WARM_POOL) {
                continue;
            }
            if fleet.settings.is_plain {
                report_without_controller(scaler, &target, sink);
            }
            check_metrics(scaler, &target, sink);
            let position = pools.find(&scaler.namespace, target.name);
            let pool = position.and_then(|at| fleet.pools.get(at as usize));
            if let Some(pool) = pool.filter(|pool| reported.insert(object_key(pool.object))) {
                check_replicas(pool, scaler, &target, sink);
            }
        }
    }
    check_budgets(fleet, sink);
}

fn report_without_controller(scaler: &Object, target: &Target<'_>, sink: &mut Sink) {
    let message = message!("{} cannot scale a pool of plain Pods", scaler.describe());
    let finding = Diagnostic::new(&AUTOSCALING_WITHOUT_CONTROLLER, target.name_at, message)
        .at("has no controller to scale it")
        .path(&"spec.scaleTargetRef")
        .note(
            "with the target `pods` the members of a pool are compiled, and their number is fixed",
        )
        .help("set `replicas` instead, or use the target `resources`");
    sink.report(finding);
}

/// Reports an autoscaler that scales a pool only by the use of its members, which are idle: their
/// label for the pool is removed when a claim takes them.
fn check_metrics(scaler: &Object, target: &Target<'_>, sink: &mut Sink) {
    let Some(spec) = scaler.root.get("spec") else { return };
    if !scaler.gvk.is("autoscaling", "HorizontalPodAutoscaler") {
        return;
    }
    let metrics = spec.get("metrics").map_or(&[][..], Node::items);
    let source = |node: &Node| match node.str_at(&["type"]) {
        Some("Resource") => node.at(&["resource", "name"]).map(Node::span),
        Some("ContainerResource") => node.at(&["containerResource", "name"]).map(Node::span),
        _ => None,
    };
    // Without metrics, the API server adds one of `cpu`.
    let at = match metrics.first() {
        _ if autoscaler::annotated(&scaler.root).next().is_some() => return,
        Some(first) if metrics.iter().all(|metric| source(metric).is_some()) => source(first),
        Some(_) => return,
        None => spec.get("targetCPUUtilizationPercentage").map(Node::span),
    };
    let message = message!("{} does not react to claims", scaler.describe());
    let finding =
        Diagnostic::new(&METRIC_OF_IDLE_MEMBERS, at.unwrap_or(target.name_at), message)
            .at("only measures idle sandboxes")
            .path(&"spec.metrics")
            .note("a claimed sandbox leaves the pool: the metric stays low, and the pool shrinks to `minReplicas`")
            .help("use a metric of type `External` or `Object` that counts claims");
    sink.report(finding);
}

fn object_key(object: &Object) -> (&str, &str) {
    (object.namespace.as_str(), object.name.as_str())
}

/// The target of an autoscaler.
struct Target<'o> {
    gvk: GroupVersionKind,
    name: &'o str,
    kind_at: Span,
    name_at: Span,
}

impl<'o> Target<'o> {
    fn of(scaler: &'o Object) -> Option<Self> {
        let target = scaler.root.at(&["spec", "scaleTargetRef"])?;
        let (kind, name) = (target.get("kind")?, target.get("name")?);
        let api_version = target.str_at(&["apiVersion"])?;
        Some(Self {
            gvk: GroupVersionKind::new(api_version, kind.as_str()?),
            name: name.as_str()?,
            kind_at: kind.span(),
            name_at: name.span(),
        })
    }
}

fn check_scalable(line: ControllerLine, scaler: &Object, target: &Target<'_>, sink: &mut Sink) {
    let GroupVersionKind { group, version, kind, .. } = &target.gvk;
    let is_ours = group == AGENTS_GROUP || group == EXTENSIONS_GROUP;
    // In v1alpha1 a Sandbox could be scaled between 0 and 1.
    let is_old = kind == SANDBOX && version == OLD_VERSION;
    if !is_ours || kind == SANDBOX_WARM_POOL || is_old && line < ControllerLine::V1_0 {
        return;
    }
    let message = message!("{} scales a {kind}, which cannot be scaled", scaler.describe());
    let help = if kind == SANDBOX {
        "stop and start a Sandbox with `operatingMode`; scale a SandboxWarmPool"
    } else {
        "scale a SandboxWarmPool"
    };
    let finding = Diagnostic::new(&SANDBOX_NOT_SCALABLE, target.kind_at, message)
        .at("has no `scale` subresource")
        .path(&"spec.scaleTargetRef.kind")
        .note("the autoscaler keeps reporting that it cannot get the scale of its target")
        .note_if(is_old.then_some("agent-sandbox 1.0 removed `v1alpha1`, which had it"))
        .help(help);
    sink.report(finding);
}

fn check_replicas(pool: &Pool<'_>, scaler: &Object, target: &Target<'_>, sink: &mut Sink) {
    let spec = pool.object.root.get("spec");
    let Some(replicas) = spec.and_then(|spec| spec.entry("replicas")) else { return };
    let message = message!(
        "{} has fixed `replicas`, but {} also sets them",
        pool.object.describe(),
        scaler.describe()
    );
    let finding = Diagnostic::new(&POOL_REPLICAS_AUTOSCALED, replicas.key_origin().span(), message)
        .at("reset on every apply")
        .label(target.name_at, "scales the pool")
        .path(&"spec.replicas")
        .note("each `kubectl apply` resets the pool to this size until the autoscaler acts")
        .help(
            "remove `replicas`, of an applied pool first with `kubectl apply edit-last-applied`: otherwise, the next \
             `kubectl apply` sets 1, unless it is `--server-side`",
        );
    sink.report(finding);
}

fn check_budgets(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let domains = &fleet.settings.allowed_label_domains;
    let all = fleet.set.of_kind("policy", "PodDisruptionBudget");
    let effective =
        all.filter(|budget| min_available(budget).is_some()).map(|budget| (budget, budget));
    let budgets =
        Selectors::new(fleet.set.fuel(), effective, &["spec", "selector"], Form::Selector, domains);
    let mut claims = vec![0_i64; fleet.templates.len()];
    for pool in fleet.claims.iter().filter_map(|claim| fleet.pool_of(claim)) {
        if let Some(count) = pool.template.and_then(|at| claims.get_mut(at as usize)) {
            *count = count.saturating_add(1);
        }
    }
    let mut reported = SortedSet::new();
    for (template, claims) in fleet.templates.iter().zip(claims) {
        let members = fleet.pools_of(template).map(|pool| pool.replicas.max(0));
        let pods = members.fold(claims, i64::saturating_add);
        let labels = PodLabels::of_template(template.object, domains);
        for budget in budgets.of(&labels).certain {
            let Some((minimum, at)) = min_available(budget) else { continue };
            if minimum >= pods || !reported.insert(object_key(budget)) {
                continue;
            }
            let message = message!(
                "{} protects {minimum} of {pods} sandboxes from eviction",
                budget.describe()
            );
            let finding = Diagnostic::new(&DISRUPTION_BUDGET_SHARED, at, message)
                .at("counts all selected Pods together")
                .label(template.object.name_span(), "selects its Pods")
                .path(&"spec.minAvailable")
                .note("sandboxes are not interchangeable: an evicted one is lost to its user")
                .help("replace `minAvailable` with `maxUnavailable: 0`");
            sink.report(finding);
        }
    }
}

/// `minAvailable` and its span, if it is a number above 0.
fn min_available(budget: &Object) -> Option<(i64, Span)> {
    let node = budget.root.at(&["spec", "minAvailable"])?;
    node.as_i64().filter(|number| *number > 0).map(|number| (number, node.span()))
}
