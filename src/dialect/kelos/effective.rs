//! The Jobs that the controller of kelos creates for Tasks.

use super::GROUP;
use super::created::job_of_task;
use super::rules::hand_written::instances;
use crate::diag::{declare_rules, message};
use crate::kube::controllers::Owner;
use crate::kube::{Object, ObjectSet};
use crate::lower::{Condition, Effects, Form};

declare_rules! {
    OBJECTS_NOT_SHOWN = "objects-not-shown", Note;
}

/// Adds the Job of each Task that the input determines, and a condition for each other resource.
pub(super) fn run(effects: &mut Effects<'_>, set: &ObjectSet<'_>) {
    // With another target, the Jobs are the output of the definitions.
    if effects.form() != Form::Steady {
        return;
    }
    // The API server does not store the others.
    let is_own = |object: &&Object| object.gvk.group == GROUP && object.has_short_name();
    let own: Vec<_> = effects.objects.iter().filter(is_own).collect();
    if own.is_empty() {
        return;
    }
    // An input that is too large is reported by the rules of the system.
    let Ok(instances) = instances(set) else { return };
    for object in own {
        let job = match object.gvk.kind.as_str() {
            "Task" => job_of_task(object, &instances),
            "TaskSpawner" => Err("events determine the names and the number of its Tasks"),
            "Session" => Err("the StatefulSet of a Session is not known"),
            "WorkerPool" => Err("the StatefulSet of a WorkerPool is not known"),
            // Workspaces and AgentConfigs are only read.
            _ => continue,
        };
        match job {
            Ok(job) => {
                let mut root = job.root;
                let api_version = object.gvk.api_version();
                if let Some(metadata) = root.get_mut("metadata") {
                    metadata.set("ownerReferences", Owner::of(object, &api_version).reference());
                }
                effects.emit(object, "batch/v1", "Job", root);
            }
            Err(reason) => effects.conditions.push(Condition {
                document: object.document,
                place: object.name_span(),
                rule: &OBJECTS_NOT_SHOWN,
                headline: message!("the objects of {} are not shown", object.title()),
                label: "not shown",
                note: reason.into(),
            }),
        }
    }
}
