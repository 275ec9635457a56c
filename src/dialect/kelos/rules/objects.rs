//! Checks of all custom resources of kelos together, including manifests: their references, the
//! dependencies of Tasks, and fields that a `WorkerPool` ignores.

use super::{
    KELOS_REFERENCE_NOT_FOUND, WORKER_POOL_FIELD_IGNORED, dependencies, hand_written, manifests,
};
use crate::diag::{About, Diagnostic, ObjectName, Severity, Sink, message};
use crate::dialect::kelos::GROUP;
use crate::dialect::kelos::created::IGNORED;
use crate::dialect::kelos::facts::{CREDENTIALS, FACTS};
use crate::kube::{Found, Missing, Object, ObjectSet, Target, Use, visit_references};
use crate::tree::Node;

/// Checks all custom resources of kelos in a run.
pub(in crate::dialect::kelos) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    hand_written::check(set, sink);
    manifests::check(set, sink);
    let mut references = References { set, missing: Missing::new(set), sink };
    for facts in FACTS {
        for object in set.of_kind(GROUP, facts.kind) {
            visit_references(object, &mut |found| references.look_up(object, &found));
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
    fn look_up(&mut self, from: &Object, found: &Found<'_, '_>) {
        let Some(target) = found.target().filter(|_| !found.is_optional()) else { return };
        let (Target { group, kind, .. }, node) = (target, found.name);
        let Some(name) = node.as_str() else { return };
        if name.is_empty() {
            // The schema, or the rules for the Job, report an empty name in the core group.
            if group == GROUP {
                self.sink.report(empty_name_finding(kind, node));
            }
            return;
        }
        let namespace = from.namespace.as_str();
        if target.is_built_in(name)
            || self.set.find(group, kind, namespace, name).is_some()
            || self.set.is_external(group, kind, namespace, name)
        {
            return;
        }
        let help = self.missing.hint(group, kind, namespace, name).map_or_else(
            || {
                message!(
                    "add the {kind} `{name}`, or declare it under `external` if the cluster has it"
                )
            },
            |hint| hint.to_help(kind, name),
        );
        let effect = match found.reference.usage {
            _ if group == GROUP => "the kelos controller waits for it, without an error",
            Use::Environment | Use::Volume | Use::Claim | Use::Pod | CREDENTIALS => {
                "the Pod of the agent does not start without it"
            }
            Use::ImagePull => "the kubelet pulls the image without it",
            _ => "the kelos controller fails the Task without it",
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
