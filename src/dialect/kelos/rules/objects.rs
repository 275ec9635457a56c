//! Checks of all custom resources of kelos together, including manifests: their references, and
//! fields that a `WorkerPool` ignores.

use super::{KELOS_REFERENCE_NOT_FOUND, WORKER_POOL_FIELD_IGNORED};
use crate::diag::{About, Diagnostic, ObjectName, Severity, Sink};
use crate::dialect::kelos::GROUP;
use crate::kube::{Missing, Object, ObjectSet};
use crate::tree::Node;

/// Kinds that configure the Pod of an agent, with the path of that configuration.
const OF_WORKERS: [(&str, &[&str]); 4] = [
    ("Task", &["spec"]),
    ("TaskSpawner", &["spec", "taskTemplate"]),
    ("WorkerPool", &["spec"]),
    ("Session", &["spec"]),
];
/// Fields that the controller of a `WorkerPool` ignores.
const IGNORED: [&str; 3] = ["labels", "activeDeadlineSeconds", "serviceAccountName"];

/// Checks all custom resources of kelos in a run.
pub(in crate::dialect::kelos) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    let missing = Missing::new(set);
    let mut references = References { set, missing, sink };
    for (kind, path) in OF_WORKERS {
        for object in set.of_kind(GROUP, kind) {
            let Some(owner) = object.root.at(path) else { continue };
            for node in [Some(owner), owner.get("worker")].into_iter().flatten() {
                references.of_worker(object, node);
            }
        }
    }
    for pool in set.of_kind(GROUP, "WorkerPool") {
        ignored(pool, sink);
    }
}

struct References<'s, 'o> {
    set: &'s ObjectSet<'o>,
    missing: Missing<'s, 'o>,
    sink: &'s mut Sink,
}

impl References<'_, '_> {
    fn of_worker(&mut self, object: &Object, node: &Node) {
        self.look_up(object, "Workspace", node.at(&["workspaceRef", "name"]));
        self.look_up(object, "WorkerPool", node.at(&["workerPoolRef", "name"]));
        for config in node.get("agentConfigRefs").map_or(&[][..], Node::items) {
            self.look_up(object, "AgentConfig", config.get("name"));
        }
    }

    fn look_up(&mut self, from: &Object, kind: &'static str, node: Option<&Node>) {
        let Some((node, name)) = node.and_then(|it| Some((it, it.as_str()?))) else { return };
        let namespace = from.namespace.as_str();
        let exists = self.set.find(GROUP, kind, namespace, name).is_some()
            || self.set.is_external(GROUP, kind, namespace, name);
        if name.is_empty() || exists {
            return;
        }
        let help = self.missing.hint(GROUP, kind, namespace, name).map_or_else(
            || {
                format!(
                    "add the {kind} `{name}`, or declare it under `external` if the cluster has it"
                )
            },
            |hint| hint.to_help(kind, name),
        );
        let message = format!("{kind} `{name}` not found in the input");
        let mut finding = Diagnostic::new(&KELOS_REFERENCE_NOT_FOUND, node.span(), message)
            .at(format!("no such {kind} in the input"))
            .about(About::AbsentObject(ObjectName::new(GROUP, kind, namespace, name)))
            .note("the kelos controller waits for it, without an error")
            .help(help);
        if !from.is_compiled() {
            finding.severity = Severity::Warning;
        }
        self.sink.report(finding);
    }
}

fn ignored(pool: &Object, sink: &mut Sink) {
    let Some(overrides) = pool.root.at(&["spec", "worker", "podOverrides"]) else { return };
    for field in IGNORED {
        let Some(entry) = overrides.entry(field) else { continue };
        sink.report(
            Diagnostic::new(
                &WORKER_POOL_FIELD_IGNORED,
                entry.key_origin().span(),
                format!("`podOverrides.{field}` has no effect on a WorkerPool"),
            )
            .at("ignored")
            .path(&format!("spec.worker.podOverrides.{field}"))
            .note("kelos only applies it to the Pods of Tasks")
            .help(format!("remove `{field}`")),
        );
    }
}
