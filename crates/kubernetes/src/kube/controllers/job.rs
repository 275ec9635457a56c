//! The Pods of a Job, and the Jobs of a CronJob.

use super::{Owner, Pod};
use crate::kube::{LONGEST_PREFIX, Object};
use crate::tree::{Map, Node, Value};

const INDEX: &str = "batch.kubernetes.io/job-completion-index";
const INDEX_VARIABLE: &str = "JOB_COMPLETION_INDEX";
const TRACKING: &str = "batch.kubernetes.io/job-tracking";

/// The Pod with a number of a Job with a `spec`, and the prefix of its generated name.
pub fn pod(owner: Owner<'_>, spec: &Map, number: usize) -> (Pod, String) {
    let mut pod = Pod::of(spec.get("template"), owner);
    if spec.get("manualSelector").and_then(Node::as_bool) != Some(true) {
        add_labels(&mut pod, owner);
    }
    let finalizers = pod.finalizers.take().map(Node::into_items).unwrap_or_default();
    let finalizers = finalizers.into_iter().chain([owner.text(TRACKING)]);
    pod.finalizers = Some(Node::list(finalizers, owner.origin()));
    let is_indexed = spec.get("completionMode").and_then(Node::as_str) == Some("Indexed");
    let prefix = if is_indexed {
        add_index(&mut pod, number, owner);
        indexed_prefix(owner.name, number)
    } else {
        format!("{}-", owner.name)
    };
    (pod, prefix)
}

/// Adds the labels that the Job selects its Pods by, with and without their domain.
fn add_labels(pod: &mut Pod, owner: Owner<'_>) {
    let whole = format!("placeholder-uid-of-job-{}", owner.name);
    let (cut, _) = whole.split_at(whole.floor_char_boundary(63));
    let uid = cut.trim_end_matches(['-', '.', '_']);
    for prefix in ["batch.kubernetes.io/", ""] {
        pod.label(&format!("{prefix}controller-uid"), uid, owner);
        pod.label(&format!("{prefix}job-name"), owner.name, owner);
    }
}

fn indexed_prefix(name: &str, number: usize) -> String {
    let end = format!("-{number}-");
    let longest = LONGEST_PREFIX.saturating_sub(end.len());
    let (cut, _) = name.split_at(name.floor_char_boundary(longest));
    format!("{cut}{end}")
}

/// Adds the fields that an Indexed Job sets in the Pod of an index.
fn add_index(pod: &mut Pod, number: usize, owner: Owner<'_>) {
    let index = number.to_string();
    pod.label(INDEX, &index, owner);
    pod.annotate(INDEX, &index, owner);
    pod.spec.set("hostname", owner.text(&format!("{}-{index}", owner.name)));
    let Some(map) = pod.spec.as_map_mut() else { return };
    for list in ["initContainers", "containers"] {
        let Some(Value::List(containers)) = map.get_mut(list).map(|it| &mut it.value) else {
            continue;
        };
        for container in containers {
            let env = container.items_at(&["env"]).to_vec();
            if env.iter().any(|variable| variable.str_at(&["name"]) == Some(INDEX_VARIABLE)) {
                continue;
            }
            let path = owner.text(&format!("metadata.labels['{INDEX}']"));
            let source = owner.map([("fieldRef", owner.map([("fieldPath", path)]))]);
            let variable = owner.map([("name", owner.text(INDEX_VARIABLE)), ("valueFrom", source)]);
            container.set("env", Node::list(env.into_iter().chain([variable]), owner.origin()));
        }
    }
}

/// The next Job of a CronJob. In a cluster, its name ends in the scheduled time in minutes since
/// 1970.
pub fn scheduled(cron: &Object) -> Node {
    let owner = Owner::of(cron, "batch/v1");
    let template = cron.root.at(&["spec", "jobTemplate"]);
    let own = |key: &str| template.and_then(|it| it.at(&["metadata", key])).cloned();
    let name = format!("{}-xxxxxxxx", cron.name);
    let (mut root, mut metadata) = owner.head("batch/v1", "Job", Some(&name));
    metadata.set_some("labels", own("labels"));
    let mut annotations = own("annotations").unwrap_or_else(|| Node::map(owner.origin()));
    let time = "batch.kubernetes.io/cronjob-scheduled-timestamp";
    annotations.set(time, owner.text("placeholder"));
    metadata.set("annotations", annotations);
    metadata.set("ownerReferences", owner.reference());
    root.set("metadata", metadata);
    root.set_some("spec", template.and_then(|it| it.get("spec")).cloned());
    root
}
