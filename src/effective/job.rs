//! The first Pods of a Job, and the next Job of a CronJob.

use crate::kube::Object;
use crate::kube::controllers::{Owner, count, job_pod, scheduled_job};
use crate::lower::Effects;
use crate::tree::{Map, Node};

/// Creates the first Pods of a Job.
pub(super) fn create(job: &Object, effects: &mut Effects<'_>) {
    let spec = Map::of(job.root.get("spec"));
    if spec.get("suspend").and_then(Node::as_bool) == Some(true) {
        return;
    }
    let owner = Owner::of(job, "batch/v1");
    let parallelism = count(spec.get("parallelism"));
    let completions = spec.get("completions").map(|value| count(Some(value)));
    let active = completions.map_or(parallelism, |it| it.min(parallelism));
    for number in 0..effects.admit(job, active, spec.get("template")) {
        if effects.over().is_some() {
            return;
        }
        let (pod, prefix) = job_pod(owner, spec, number);
        let name = effects.generated_name(&prefix, number + 1);
        let pod = pod.into_node(owner, Some(&name), Some(&prefix));
        effects.emit(job, "v1", "Pod", pod);
    }
}

/// Creates the next Job of a CronJob.
pub(super) fn create_scheduled(cron: &Object, effects: &mut Effects<'_>) {
    if cron.root.at(&["spec", "suspend"]).and_then(Node::as_bool) != Some(true) {
        effects.emit(cron, "batch/v1", "Job", scheduled_job(cron));
    }
}
