//! The overhead and the placement of a RuntimeClass, which the API server merges into its Pods
//! (Kubernetes' `plugin/pkg/admission/runtimeclass`).

use super::resources::{self, Amounts};
use super::{MAX_ALTERNATIVES, Request};
use crate::diag::{Diagnostic, declare_rules};
use crate::kube::{Object, ObjectSet, PodSpec};
use crate::tree::{Lookup, Node};

declare_rules! {
    OVERHEAD_MISMATCH = "overhead-mismatch", Error;
    RUNTIME_CLASS_CONFLICT = "runtime-class-conflict", Error;
}

const GROUP: &str = "node.k8s.io";
const KIND: &str = "RuntimeClass";

pub(super) fn check(request: &mut Request<'_, '_>, set: &ObjectSet<'_>) {
    let spec = request.pod.spec;
    let Some(name) = spec.get("runtimeClassName") else {
        if let Some(overhead) = spec.get("overhead") {
            report_overhead(request, overhead, None);
        }
        return;
    };
    let Some(name) = name.as_str() else { return };
    let named = set.find_all(GROUP, KIND, "", name);
    // Files can be alternatives, and one of them is enough.
    let Some(class) = named.clone().next() else { return };
    if let Some(overhead) = spec.get("overhead")
        && named.clone().nth(MAX_ALTERNATIVES).is_none()
        && named.clone().all(|it| !fits(overhead, it))
    {
        report_overhead(request, overhead, Some(class));
    }
    if let Some(class) = set.find_only(GROUP, KIND, "", name) {
        check_selector(request, class);
    }
}

/// The overhead of a Pod, which admission copies from its class.
pub(super) fn overhead<'o>(pod: &PodSpec<'o>, set: &ObjectSet<'o>) -> Amounts<'o> {
    if let Some(own) = pod.spec.get("overhead") {
        return resources::amounts(Some(own));
    }
    let Some(name) = pod.spec.str_at(&["runtimeClassName"]) else { return Amounts::new() };
    // Files can be alternatives.
    let class = set.find_only(GROUP, KIND, "", name);
    class.and_then(|it| it.root.get("overhead")).map(fixed).unwrap_or_default()
}

/// Whether admission accepts the overhead of a Pod with this class.
fn fits(overhead: &Node, class: &Object) -> bool {
    match class.root.get("overhead") {
        Some(own) => {
            let written = resources::amounts(Some(overhead));
            written.is_empty() || written == fixed(own)
        }
        None => false,
    }
}

fn fixed(overhead: &Node) -> Amounts<'_> {
    resources::amounts(overhead.get("podFixed"))
}

fn report_overhead(request: &mut Request<'_, '_>, overhead: &Node, class: Option<&Object>) {
    let message = match class {
        None => "`overhead` is set without `runtimeClassName`".to_owned(),
        Some(class) if class.root.get("overhead").is_none() => {
            format!("`overhead` is set, but RuntimeClass `{}` has none", class.name)
        }
        Some(class) => format!("`overhead` differs from that of RuntimeClass `{}`", class.name),
    };
    let mut finding = Diagnostic::new(&OVERHEAD_MISMATCH, overhead.span(), message)
        .at("only a RuntimeClass sets the overhead")
        .help("remove `overhead`: the API server copies it from the RuntimeClass");
    if let Some(class) = class {
        let place = class.root.at(&["overhead", "podFixed"]);
        finding = finding.label(place.map_or_else(|| class.name_span(), Node::span), "the class");
    }
    request.report(finding, "overhead");
}

fn check_selector(request: &mut Request<'_, '_>, class: &Object) {
    let selector = class.root.at(&["scheduling", "nodeSelector"]);
    let own = Lookup::of(request.pod.spec.get("nodeSelector"));
    for entry in selector.map_or(&[][..], Node::entries) {
        let written = own.get(&entry.key).filter(|it| !it.is_null());
        let Some(written) = written else { continue };
        let (Some(value), Some(class_value)) = (written.as_str(), entry.value.as_str()) else {
            continue;
        };
        if value == class_value {
            continue;
        }
        let key = &entry.key;
        let message =
            format!("node selector `{key}: {value}` conflicts with RuntimeClass `{}`", class.name);
        let finding = Diagnostic::new(&RUNTIME_CLASS_CONFLICT, written.span(), message)
            .at(format!("the class requires `{class_value}`"))
            .label(entry.value.span(), "required here")
            .help(format!("remove `{key}`, or write `{class_value}`"));
        request.report(finding, &format!("nodeSelector[{key}]"));
    }
}
