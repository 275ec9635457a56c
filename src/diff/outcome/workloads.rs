//! Workloads: whether their Pods restart.

use crate::kube::Object;
use crate::lower::{Changed, Effect, Outcome};
use crate::tree::Node;

const TEMPLATE: &[&str] = &["spec", "template"];
const REPLICAS: &[&str] = &["spec", "replicas"];

pub(super) fn outcome(changed: &Changed<'_>) -> Option<Outcome> {
    let gvk = &changed.new.gvk;
    match (gvk.group(), gvk.kind()) {
        ("apps", "Deployment") => Some(deployment(changed)),
        ("apps", "StatefulSet") => Some(stateful_set(changed)),
        ("apps", "DaemonSet") => Some(daemon_set(changed)),
        ("apps", "ReplicaSet") | ("", "ReplicationController") => Some(replica_set(changed)),
        ("batch", "Job") => Some(job(changed)),
        ("batch", "CronJob") => Some(cron_job(changed)),
        ("", "Pod") => Some(pod(changed)),
        _ => None,
    }
}

fn deployment(changed: &Changed<'_>) -> Outcome {
    let root = &changed.new.root;
    if !changed.touches(TEMPLATE) {
        return without_restart(changed);
    }
    if root.at(&["spec", "paused"]).and_then(Node::as_bool) == Some(true) {
        let outcome = Outcome::new(
            Effect::Waits,
            "the Deployment is paused: its Pods restart once it is resumed",
        );
        return outcome.run_some(changed.new.command("rollout resume", ""));
    }
    let text = if root.str_at(&["spec", "strategy", "type"]) == Some("Recreate") {
        "Pods restart: all stop before new ones start (strategy `Recreate`)"
    } else {
        "Pods restart: the Pod template changed"
    };
    Outcome::new(Effect::Restarts, text)
}

fn stateful_set(changed: &Changed<'_>) -> Outcome {
    if !changed.touches(TEMPLATE) {
        return without_restart(changed);
    }
    let strategy = changed.new.root.at(&["spec", "updateStrategy"]);
    if strategy.and_then(|it| it.str_at(&["type"])) == Some("OnDelete") {
        return on_delete(changed);
    }
    let partition = strategy.and_then(|it| it.at(&["rollingUpdate", "partition"]));
    match partition.and_then(Node::as_i64).filter(|it| *it > 0) {
        Some(first) => Outcome::new(
            Effect::Restarts,
            format!(
                "Pods from ordinal {first} restart, one by one; lower ones keep the old template"
            ),
        ),
        None => {
            Outcome::new(Effect::Restarts, "Pods restart, one by one: the Pod template changed")
        }
    }
}

fn daemon_set(changed: &Changed<'_>) -> Outcome {
    if !changed.touches(TEMPLATE) {
        return without_restart(changed);
    }
    if changed.new.root.str_at(&["spec", "updateStrategy", "type"]) == Some("OnDelete") {
        return on_delete(changed);
    }
    Outcome::new(Effect::Restarts, "Pods restart on each node: the Pod template changed")
}

/// The strategy `OnDelete`: a person deletes Pods.
fn on_delete(changed: &Changed<'_>) -> Outcome {
    let outcome = Outcome::new(
        Effect::Waits,
        "Pods keep the old template until they are deleted (strategy `OnDelete`)",
    );
    outcome.run_some(delete_pods(changed.new))
}

/// The command that deletes the Pods of a workload, if its selector consists of labels.
fn delete_pods(object: &Object) -> Option<String> {
    let labels = object.root.at(&["spec", "selector", "matchLabels"])?;
    if object.root.at(&["spec", "selector", "matchExpressions"]).is_some() {
        return None;
    }
    object.command("delete", "")?;
    let pair = |it: &crate::tree::Entry| Some(format!("{}={}", it.key(), it.value().as_str()?));
    let pairs: Option<Vec<_>> = labels.entries().iter().map(pair).collect();
    let selector = pairs?.join(",");
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '=' | ',');
    (!selector.is_empty() && selector.chars().all(is_plain))
        .then(|| format!("kubectl delete pods -l {selector}{}", object.namespace_flag()))
}

fn replica_set(changed: &Changed<'_>) -> Outcome {
    if changed.touches(TEMPLATE) {
        let text = "only new Pods have the new template; those that run keep the old one";
        return Outcome::new(Effect::Later, text);
    }
    without_restart(changed)
}

fn job(changed: &Changed<'_>) -> Outcome {
    if changed.is_within(&[&["metadata"]]) {
        return Outcome::new(Effect::Nothing, "no Pod restarts");
    }
    Outcome::new(Effect::AtOnce, "acts on the running Job at once")
}

fn cron_job(changed: &Changed<'_>) -> Outcome {
    if changed.touches(&["spec", "jobTemplate"]) {
        return Outcome::new(
            Effect::Later,
            "the next Job uses it; running Jobs keep the old template",
        );
    }
    if changed.is_within(&[&["metadata"]]) {
        return Outcome::new(Effect::Nothing, "no Job starts or stops");
    }
    Outcome::new(Effect::AtOnce, "acts at once on the next schedule; running Jobs continue")
}

fn pod(changed: &Changed<'_>) -> Outcome {
    if changed.paths.iter().any(|it| it.last_field() == Some("image")) {
        return Outcome::new(Effect::Restarts, "containers with another image restart in place");
    }
    Outcome::new(Effect::AtOnce, "acts at once; no container restarts")
}

/// A change outside of the Pod template.
fn without_restart(changed: &Changed<'_>) -> Outcome {
    if changed.touches(REPLICAS) {
        let count = |it: &Object| it.root.at(REPLICAS).and_then(Node::as_i64).unwrap_or(1);
        let (old, new) = (count(changed.old), count(changed.new));
        return Outcome::new(
            Effect::AtOnce,
            format!("scales from {old} to {new} replicas; no other Pod restarts"),
        );
    }
    if changed.is_within(&[&["metadata"]]) {
        return Outcome::new(Effect::Nothing, "no Pod restarts");
    }
    Outcome::new(Effect::AtOnce, "acts at once; no Pod restarts")
}
