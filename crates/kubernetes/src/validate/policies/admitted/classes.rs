//! What classes of the input set in new objects: the overhead and the placement of a RuntimeClass,
//! and the default StorageClass and `IngressClass`.
//!
//! Follows Kubernetes' `plugin/pkg/admission`: `runtimeclass`, `storage/storageclass/setdefault`,
//! `network/defaultingressclass`.

use serde_json::json;

use super::Conversion;
use super::encoding::quantity;
use super::plugins::push;
use crate::kube::{Object, ObjectSet, is_default_class};
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Node, items};

/// The classes of the input.
pub(super) struct Classes<'o> {
    /// The RuntimeClasses by name, with the number of their values.
    runtimes: SortedMap<&'o str, (&'o Object, usize)>,
    storage: Option<&'o str>,
    ingress: Option<&'o str>,
}

impl<'o> Classes<'o> {
    pub(super) fn new(set: &ObjectSet<'o>) -> Self {
        let runtimes = set.of_kind("node.k8s.io", "RuntimeClass");
        Self {
            runtimes: runtimes
                .map(|class| (class.name.as_str(), (class, class.root.count())))
                .collect(),
            storage: default_class(set, "storage.k8s.io", "StorageClass"),
            ingress: default_class(set, "networking.k8s.io", "IngressClass"),
        }
    }

    /// The maximum number of values of a RuntimeClass that are merged into a Pod.
    pub(super) fn added(&self, name: &str) -> usize {
        self.runtimes.get(name).map_or(0, |(_, count)| *count)
    }

    /// Merges the RuntimeClass of a Pod into its spec.
    pub(super) fn runtime(&self, conversion: Conversion, spec: &mut Node) {
        let name = spec.str_at(&["runtimeClassName"]);
        let Some((class, _)) = name.and_then(|name| self.runtimes.get(name)) else { return };
        let fixed = class.root.at(&["overhead", "podFixed"]);
        if let Some(fixed) = fixed.filter(|amounts| !amounts.entries().is_empty()) {
            let mut overhead = conversion.value(json!({}));
            overhead.set_all(fixed.entries().iter().filter_map(|entry| {
                Some((entry.key.text().clone(), conversion.value(json!(quantity(&entry.value)?))))
            }));
            spec.set("overhead", overhead);
        }
        let scheduling = |field| class.root.at(&["scheduling", field]);
        if let Some(selector) = scheduling("nodeSelector") {
            conversion.fill(spec, "nodeSelector", json!({}));
            if let Some(own) = spec.get_mut("nodeSelector") {
                own.set_all(
                    selector
                        .entries()
                        .iter()
                        .map(|entry| (entry.key.text().clone(), entry.value.clone())),
                );
            }
        }
        let tolerations = items(spec, "tolerations").iter();
        let mut own: SortedSet<String> = tolerations.map(Node::identity).collect();
        for toleration in scheduling("tolerations").map_or(&[][..], Node::items) {
            if own.insert(toleration.identity()) {
                push(conversion, spec, "tolerations", toleration.clone());
            }
        }
    }

    /// Sets the class of a volume claim without one.
    pub(super) fn claim(&self, conversion: Conversion, root: &mut Node) {
        let annotation = ["metadata", "annotations", "volume.beta.kubernetes.io/storage-class"];
        if root.at(&annotation).is_none() {
            set_default(conversion, root, "storageClassName", self.storage);
        }
    }

    /// Sets the class of an Ingress without one.
    pub(super) fn ingress(&self, conversion: Conversion, root: &mut Node) {
        let annotation = ["metadata", "annotations", "kubernetes.io/ingress.class"];
        if root.at(&annotation).is_none() {
            set_default(conversion, root, "ingressClassName", self.ingress);
        }
    }
}

fn set_default(conversion: Conversion, root: &mut Node, field: &str, class: Option<&str>) {
    let spec = root.get_mut("spec");
    if let (Some(spec), Some(class)) = (spec, class) {
        conversion.fill(spec, field, json!(class));
    }
}

/// The default class. The API server chooses the newest of several, then the first by name; those of
/// the input are equally new.
fn default_class<'o>(
    set: &ObjectSet<'o>,
    group: &'static str,
    kind: &'static str,
) -> Option<&'o str> {
    let defaults = set.of_kind(group, kind).filter(|class| is_default_class(class));
    defaults.map(|class| class.name.as_str()).min()
}
