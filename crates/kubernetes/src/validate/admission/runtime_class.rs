//! The overhead and the placement of a RuntimeClass, which the API server merges into its Pods
//! (Kubernetes' `plugin/pkg/admission/runtimeclass`).

use std::borrow::Cow;

use super::resources::{self, Amounts};
use super::{MAX_ALTERNATIVES, Request};
use crate::diag::{Diagnostic, brief, declare_rules, message};
use crate::kube::{Object, ObjectSet, PodSpec};
use crate::sorted::SortedMap;
use crate::tree::{Entry, Node};
use crate::validate::fields::entries;

declare_rules! {
    OVERHEAD_MISMATCH = "overhead-mismatch", Error;
    RUNTIME_CLASS_CONFLICT = "runtime-class-conflict", Error;
}

const GROUP: &str = "node.k8s.io";
const KIND: &str = "RuntimeClass";

/// The RuntimeClasses of the input, by name.
pub(super) struct Classes<'o>(SortedMap<&'o str, Vec<Class<'o>>>);

struct Class<'o> {
    object: &'o Object,
    overhead: Option<Amounts<'o>>,
    selector: SortedMap<&'o str, &'o Node>,
}

impl<'o> Class<'o> {
    fn read(object: &'o Object) -> Self {
        let written = object.root.get("overhead");
        let overhead = written.map(|overhead| resources::amounts(overhead.get("podFixed")));
        let node_selector = object.root.at(&["scheduling", "nodeSelector"]);
        let labels = node_selector.map_or(&[][..], Node::entries).iter();
        let selector = labels.map(|entry| (entry.key.as_str(), &entry.value)).collect();
        Self { object, overhead, selector }
    }

    /// Whether admission accepts the overhead of a Pod with this class.
    fn fits(&self, overhead: &Amounts<'_>) -> bool {
        self.overhead.as_ref().is_some_and(|own| overhead.is_empty() || overhead == own)
    }
}

impl<'o> Classes<'o> {
    pub(super) fn new(set: &ObjectSet<'o>) -> Self {
        let mut all = SortedMap::new();
        for object in set.of_kind(GROUP, KIND) {
            let named = || set.find_all(GROUP, KIND, "", &object.name).map(Class::read).collect();
            all.entry(object.name.as_str()).or_insert_with(named);
        }
        Self(all)
    }

    fn named(&self, name: &str) -> &[Class<'o>] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// Checks a Pod with a class, or with the overhead of one.
    pub(super) fn check(&self, request: &mut Request<'_, '_>) {
        let spec = request.pod.spec;
        let Some(name) = spec.get("runtimeClassName") else {
            if let Some(overhead) = spec.get("overhead") {
                report_overhead(request, overhead, None);
            }
            return;
        };
        let Some(name) = name.as_str() else { return };
        // Files can be alternatives, and one of them is enough.
        let named = self.named(name);
        let Some(class) = named.first() else { return };
        if let Some(overhead) = spec.get("overhead").filter(|_| named.len() <= MAX_ALTERNATIVES) {
            let written = resources::amounts(Some(overhead));
            if named.iter().all(|it| !it.fits(&written)) {
                report_overhead(request, overhead, Some(class.object));
            }
        }
        if let [only] = named {
            check_selector(request, only);
        }
    }

    /// The overhead of a Pod, which admission copies from its class.
    pub(super) fn overhead<'p>(&'p self, pod: &PodSpec<'p>) -> Cow<'p, Amounts<'p>> {
        if let Some(own) = pod.spec.get("overhead") {
            return Cow::Owned(resources::amounts(Some(own)));
        }
        // Files can be alternatives.
        let of_class = match pod.spec.str_at(&["runtimeClassName"]).map(|name| self.named(name)) {
            Some([only]) => only.overhead.as_ref(),
            _ => None,
        };
        of_class.map_or_else(|| Cow::Owned(Amounts::new()), Cow::Borrowed)
    }
}

fn report_overhead(request: &mut Request<'_, '_>, overhead: &Node, class: Option<&Object>) {
    let message = match class {
        None => "`overhead` is set without `runtimeClassName`".into(),
        Some(class) if class.root.get("overhead").is_none() => {
            message!("`overhead` is set, but RuntimeClass `{}` has none", class.shown_name())
        }
        Some(class) => {
            message!("`overhead` differs from that of RuntimeClass `{}`", class.shown_name())
        }
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

fn check_selector(request: &mut Request<'_, '_>, class: &Class<'_>) {
    let own = entries(request.pod.spec, "nodeSelector");
    for Entry { key, value: written, .. } in own {
        let Some(required) = class.selector.get(key.as_str()) else { continue };
        let (Some(value), Some(class_value)) = (written.as_str(), required.as_str()) else {
            continue;
        };
        if value == class_value {
            continue;
        }
        let name = class.object.shown_name();
        let message =
            message!("node selector `{key}: {value}` conflicts with RuntimeClass `{name}`");
        let finding = Diagnostic::new(&RUNTIME_CLASS_CONFLICT, written.span(), message)
            .at(message!("the class requires `{}`", brief(class_value)))
            .label(required.span(), "required here")
            .help(message!("remove `{key}`, or write `{}`", brief(class_value)));
        request.report(finding, &format!("nodeSelector[{key}]"));
    }
}
