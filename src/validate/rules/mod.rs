//! What the API server checks in code, beyond what its schema says. One file per family.

mod addresses;
mod autoscaler;
pub(in crate::validate) mod custom_resource_definition;
mod judging;
mod metadata;
mod network_policy;
mod of_object;
pub(in crate::validate) mod pod;
mod port;
mod qualified;
mod repeated;
mod selectors;
mod service;
mod workloads;

use crate::diag::{Rule, Sink};
use crate::kube::{Object, ObjectSet};
use crate::parallel::ordered_map;
use crate::schema::KubernetesVersion;
use of_object::ObjectJudge;

/// The rules of this module that are not those of Pods.
pub(crate) static RULES: &[&[&Rule]] = &[
    judging::RULES,
    addresses::RULES,
    metadata::RULES,
    qualified::RULES,
    selectors::RULES,
    autoscaler::RULES,
    network_policy::RULES,
    service::RULES,
];

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
    metadata::check(judge);
    let kind = &judge.object.gvk;
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Service") => service::check(judge),
        ("apps", "Deployment" | "ReplicaSet" | "StatefulSet") => workloads::check(judge),
        ("autoscaling", "HorizontalPodAutoscaler") => autoscaler::check(judge),
        ("networking.k8s.io", "NetworkPolicy")
        | ("extensions.agents.x-k8s.io", "SandboxTemplate") => network_policy::parts::check(judge),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            custom_resource_definition::check(judge);
        }
        _ => {}
    }
}
