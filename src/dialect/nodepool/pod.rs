//! The Pod of a node: built from the fields of its label, or the author's own spec.

use super::lower::{NodeObjects, with_annotations};
use super::node_labels::{MANAGED, UNRESOLVED};
use super::node_pool::Driver;
use crate::lower::Lowering;
use crate::merge::{GUARDED_FIELD, Guard, Hold, Name, Step};
use crate::pod_security::{Level, Subject, check};
use crate::tree::{Node, Path};
use crate::workload::{PodTemplate, Recipe, Refused};

/// The restart policy. The driver sets it next to `spec`, where it is an unknown field.
const RESTART_POLICY: &str = "Never";
const IMAGE_PULL_POLICY: &str = "IfNotPresent";
const COMMAND: [&str; 2] = ["/bin/sh", "-c"];
const ARGUMENTS: &str = "while true; do sleep 30; done;";

const LOOP: &str = "Nodepool, whose loop keeps the container running for Zuul";
const USE_SPEC: &str = "remove it, or use `spec` for a Pod of your own";
static REFUSED: &[Refused] = &[
    Refused { field: "command", owner: LOOP, help: USE_SPEC },
    Refused { field: "args", owner: LOOP, help: USE_SPEC },
];

/// Adds the Pod to the output.
pub(super) fn lower(node: &NodeObjects<'_>, lowering: &mut Lowering<'_, '_>) {
    let PodTemplate { metadata, mut spec, .. } = if node.node.label.is_custom() {
        custom_pod(node, lowering)
    } else {
        built_pod(node, lowering)
    };
    let of = |field: &str| {
        let map = metadata.as_ref().and_then(|it| it.get(field)).cloned();
        map.unwrap_or_else(|| Node::map(node.node.label.managed()))
    };
    let mut annotations = of("annotations");
    annotations.set_some(UNRESOLVED, node.labels.unresolved.clone());
    if node.node.pool.driver == Driver::OpenShiftPods {
        // No other object of the node has them.
        for entry in node.annotations().entries() {
            annotations.set(entry.key.text().clone(), entry.value.clone());
        }
    }
    if spec.get("restartPolicy").is_none() {
        spec.set("restartPolicy", node.text(RESTART_POLICY));
    }
    let pod = lowering
        .object(node.frame, "v1", "Pod")
        .namespace(Some(node.name_of_namespace()))
        .name(node.node.pod_name())
        .labels(of("labels"))
        .owned_labels(node.labels.managed.clone(), "Nodepool")
        .set("spec", spec);
    with_annotations(pod, annotations).emit();
}

/// Labels and annotations of the label.
fn label_metadata(node: &NodeObjects<'_>) -> Node {
    let mut metadata = Node::map(node.node.label.managed());
    metadata.set("labels", node.labels.together());
    let annotations = node.node.label.label.annotations.as_ref();
    metadata.set_some("annotations", annotations.map(|annotations| annotations.node.clone()));
    metadata
}

/// The author's spec, unchanged. A level of the Pod Security Standards is only checked.
fn custom_pod(node: &NodeObjects<'_>, lowering: &mut Lowering<'_, '_>) -> PodTemplate {
    let label = &node.node.label.label;
    let managed = node.node.label.managed();
    let spec = label.spec.clone().map_or_else(|| Node::map(managed), |it| it.node);
    let metadata = label_metadata(node);
    let root = Path::root();
    if let Some(security) = &label.pod.security {
        let subject = Subject {
            spec: &spec,
            metadata: Some((&metadata, root.field("metadata"))),
            path: root.field("spec"),
            level: Level::Definition(Some(security.span())),
        };
        let level = security.value.into();
        let targets = lowering.targets;
        lowering.sink.per_version(targets, |target, sink| {
            check(&subject, level, target, sink);
        });
    }
    PodTemplate { metadata: Some(metadata), spec, security: label.pod.security.clone() }
}

/// A Pod with one sleeping container, which has the name of the label.
fn built_pod(node: &NodeObjects<'_>, lowering: &mut Lowering<'_, '_>) -> PodTemplate {
    let label = node.node.label;
    let managed = label.managed();
    let privileged = label.label.privileged.as_ref().map(|privileged| privileged.node().clone());
    let text = |text: &str| Node::string(text, managed);
    let mut container = Node::map(managed);
    container.set("name", label.label.name.node().clone());
    container.set("imagePullPolicy", text(IMAGE_PULL_POLICY));
    container.set("command", Node::list(COMMAND.map(text), managed));
    container.set("args", Node::list([text(ARGUMENTS)], managed));
    container.set_some("resources", label.resources.clone());
    if let Some(privileged) = &privileged {
        let mut context = Node::map(managed);
        context.set("privileged", privileged.clone());
        container.set("securityContext", context);
    }
    let mut base = Node::map(managed);
    base.set("containers", Node::list([container], managed));

    let of_privileged = [
        Step::Key(Name::Is("containers")),
        Step::Item("name", Name::Is(label.name())),
        Step::Key(Name::Is("securityContext")),
        Step::Key(Name::Is("privileged")),
    ];
    let guards = privileged.map(|privileged| Guard {
        field: &of_privileged,
        hold: Hold::Same,
        rule: &GUARDED_FIELD,
        owner: "`privileged` of the label",
        place: Some(privileged.span()),
        noun: None,
        help: "write it once, as `privileged`",
    });
    let steps = MANAGED.map(|key| [Step::Key(Name::Is("labels")), Step::Key(Name::Is(key))]);
    let metadata_guards: Vec<_> = steps.iter().map(|field| managed_label(field)).collect();
    let recipe = Recipe {
        container: label.name(),
        base: Some(base),
        metadata: Some(label_metadata(node)),
        guards: guards.as_slice(),
        metadata_guards: &metadata_guards,
        refused: REFUSED,
        ..Recipe::PLAIN
    };
    let mut fields = label.label.pod.clone();
    // The base has the same ones with the defaults of the pool.
    fields.container.resources = None;
    let merged = recipe.build(vec![fields.into()], managed, lowering.sink);
    let mut pod = merged.secure(managed, lowering.targets, lowering.sink);
    let has = |field: &str| pod.spec.get(field).is_some();
    if !has("automountServiceAccountToken") && !has("serviceAccountName") {
        pod.spec.set("automountServiceAccountToken", Node::bool(false, managed));
    }
    pod
}

fn managed_label<'g>(field: &'g [Step<'g>]) -> Guard<'g> {
    Guard {
        field,
        hold: Hold::Same,
        rule: &GUARDED_FIELD,
        owner: "Nodepool",
        place: None,
        noun: None,
        help: "use another key",
    }
}
