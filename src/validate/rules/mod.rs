//! What the API server checks in code, beyond what its schema says. One file per family.

mod autoscaler;
mod judging;
mod network_policy;
mod of_object;
pub(in crate::validate) mod pod;
mod repeated;
mod selectors;
mod workloads;

use crate::diag::{Rule, Sink};
use crate::kube::{Object, ObjectSet};
use crate::parallel::ordered_map;
use crate::schema::KubernetesVersion;
use of_object::ObjectJudge;

/// The rules of this module that are not those of Pods.
pub(crate) static RULES: &[&[&Rule]] =
    &[judging::RULES, selectors::RULES, autoscaler::RULES, network_policy::RULES];

/// Checks each object by the rules of its kind.
pub(super) fn check(set: &ObjectSet<'_>, kubernetes: KubernetesVersion, sink: &mut Sink) {
    let found = ordered_map(set.all().iter().collect(), |object: &Object| {
        let mut sink = Sink::new();
        check_object(&mut ObjectJudge::new(object, kubernetes, &mut sink));
        sink
    });
    for it in found {
        sink.absorb(it);
    }
    network_policy::check(set, kubernetes, sink);
    pod::check(set, kubernetes, sink);
}

fn check_object(judge: &mut ObjectJudge<'_, '_>) {
    let kind = &judge.object.gvk;
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("apps", "Deployment" | "ReplicaSet" | "StatefulSet") => workloads::check(judge),
        ("autoscaling", "HorizontalPodAutoscaler") => autoscaler::check(judge),
        _ => {}
    }
}
