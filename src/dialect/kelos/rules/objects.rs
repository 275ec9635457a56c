//! Checks of all custom resources of kelos together, including manifests: their references, the
//! dependencies of Tasks, and fields that a `WorkerPool` ignores.

use super::{
    KELOS_REFERENCE_NOT_FOUND, WORKER_POOL_FIELD_IGNORED, dependencies, hand_written, manifests,
};
use crate::diag::{About, Diagnostic, ObjectName, Severity, Sink, message};
use crate::dialect::kelos::GROUP;
use crate::dialect::kelos::created::IGNORED;
use crate::dialect::kelos::facts::{FACTS, OF_POD};
use crate::kube::{Missing, NamedObject, Object, ObjectSet};
use crate::tree::Node;

/// The ServiceAccount that every namespace has.
const DEFAULT_ACCOUNT: &str = "default";

/// Checks all custom resources of kelos in a run.
pub(in crate::dialect::kelos) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    hand_written::check(set, sink);
    manifests::check(set, sink);
    let mut references = References { set, missing: Missing::new(set), sink };
    for facts in FACTS {
        for object in set.of_kind(GROUP, facts.kind) {
            facts.visit_references(&object.root, &mut |field, name| {
                references.look_up(object, field, name);
            });
        }
    }
    dependencies::of_objects(set, sink);
    for pool in set.of_kind(GROUP, "WorkerPool") {
        report_ignored(pool, sink);
    }
}

struct References<'s, 'o> {
    set: &'s ObjectSet<'o>,
    missing: Missing<'s, 'o>,
    sink: &'s mut Sink,
}

impl References<'_, '_> {
    fn look_up(&mut self, from: &Object, field: &NamedObject, node: &Node) {
        let NamedObject { group, kind, label, .. } = *field;
        let Some(name) = node.as_str() else { return };
        if name.is_empty() {
            // The schema, or the rules for the Job, report an empty name in the core group.
            if group == GROUP {
                self.sink.report(empty_name_finding(kind, node));
            }
            return;
        }
        let namespace = from.namespace.as_str();
        let is_built_in = kind == "ServiceAccount" && name == DEFAULT_ACCOUNT;
        if is_built_in
            || self.set.find(group, kind, namespace, name).is_some()
            || self.set.is_external(group, kind, namespace, name)
        {
            return;
        }
        let help = match self.missing.hint(group, kind, namespace, name) {
            Some(hint) => hint.to_help(kind, name),
            None => message!(
                "add the {kind} `{name}`, or declare it under `external` if the cluster has it"
            ),
        };
        let effect = if group == GROUP {
            "the kelos controller waits for it, without an error"
        } else if OF_POD.contains(&label) {
            "the Pod of the agent does not start without it"
        } else if label == "pulls with" {
            "the kubelet pulls the image without it"
        } else {
            "the kelos controller fails the Task without it"
        };
        let message = message!("{kind} `{name}` not found in the input");
        let mut finding = Diagnostic::new(&KELOS_REFERENCE_NOT_FOUND, node.span(), message)
            .at(message!("no such {kind} in the input"))
            .about(About::AbsentObject(ObjectName::new(group, kind, namespace, name)))
            .note(effect)
            .help(help);
        if !from.is_compiled() {
            finding.severity = Severity::Warning;
        }
        self.sink.report(finding);
    }
}

/// The finding about a reference without a name, which the schema accepts.
fn empty_name_finding(kind: &str, node: &Node) -> Diagnostic {
    let message = message!("the name of the {kind} is empty");
    Diagnostic::new(&KELOS_REFERENCE_NOT_FOUND, node.span(), message)
        .at("must not be empty")
        .note("the API server accepts it, but the kelos controller waits for it forever")
        .help(message!("write the name of the {kind}, or remove the reference"))
}

fn report_ignored(pool: &Object, sink: &mut Sink) {
    let Some(overrides) = pool.root.at(&["spec", "worker", "podOverrides"]) else { return };
    for field in IGNORED {
        let Some(entry) = overrides.entry(field) else { continue };
        sink.report(
            Diagnostic::new(
                &WORKER_POOL_FIELD_IGNORED,
                entry.key_origin().span(),
                message!("`podOverrides.{field}` has no effect on a WorkerPool"),
            )
            .at("ignored")
            .path(&format!("spec.worker.podOverrides.{field}"))
            .note("kelos only applies it to the Pods of Tasks")
            .help(message!("remove `{field}`")),
        );
    }
}
