//! Disruption budgets that never allow an eviction of the Pods that they select.

use super::EVICTION_NEVER_ALLOWED;
use crate::diag::{Diagnostic, Message, Sink, message};
use crate::kube::{Object, ObjectSet, PodSpec, meeting_namespace};
use crate::sorted::SortedSet;
use crate::tree::{Node, Path};
use crate::validate::object_references::SCALED;

/// The objects that an autoscaler scales, by namespace and name: their replicas are not known.
pub(super) type Autoscaled<'o> = SortedSet<(&'o str, &'o str)>;

/// The targets of all autoscalers, of any kind.
pub(super) fn autoscaled<'o>(set: &ObjectSet<'o>) -> Autoscaled<'o> {
    let targets = set.all().iter().flat_map(|object| {
        ["scaleTargetRef", "targetRef"].into_iter().filter_map(|field| {
            let name = object.root.str_at(&["spec", field, "name"])?;
            Some((meeting_namespace(&object.namespace), name))
        })
    });
    targets.collect()
}

/// Reports a budget that allows no eviction of these Pods.
pub(super) fn check(
    budget: &Object,
    pods: &[&PodSpec<'_>],
    autoscaled: &Autoscaled<'_>,
    sink: &mut Sink,
) {
    let Some(replicas) = replicas_of_pods(pods, autoscaled).filter(|count| *count > 0) else {
        return;
    };
    let spec = budget.root.get("spec");
    let field = |name: &str| spec.and_then(|it| it.get(name));
    let (name, node, of_pods) = match (field("minAvailable"), field("maxUnavailable")) {
        (Some(node), None) if is_least(node, replicas) => {
            let of_pods = match replicas {
                1 => message!("it selects one Pod"),
                count => message!("it selects {count} Pods"),
            };
            ("minAvailable", node, of_pods)
        }
        (None, Some(node)) if is_zero(node) => {
            ("maxUnavailable", node, message!("no Pod may be unavailable"))
        }
        _ => return,
    };
    let Some(pod) = pods.first() else { return };
    let root = Path::root();
    let finding = Diagnostic::new(
        &EVICTION_NEVER_ALLOWED,
        node.span(),
        message!("{} never allows an eviction", budget.describe()),
    )
    .at(message!("`{name}` never allows one"))
    .label(pod.object.name_span(), "it selects these Pods")
    .path(&root.field("spec").field(name))
    .note(message!("{of_pods}, so `kubectl drain` of their nodes never ends"))
    .help(help_for_field(name));
    sink.report(finding);
}

fn help_for_field(field: &str) -> Message {
    match field {
        "minAvailable" => "lower `minAvailable`, add replicas, or remove the budget".into(),
        _ => "write `maxUnavailable: 1`, or remove the budget".into(),
    }
}

/// The number of Pods; `None` if it is not known.
fn replicas_of_pods(pods: &[&PodSpec<'_>], autoscaled: &Autoscaled<'_>) -> Option<i64> {
    pods.iter().try_fold(0_i64, |sum, pod| {
        let object = pod.object;
        let is_scaled = SCALED.iter().any(|(group, kind)| object.gvk.is(group, kind));
        let target = (meeting_namespace(&object.namespace), object.name.as_str());
        if !is_scaled || autoscaled.contains(&target) {
            return None;
        }
        let count = object.root.at(&["spec", "replicas"]).map_or(Some(1), Node::as_i64)?;
        sum.checked_add(count)
    })
}

/// Whether all Pods must be available.
fn is_least(node: &Node, replicas: i64) -> bool {
    match (node.as_i64(), node.as_str()) {
        (Some(number), _) => number >= replicas,
        (_, Some(text)) => {
            let percent = text.strip_suffix('%').and_then(|digits| digits.parse::<i64>().ok());
            // The controller rounds up.
            percent.is_some_and(|percent| {
                (1..=100).contains(&percent)
                    && i128::from(percent) * i128::from(replicas) > (i128::from(replicas) - 1) * 100
            })
        }
        _ => false,
    }
}

fn is_zero(node: &Node) -> bool {
    node.as_i64() == Some(0) || node.as_str() == Some("0%")
}
