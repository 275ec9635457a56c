//! The priority of a Pod, which the API server computes from its PriorityClass (`admitPod` of
//! Kubernetes' `plugin/pkg/admission/priority`).

use super::{MAX_ALTERNATIVES, Request};
use crate::diag::{Diagnostic, brief, declare_rules, message};
use crate::kube::{Object, ObjectSet};
use crate::source::Span;
use crate::tree::Node;
use crate::validate::fields::{text_at, text_node};

declare_rules! {
    PRIORITY_MISMATCH = "priority-mismatch", Error;
}

const GROUP: &str = "scheduling.k8s.io";
const KIND: &str = "PriorityClass";
/// The preemption policy of a class without one.
const PREEMPTS: &str = "PreemptLowerPriority";

/// A class, or its absence.
struct Class<'o> {
    value: i64,
    policy: &'o str,
    /// The class in the input.
    object: Option<&'o Object>,
}

impl<'o> Class<'o> {
    fn read(object: &'o Object) -> Option<Self> {
        let value = object.root.get("value").map_or(Some(0), Node::as_i64)?;
        let policy = object.root.str_at(&["preemptionPolicy"]).unwrap_or(PREEMPTS);
        Some(Self { value, policy, object: Some(object) })
    }

    const fn built_in(value: i64) -> Self {
        Self { value, policy: PREEMPTS, object: None }
    }
}

/// The possible classes of a Pod: files can be alternatives. Empty if the class is not in the input.
fn possible_classes<'o>(
    set: &ObjectSet<'o>,
    default: Option<&'o Object>,
    name: &str,
) -> Vec<Class<'o>> {
    match name {
        "" => vec![default.and_then(Class::read).unwrap_or(Class::built_in(0))],
        "system-cluster-critical" => vec![Class::built_in(2_000_000_000)],
        "system-node-critical" => vec![Class::built_in(2_000_001_000)],
        name => {
            let named = set.find_all(GROUP, KIND, "", name);
            let is_few = named.clone().nth(MAX_ALTERNATIVES).is_none();
            named.filter(|_| is_few).filter_map(Class::read).collect()
        }
    }
}

pub(super) fn check(request: &mut Request<'_, '_>, set: &ObjectSet<'_>, default: Option<&Object>) {
    let spec = request.pod.spec;
    // A number beyond 32 bits is reported elsewhere.
    let is_valid = |number: &i64| i32::try_from(*number).is_ok();
    let priority =
        spec.get("priority").and_then(|node| Some((node, node.as_i64().filter(is_valid)?)));
    let policy = text_node(spec, "preemptionPolicy");
    if priority.is_none() && policy.is_none() {
        return;
    }
    let name = text_at(spec, &["priorityClassName"]);
    let classes = possible_classes(set, default, name);
    let Some(class) = classes.first() else { return };
    if let Some((node, value)) = priority
        && classes.iter().all(|class| class.value != value)
    {
        let written = format!("`priority: {value}`");
        report_mismatch(request, node, "priority", &written, class, &class.value.to_string());
    }
    if let Some((node, value)) = policy
        && !value.is_empty()
        && classes.iter().all(|class| class.policy != value)
    {
        let written = format!("`preemptionPolicy: {value}`");
        let computed = format!("`{}`", brief(class.policy));
        report_mismatch(request, node, "preemptionPolicy", &written, class, &computed);
    }
}

fn report_mismatch(
    request: &mut Request<'_, '_>,
    node: &Node,
    field: &str,
    written: &str,
    class: &Class<'_>,
    computed: &str,
) {
    let name = text_at(request.pod.spec, &["priorityClassName"]);
    let message = match (name, class.object) {
        ("", None) => message!("{written} is set without a PriorityClass"),
        ("", Some(class)) => {
            message!("{written} differs from the default PriorityClass `{}`", class.shown_name())
        }
        (name, _) => message!("{written} differs from PriorityClass `{name}`"),
    };
    let mut finding = Diagnostic::new(&PRIORITY_MISMATCH, node.span(), message)
        .at(message!("admission computes {computed}"))
        .help(message!("remove `{field}`: the API server sets it from the PriorityClass"));
    if let Some(place) = class.object.map(|class| place_of_field(class, field)) {
        finding = finding.label(place, "the class");
    } else if name.is_empty() {
        finding = finding.help(message!(
            "to keep it, set `priorityClassName` to a class with this `{}`",
            if field == "priority" { "value" } else { field }
        ));
    }
    request.report(finding, field);
}

/// The span of a field of a class, or of its name.
fn place_of_field(class: &Object, field: &str) -> Span {
    let field = if field == "priority" { "value" } else { field };
    class.root.get(field).map_or_else(|| class.name_span(), Node::span)
}
